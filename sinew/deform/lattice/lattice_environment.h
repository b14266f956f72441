// What acts on flesh in a lattice over one step (docs/constraints.md): whether it can, and where it acts on the basis.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/threads/scratch.h"
#include "sinew/deform/environment.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// What gravity differs by from the one that the body was cooked with, m/s^2, world.
Vec3 change_of_gravity(const LatticeBody& body, const Environment& environment);

// What point forces, sum_s phi_i(x_s) F_s over the surface, and a change of gravity, int rho phi_i dV (g - g_0), do to
// each function of the basis: newtons, world; empty: nothing.
ScratchVector<Vec3> forces_of(const LatticeBody& body, const Environment& environment);

// The shown surface is offset_s + sum_i p_i phi_i(x_s): what the rig's own surface differs from the body's by under the
// rig reference, nothing under the elastic one. Metres, world.
void predict_surface_offsets(const LatticeBody& body, std::span<const Affine> bones, const LatticePose& pose,
                             std::vector<Vec3>& offset);

// Where a spot of the surface is, metres, world, with the rig as it is at `bones`; `position` per function.
Vec3 place_of_spot(const LatticeBody& body, const SurfaceSpot& spot, std::span<const Affine> bones,
                   std::span<const Vec3> position);

}  // namespace sinew
