// Tissues under a character's skin, and how a user assigns them (`sinew anatomy`, or painting).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sinew {

enum class Tissue {
  flesh,
  skull,  // mostly bone, with thin flesh on it: heads, hands, hooves
  rigid,  // keeps its shape: eyes, teeth, horns, plates, weapons
  shell,  // thin: ears, fins, wings, capes bend, and do not stretch
};

// Assignments by the user, which override the anatomy that is found (anatomy/anatomy.h).
struct AnatomyOverrides {
  struct OfBone {
    std::string bone;  // name of its joint
    Tissue tissue = Tissue::flesh;
  };
  struct OfPart {
    std::size_t vertices = 0;  // number of vertices when it was found
    Tissue tissue = Tissue::rigid;
  };
  struct OfAccessory {
    std::string node;     // name of the first node that shows a mesh of it
    bool follows = true;  // true: follows the flesh below it; false: follows the rig
  };
  std::string file;  // for messages
  std::vector<OfBone> bones;
  std::vector<OfPart> rigid_parts;  // in the order in which they are found; all or none
  std::vector<OfPart> shells;       // thin shells, likewise
  std::vector<OfAccessory> accessories;
};

}  // namespace sinew
