// Gradient of a surface model's error with respect to its parameters, by the adjoint of its steps
// (docs/surface_dynamics.md).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

// Derivatives of E per vertex. `restoration`: with respect to the matrix alpha S, nine numbers, symmetric; its product
// with S is the derivative with respect to alpha.
struct VertexGradient {
  std::array<double, surface_parameters> parameter{};
  Mat3 restoration = Mat3::zero();
};

// Computes E and its gradient for many parameters of one model; what does not depend on them is computed once. Uses 40
// bytes per vertex and frame of all examples, and 80 per vertex and frame of the longest example or window.
class SurfaceGradient {
 public:
  // Copies everything but parameters and shape values from the model. Keeps references to the examples.
  SurfaceGradient(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                  const SurfaceErrorOptions& options);
  ~SurfaceGradient();

  // Evaluates the model's current parameters and shape, which must be empty or not as at construction. The gradient is
  // exact except where a vertex is clamped at its reach, which lets nothing through.
  SurfaceError operator()(const SurfaceModel& model, std::vector<VertexGradient>& gradient);

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace sinew
