// How a control lattice carries the surface embedded in it: p(x) = sum_i p_i phi_i(x) at the surface vertices (Capell
// 2004, section 4.6).
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

// Under the rig reference the output is the rig's own surface plus sum_i R_i u_i phi_i. Under the elastic one it is the
// body's own surface sum_i (g_i + R_i u_i) phi_i, which reproduces the rest shape by linear precision. Morph targets
// are added on top in both.
std::unique_ptr<SurfaceCarrier> surface_carrier(std::shared_ptr<const LatticeBody> body);

// Computes the surface of the elastic reference, world, metres, from coefficients per function.
void reconstruct_surface(const LatticeBody& body, std::span<const Vec3> position, std::span<Vec3> surface);

}  // namespace sinew
