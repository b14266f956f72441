// Paths of vertices while a joint folds in small steps: skin that pops shows as a second difference that does not fall
// with the step.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/rig/implicit/implicit_skin.h"
#include "studies/skinning/bends.h"

namespace sinew {

// The largest difference of a kind along the paths of all vertices.
struct LargestDifference {
  double size = 0;         // metres
  std::size_t vertex = 0;  // of the surface
  double degrees = 0;      // of the fold
};

struct FoldPaths {
  std::string fold;
  double height = 0;                                    // of the surface, metres
  LargestDifference linear, dual_quaternion, implicit;  // second differences
  LargestDifference linear_step, implicit_step;         // first differences
  double microseconds = 0;                              // a pose, dual quaternions included
};

// Folds the joints from rest in steps of so many degrees.
FoldPaths fold_paths(const Skeleton& skeleton, const SimulationSurface& surface, const ImplicitSkin& skin,
                     const Bend& fold, double step);

}  // namespace sinew
