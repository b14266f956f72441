// External loads on flesh in a lattice over one step (docs/constraints.md): checks, and projection to the basis
// functions.
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

// Difference between the gravity in force and the one that the body was cooked with, m/s^2, world.
Vec3 change_of_gravity(const LatticeBody& body, const Environment& environment);

// Forces on each basis function, newtons, world: point forces on the surface, sum_s phi_i(x_s) F_s, and a change of
// gravity, int rho phi_i dV (g - g_0). Empty if there are none.
ScratchVector<Vec3> forces_of(const LatticeBody& body, const Environment& environment);

// Offset of each surface vertex, metres, world, such that the output surface is offset_s + sum_i p_i phi_i(x_s). It is
// the difference between the rig's surface and the body's goal under the rig reference, and zero under the elastic one.
void predict_surface_offsets(const LatticeBody& body, std::span<const Affine> bones, const LatticePose& pose,
                             std::vector<Vec3>& offset);

// Position of a surface point, metres, world, for the bones in `bones` and the coefficients `position` per function.
Vec3 place_of_point(const LatticeBody& body, const SurfacePoint& point, std::span<const Affine> bones,
                    std::span<const Vec3> position);

}  // namespace sinew
