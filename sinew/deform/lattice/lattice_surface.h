// How a control lattice carries the surface: p(x) = sum_i p_i phi_i(x) at its vertices (Capell 2004, section 4.6).
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

// Under the rig reference the rig's own surface plus sum_i R_i u_i phi_i; under the elastic one the body's own surface,
// sum_i (g_i + R_i u_i) phi_i, which is where it is at rest by linear precision. What the rig adds to the skin, morph
// targets, stays on top.
std::unique_ptr<SurfaceCarrier> surface_carrier(std::shared_ptr<const LatticeBody> body);

// World positions of the surface that the body carries, from coefficients per function: the elastic reference's
// surface.
void reconstruct_surface(const LatticeBody& body, std::span<const Vec3> position, std::span<Vec3> surface);

}  // namespace sinew
