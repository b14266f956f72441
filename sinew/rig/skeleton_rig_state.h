// For the sources of skeleton_rig.h: the state that an evaluation of a character's rig keeps for the next one.
#pragma once

#include <vector>

#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/skeleton_rig.h"

namespace sinew {

struct CharacterRig::State {
  bool valid = false;  // true if the other members belong to `p`
  std::vector<double> p;
  std::vector<Affine> local;               // per node (only used ones): to the parent, file units
  std::vector<Affine> world;               // per node (only used ones): to world, file units
  std::vector<Affine> bone;                // per bone: rest space to world, metres
  BoneMotions motions;                     // of `bone`; empty where skinning is linear
  std::vector<Vec3> skinned;               // per vertex, before layers: world, metres
  std::vector<LayerControls> controls;     // per layer
  std::vector<std::vector<Vec3>> layered;  // per layer: its output surface
  std::vector<char> node_changed, vertex_changed;

  const std::vector<Vec3>& surface() const { return layered.empty() ? skinned : layered.back(); }
};

}  // namespace sinew
