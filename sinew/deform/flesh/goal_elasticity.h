// Nonlinear elasticity of a body's patches, with strain measured from the goal: the force that a step of true
// elasticity evaluates several times.
//
// With G the goal's deformation gradient on a strain sample (a tetrahedron, or the mean of a patch), bounded so that
// its stretches lie within [1 / most_stretch, most_stretch], and D that of the displacement from the goal,
//
//   F = I + D G^-1,   U = sum_s V_s det(G_s) psi(F_s),
//   psi0 = mu |F - Q|^2 + lambda / 2 tr(Q^T F - I)^2,   Q the rotation closest to F,
//   psi = psi0 + psi0^2 / (2 c),   so that the stress is (1 + psi0 / c) times that without stiffening,
//
// is the energy of a body that has grown into the goal (Rodriguez et al. 1994): no force acts in the goal, whatever the
// rig does to it. From the stress at most_growth times the linear one on, stress grows linearly again, so that the
// second derivative stays bounded.
//
// For a body whose natural shape is that at rest, G = I and D is the gradient of positions: F = D.
//
// A patch's tetrahedra are in vector lanes, and the patch's mean is in a lane of its own.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/flesh/patch_elasticity.h"

namespace sinew {

struct StretchEnergy;  // elastic/mixed_materials.h

struct TissueLaw {
  // Energy density in place of psi (energy_forces.h), which must outlive the body; null: psi. Doubled moduli must
  // double it. Stiffening does not apply to it.
  const StretchEnergy* energy = nullptr;
  // Shear at which stress is e times its value without stiffening, c = mu stiffening^2 / (2 (e - 1)); 0: no stiffening.
  // Fat and skin are near 0.3.
  double stiffening = 0;
  double most_growth = 4;   // largest factor by which stiffening multiplies stress
  double most_stretch = 2;  // bound of the goal's stretches

  // mu / c.
  double growth_per_energy() const { return stiffening > 0 ? 2 * (std::exp(1.0) - 1) / (stiffening * stiffening) : 0; }
};

// Lane of the patch's mean among its tetrahedra's.
inline constexpr std::size_t mean_lane = patch_size;
static_assert(mean_lane < patch_lanes);

// Natural shape of a patch in one pose, and the rotations found last; an entry per lane.
template <class Real>
struct alignas(64) NaturalPatch {
  Real inverse[9][patch_lanes] = {};                       // G^-1, bounded, row by row
  Real shear[patch_lanes] = {}, lambda[patch_lanes] = {};  // mu V det G and lambda V det G, newton metres
  Real rotation[4][patch_lanes] = {};                      // Q as a quaternion x, y, z, w; a guess on entry
};

// Sets the natural shape of the patches [begin, end) to the goal, and the guess of their rotations to none. `goal`: per
// vertex of the body, world, metres. Returns the number of samples whose stretches are bounded.
template <class Real>
std::size_t set_natural_shape(std::span<const Patch<Real>> patches, std::span<const Row<Real>> goal,
                              double most_stretch, std::size_t begin, std::size_t end,
                              std::span<NaturalPatch<Real>> natural);

// Sets the natural shape of a patch to that at rest. `guess`: approximate rotation of its deformation.
template <class Real>
void set_natural_rest(const Patch<Real>& patch, const Quat& guess, NaturalPatch<Real>& natural);

// Input of an evaluation. Rows have one entry per vertex of the body, world.
template <class Real>
struct GoalPose {
  std::span<const Patch<Real>> patches;
  std::span<NaturalPatch<Real>> natural;
  std::span<const Row<Real>> displacement;  // from the goal, metres; positions where the natural shape is that at rest
  std::span<const Row<Real>> rate;  // of the displacement, times the stiffness damping, metres; empty: no damping
  bool from_goal = true;            // F = I + D G^-1; false: F = D
};

// Computes dU/dx, minus the force, of each of the patches [begin, end) on each of its vertices, world, newtons, for
// strain + damping * (rate of strain). `force` is parallel to PatchElasticity::vertex. Returns the elastic energy,
// joules.
template <class Real>
double goal_forces(const GoalPose<Real>& pose, const TissueLaw& law, std::size_t begin, std::size_t end,
                   std::span<Row<Real>> force);

}  // namespace sinew
