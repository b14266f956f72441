// Pose-dependent linear stiffness: small strain elasticity in frames that the skeleton predicts. With
// the pose held, forces are affine in the displacements; docs/flesh.md derives both forms, compares
// their stability and momentum, and says what each costs.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/flesh/warping.h"
#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

// A combination of the stiffness of the pose with the lumped mass: stiffness S_w + mass M.
struct SystemFactors {
  double stiffness = 1;
  double mass = 0;  // 1/s^2
};

// Vectors hold 3 numbers per free vertex, local.
class WarpedStiffness {
 public:
  virtual ~WarpedStiffness() = default;

  // Takes over the frames of a pose; `frames` must live until the next call.
  virtual void set_pose(const VertexFrames& frames) = 0;

  // to_i = stiffness (sum_j S_w,ij x_j + load * e_i) + mass m_i x_i: the stiffness of the pose on the local
  // displacements x, and `load` times the elastic force that stands in the goal shape itself. Bone springs act on
  // x directly.
  virtual void apply(const SystemFactors& factors, double load, std::span<const double> x, std::span<double> to) = 0;

  // The same without load, to about 1e-6 relative where that is faster: for the directions of an iterative
  // solver whose residuals start from apply().
  virtual void apply_roughly(const SystemFactors& factors, std::span<const double> x, std::span<double> to) {
    apply(factors, 0, x, to);
  }
};

// `body` must outlive the result.
std::unique_ptr<WarpedStiffness> element_warped_stiffness(const FleshBody& body);
std::unique_ptr<WarpedStiffness> vertex_warped_stiffness(const FleshBody& body);

}  // namespace sinew
