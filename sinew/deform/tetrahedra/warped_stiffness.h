// Pose-dependent linear stiffness: small strain in frames that the skeleton predicts. For a fixed pose forces are
// affine in the displacements. docs/flesh.md derives both forms and compares stability, momentum and cost.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/flesh/warping.h"
#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

// Coefficients of the combination stiffness S_w + mass M of the pose's stiffness with the lumped mass.
struct SystemFactors {
  double stiffness = 1;
  double mass = 0;  // 1/s^2
};

// Vectors hold 3 numbers per free vertex, in local frames.
class WarpedStiffness {
 public:
  virtual ~WarpedStiffness() = default;

  // Sets the frames of a pose; `frames` must live until the next call.
  virtual void set_pose(const VertexFrames& frames) = 0;

  // Computes to_i = stiffness (sum_j S_w,ij x_j + load * e_i) + mass m_i x_i for local displacements x, where e_i is
  // the elastic force of the goal shape itself. Bone springs act on x directly.
  virtual void apply(const SystemFactors& factors, double load, std::span<const double> x, std::span<double> to) = 0;

  // Computes apply() without load, to about 1e-6 relative where that is faster; for the directions of an iterative
  // solver whose residuals come from apply().
  virtual void apply_roughly(const SystemFactors& factors, std::span<const double> x, std::span<double> to) {
    apply(factors, 0, x, to);
  }
};

// `body` must outlive the result.
std::unique_ptr<WarpedStiffness> element_warped_stiffness(const FleshBody& body);
std::unique_ptr<WarpedStiffness> vertex_warped_stiffness(const FleshBody& body);

}  // namespace sinew
