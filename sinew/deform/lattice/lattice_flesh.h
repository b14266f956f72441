// Flesh in a control lattice over time (Capell 2004, chapters 4 and 5): skeletal constraints by partition (5.6), elastic
// forces that are linear while the pose stands, functions of the basis that come and go, held points and obstacles.
#pragma once

#include <memory>
#include <span>
#include <span>

#include "sinew/deform/deformer.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/lattice/lattice_environment.h"

namespace sinew {

class LatticeDeformer : public Deformer {
 public:
  // What acts in the steps that follow, until it is set anew; nothing at first. No part of a snapshot, and none of the
  // equilibrium of reset(): the first step meets it. Throws what check_environment() throws.
  virtual void set_environment(const LatticeEnvironment& environment) = 0;

  // Where a spot of the surface is after the last step, metres, world, with the rig as it is at `bones`.
  virtual Vec3 place_of(const SurfaceSpot& spot, std::span<const Affine> bones) const = 0;

  // How far belts and grabs were from where they should be as the last step ended, in the order of the environment.
  virtual std::span<const HeldMisfit> misfits() const = 0;
};

// Its local displacements are those of the functions' coefficients, R_i^T (p_i - g_i) with the frames and goals of
// predict_pose(); lattice_surface.h takes them to the surface.
std::unique_ptr<LatticeDeformer> lattice_flesh(std::shared_ptr<const LatticeBody> body);

}  // namespace sinew
