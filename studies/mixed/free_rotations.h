// The nonlinear equilibrium that mixed elements with given rotations stand in for: each element's rotation is the
// closest one of its own deformation gradient, F = R S with S symmetric, and positions are all that is unknown.
//
//   E(x) = sum_t V_t Psi(S_t) - f . x + springs,   R_t = closest rotation of F_t(x)
//
// For isotropic Psi these are the common energies of F: ARAP and co-rotated elasticity with their own rotations,
// neo-Hookean and St. Venant-Kirchhoff materials (their invariants are those of S).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"

namespace sinew {

// Elastic energy at `positions` (n, metres) with the closest rotations, joules.
double elastic_energy(const MixedBody& body, std::span<const Vec3> positions);

struct FreeEquilibriumOptions {
  double tolerance = 1e-7;   // stop where |residual| <= tolerance * |forces of the elements, before they cancel|
  int max_iterations = 300;  // one factorisation each
};

struct FreeEquilibrium {
  std::vector<Vec3> positions;  // n, metres
  double energy = 0;            // joules
  double residual = 0;          // relative
  int iterations = 0;
};

// A minimum of that energy near `start` (n, metres), where held vertices are and stay; of `load`, the rotations and the
// held vertices do not count.
//
// With R held at the closest rotation of F, the mixed energy (docs/mixed_fem.md, equation 8) has the same gradient as
// this one, for every kappa: Psi' commutes with S, so that turning R costs nothing to first order, and skew(R^T F) is
// zero. A fixed point of "solve with R held, then take the closest rotations" is hence an equilibrium. That alternation
// is sure to arrive for ARAP with kappa = mu only (there it is the local/global iteration), and slowly; here each step
// is Newton's on E. Its Hessian is that of the mixed energy but for what resists turning, where kappa has a value for
// each principal axis k of S (Psi_i the derivative by the principal stretch s_i; i and j are the other two axes):
//
//   2 kappa_k = (Psi_i + Psi_j) / (s_i + s_j).
//
// Where that makes no positive definite matrix, both parts are raised to positive ones; steps are shortened until E
// falls.
// Throws simulation_error where the tolerance is not reached.
FreeEquilibrium free_equilibrium(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> start,
                                 const FreeEquilibriumOptions& options = {});

}  // namespace sinew
