// Meshes without a skin that hang on a skinned character's bones, and the skin that they sit on: hats on hair, antlers
// on a skull, swords in hands (docs/accessories.md).
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/rigid_fit.h"

namespace sinew {

struct Accessory {
  std::vector<int> nodes;  // that show its meshes, rising: indices into Skeleton::joints
  int bone = -1;           // of the surface: that carries the skin it sits on
  RigidGroup anchor;       // vertices of the surface: that skin, which counts by how near it is
  double steadying = 0;    // square metres, as of rigid_fit(): where the anchor is far smaller than what hangs on it
  double reach = 0;        // metres: from the anchor's centre to its farthest vertex
};

// Meshes that hang on the same bone and touch are one accessory, and so are those that hang on each other. None of
// those whose bone, and all bones above it, carry no skin, and none that is said to stay with the rig
// (Character::anatomy); none of surfaces without skin weights. Every node is in one of them at most.
std::vector<Accessory> find_accessories(const Character& character, const SimulationSurface& surface);

// Whether a joint of some skin is the node or hangs below it. Per node.
std::vector<char> bears_joints(const Character& character);

}  // namespace sinew
