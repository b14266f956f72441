// Of what a character is made where nobody says: what of its skin lies on flesh, what on a skull, and what is a rigid thing.
// Found from skin weights, connected pieces and shapes, by rules that hold for any character (docs/anatomy.md).
#pragma once

#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

enum class Tissue {
  flesh,
  skull,  // mostly bone, with thin flesh on it: heads, hands, hooves
  rigid,  // keeps its shape: eyes, teeth, horns, plates, weapons
};

struct BoneAnatomy {
  Tissue tissue = Tissue::flesh;
  std::string because;  // the evidence, in a few words
};

// Pieces of the surface that move as one rigid body, all on one bone.
struct RigidThing {
  int bone = -1;
  std::vector<int> vertices;  // of the surface, rising
  std::string because;
};

struct Anatomy {
  std::vector<BoneAnatomy> bones;  // per bone of the surface
  std::vector<RigidThing> rigid;   // no vertex in two of them
};

Anatomy find_anatomy(const SimulationSurface& surface);

}  // namespace sinew
