// The nonlinear equilibrium that mixed elements with given rotations approximate: the rotation of each element is the
// closest one to its own deformation gradient, F = R S with S symmetric, and the only unknowns are positions.
//
//   E(x) = sum_t V_t Psi(S_t) - f . x + springs,   R_t = closest rotation of F_t(x)
//
// For isotropic Psi these are the usual energies of F: ARAP and co-rotated elasticity, neo-Hookean and St.
// Venant-Kirchhoff materials (their invariants are those of S).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"

namespace sinew {

// Elastic energy at `positions` (n, metres) with the closest rotations, joules.
double elastic_energy(const MixedBody& body, std::span<const Vec3> positions);

struct FreeEquilibriumOptions {
  double tolerance = 1e-7;   // stop where |residual| <= tolerance * |element forces before they cancel|
  int max_iterations = 300;  // one factorisation each
};

struct FreeEquilibrium {
  std::vector<Vec3> positions;  // n, metres
  double energy = 0;            // joules
  double residual = 0;          // relative, as in `tolerance`
  int iterations = 0;
};

// Finds a minimum of that energy near `start` (n, metres), which has the held vertices at their fixed places. The
// rotations and held vertices in `load` are ignored.
//
// With R fixed at the closest rotation of F, the mixed energy (docs/mixed_fem.md, equation 8) has the same gradient as
// this one for every kappa: Psi' commutes with S, so that rotating R has no effect to first order, and skew(R^T F) is
// zero. A fixed point of alternating "solve with R fixed" and "take the closest rotations" is hence an equilibrium.
// That alternation is only guaranteed to converge for ARAP with kappa = mu (the local/global iteration), and slowly;
// here each step is Newton's on E. Its Hessian is that of the mixed energy, except that kappa has a value for each
// principal axis k of S (Psi_i is the derivative by the principal stretch s_i; i and j are the other two axes):
//
//   2 kappa_k = (Psi_i + Psi_j) / (s_i + s_j).
//
// Where the resulting matrix is not positive definite, both parts are projected to positive ones. Steps are shortened
// until E decreases. Throws simulation_error where the tolerance is not reached.
FreeEquilibrium free_equilibrium(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> start,
                                 const FreeEquilibriumOptions& options = {});

}  // namespace sinew
