// Accessories: meshes without a skin that are attached to a skinned character's bones, and the skin that they sit on.
// Hats on hair, antlers on a skull, swords in hands (docs/accessories.md).
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/rigid_fit.h"

namespace sinew {

struct Accessory {
  std::vector<int> nodes;  // nodes that show its meshes, ascending indices into Skeleton::joints
  int bone = -1;           // bone of the surface that carries the skin it sits on
  RigidGroup anchor;       // the skin it sits on: vertices of the surface, weighted by nearness
  double steadying = 0;    // square metres, see rigid_fit(): set where the anchor is much smaller than the accessory
  double reach = 0;        // distance from the anchor's centre to the farthest vertex, metres
};

// Meshes on the same bone that touch, and meshes attached to each other, form one accessory. Excluded are meshes for
// which neither the bone nor any bone above it carries skin, those that the user keeps with the rig
// (Character::anatomy), and all on surfaces without skin weights. Every node is in at most one accessory.
std::vector<Accessory> find_accessories(const Character& character, const SimulationSurface& surface);

// Per node, whether it or a node below it is a joint of some skin.
std::vector<char> bears_joints(const Character& character);

}  // namespace sinew
