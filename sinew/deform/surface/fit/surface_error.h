// How far a surface model is from its examples, and what its parameters have to do with it (Shi et al. 2008, section
// 3).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/surface_motion.h"
#include "sinew/linalg/bounded/box_quadratic.h"

namespace sinew {

struct SurfaceErrorOptions {
  // Steps after which the simulation starts again from the example; 0: never. Short windows leave less room for a
  // swing's phase to drift away, so that the error has fewer local minima.
  int window = 0;
  // Seconds: weight of differences of velocity beside those of position, sum |x - p|^2 + weight^2 |v - v_p|^2 (the
  // Sobolev norm of section 3).
  double velocity_weight = 0;
};

// Sum over frames and vertices of weight |x - p|^2 (eq. 13), m^2, and of the weights.
struct SurfaceError {
  double sum = 0, weights = 0;
  double goal_sum = 0;  // of the goal itself: what there is to gain
};

using SurfaceNormalEquations = std::vector<BoxQuadratic<surface_parameters>>;

// E of the model as it is. `equations`, where given: per vertex, the least-squares problem of equation 16, over all
// steps of all examples, its box the paper's ranges.
SurfaceError surface_error(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                           const SurfaceErrorOptions& options, SurfaceNormalEquations* equations = nullptr);

// The same as if every step began at the example: what a model would have to be that has the example's own states.
void equations_at_examples(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                           const SurfaceErrorOptions& options, SurfaceNormalEquations& equations);

// Of the goal itself: `weights` and `goal_sum`, the same as surface_error() finds.
SurfaceError goal_error(const SurfaceModel& model, std::span<const SurfaceExample> examples);

// (velocity_weight / h)^2: what a squared change of position counts beside a squared position.
double velocity_share(const SurfaceModel& model, const SurfaceErrorOptions& options);

// Ranges of the parameters, by their number.
inline constexpr std::array<double, surface_parameters> largest_parameter = {1, 1, 1, 0.5, 1};

}  // namespace sinew
