// Pose optimisation (Capell 2004, section 6.5.1): the pose of the skeleton in which features of the skin come nearest
// to their places in a target, before forces are sought for what the pose leaves.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

struct PoseFeature {
  int vertex = -1;  // of the skin
  Vec3 place;       // where the target has this feature, world, metres
};

struct FittedTurn {
  int joint = -1;      // index into Skeleton::joints
  double degrees = 0;  // by which it is turned from the start
};

struct PoseFit {
  Pose pose;
  double before = 0, after = 0;   // root mean square distance of the features from their places, metres
  std::vector<FittedTurn> turns;  // joints that were turned, parents first
};

// Minimises the mean squared distance by L-BFGS-B over the rotations of the joints that move the features: from the
// bones that carry them up to the last one that all have in common, which moves too if it is the first bone of all.
// Turns are kept small where features do not decide them. `start`: the pose to begin with. Throws usage_error if there
// are fewer than three features, or one is no vertex of the skin or not finite.
PoseFit fit_pose(const Character& character, const SimulationSurface& surface, const Pose& start,
                 std::span<const PoseFeature> features);

}  // namespace sinew
