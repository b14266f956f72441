// What lies under a character's skin, as people say it: in a file of `sinew anatomy`, or by painting.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sinew {

enum class Tissue {
  flesh,
  skull,  // mostly bone, with thin flesh on it: heads, hands, hooves
  rigid,  // keeps its shape: eyes, teeth, horns, plates, weapons
  sheet,  // thin: ears, fins, wings, capes bend, and do not stretch
};

// Said above what is found (anatomy/anatomy.h).
struct SaidAnatomy {
  struct OfBone {
    std::string bone;  // name of its joint
    Tissue tissue = Tissue::flesh;
  };
  struct OfThing {
    std::size_t vertices = 0;  // that it had when it was found
    Tissue tissue = Tissue::rigid;
  };
  struct OfAccessory {
    std::string node;     // the first that shows a mesh of it, by name
    bool follows = true;  // the flesh that it sits on; else it stays with the rig
  };
  std::string file;  // for messages
  std::vector<OfBone> bones;
  std::vector<OfThing> things;  // in the order in which they are found; all of them or none
  std::vector<OfThing> sheets;  // likewise
  std::vector<OfAccessory> accessories;
};

}  // namespace sinew
