// Of what a character is made where nobody says: what of its skin lies on flesh, what on a skull, and what is a rigid thing.
// Found from skin weights, connected pieces and shapes, by rules that hold for any character (docs/anatomy.md).
#pragma once

#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/character/tissue.h"

namespace sinew {

struct BoneAnatomy {
  Tissue tissue = Tissue::flesh;
  std::string because;  // the evidence, in a few words
};

// Vertices of the surface that move as one rigid body: pieces on one bone, or what is painted so.
struct RigidThing {
  int bone = -1;              // that most of it follows
  std::vector<int> vertices;  // of the surface, rising
  std::string because;
};

struct Anatomy {
  std::vector<BoneAnatomy> bones;  // per bone of the surface
  std::vector<RigidThing> rigid;   // no vertex in two of them; those found first
};

// What is found, and above it what is said. Throws input_error where that is about another character: a bone that the
// skin does not have, or other things than are found.
Anatomy find_anatomy(const SimulationSurface& surface, const SaidAnatomy& said = {});

}  // namespace sinew
