// Simulation of flesh in a control lattice (Capell 2004, chapters 4 and 5): skeletal constraints by partition (5.6),
// elastic forces that are linear for a fixed pose, adaptive basis functions, position constraints and colliders.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/lattice/lattice_environment.h"

namespace sinew {

class LatticeBodyMotion : public BodyMotion {
 public:
  // Position of a surface point after the last step, metres, world, for the bones in `bones`.
  virtual Vec3 place_of(const SurfacePoint& point, std::span<const Affine> bones) const = 0;
};

// The local displacements are R_i^T (p_i - g_i) per function, with the frames and goals of predict_pose();
// lattice_surface.h carries them to the surface.
std::unique_ptr<LatticeBodyMotion> lattice_flesh(std::shared_ptr<const LatticeBody> body);

}  // namespace sinew
