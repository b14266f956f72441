// How a surface model's error changes with its parameters, by the adjoint of its steps (docs/surface_dynamics.md).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

// dE per vertex. `restoration`: by the matrix alpha S as nine numbers, symmetric; alpha's own number is its product
// with S.
struct VertexGradient {
  std::array<double, surface_parameters> parameter{};
  Mat3 restoration = Mat3::zero();
};

// E and its gradient for many parameters of one model: what does not depend on them is computed once. Keeps 40 bytes
// per vertex and frame of all examples, and 80 of the longest example or window.
class SurfaceGradient {
 public:
  // Everything of the model but its parameters and the values of its shape is taken as it is now. The examples are
  // referred to.
  SurfaceGradient(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                  const SurfaceErrorOptions& options);
  ~SurfaceGradient();

  // Of the model with today's parameters and shape (empty or not as it was). Exact but where a vertex is held at its
  // reach, through which nothing passes.
  SurfaceError operator()(const SurfaceModel& model, std::vector<VertexGradient>& gradient);

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace sinew
