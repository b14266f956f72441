// Error of a surface model on examples, and its dependence on the parameters (Shi et al. 2008, section 3).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/surface_motion.h"
#include "sinew/linalg/bounded/box_quadratic.h"

namespace sinew {

struct SurfaceErrorOptions {
  // Number of steps after which the simulation restarts from the example; 0: never. In short windows the phase of an
  // oscillation drifts less, so that the error has fewer local minima.
  int window = 0;
  // Weight of velocity differences relative to position differences, seconds: sum |x - p|^2 + weight^2 |v - v_p|^2 (the
  // Sobolev norm of section 3).
  double velocity_weight = 0;
};

// Sum over frames and vertices of weight |x - p|^2 (eq. 13), m^2, and sum of the weights.
struct SurfaceError {
  double sum = 0, weights = 0;
  double goal_sum = 0;  // error of the goal itself, m^2: the upper bound of the gain
};

using SurfaceNormalEquations = std::vector<BoxQuadratic<surface_parameters>>;

// Computes E of the model. `equations`, if given, receives per vertex the least-squares problem of equation 16 over all
// steps of all examples, bounded by the paper's ranges.
SurfaceError surface_error(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                           const SurfaceErrorOptions& options, SurfaceNormalEquations* equations = nullptr);

// Computes the least-squares problems with every step beginning at the example's own state.
void equations_at_examples(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                           const SurfaceErrorOptions& options, SurfaceNormalEquations& equations);

// Computes `weights` and `goal_sum` alone, equal to those of surface_error().
SurfaceError goal_error(const SurfaceModel& model, std::span<const SurfaceExample> examples);

// Returns (velocity_weight / h)^2, the weight of a squared change of position relative to a squared position.
double velocity_share(const SurfaceModel& model, const SurfaceErrorOptions& options);

// Upper ends of the parameters' ranges, in their order.
inline constexpr std::array<double, surface_parameters> largest_parameter = {1, 1, 1, 0.5, 1};

}  // namespace sinew
