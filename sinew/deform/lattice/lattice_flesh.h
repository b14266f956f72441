// Flesh in a control lattice over time (Capell 2004, chapters 4 and 5): skeletal constraints by partition (5.6),
// elastic forces that are linear while the pose stands, functions of the basis that come and go, held points and
// obstacles.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/lattice/lattice_environment.h"

namespace sinew {

class LatticeBodyMotion : public BodyMotion {
 public:
  // Where a spot of the surface is after the last step, metres, world, with the rig as it is at `bones`.
  virtual Vec3 place_of(const SurfaceSpot& spot, std::span<const Affine> bones) const = 0;
};

// Its local displacements are those of the functions' coefficients, R_i^T (p_i - g_i) with the frames and goals of
// predict_pose(); lattice_surface.h takes them to the surface.
std::unique_ptr<LatticeBodyMotion> lattice_flesh(std::shared_ptr<const LatticeBody> body);

}  // namespace sinew
