// Computations local to elements: recovery of stretches and multipliers from positions, material response, and the
// forces of elements, springs and loads on the vertices. Eliminating S and lambda is local to an element, so that
// everything is a sum over samples (equations 9 to 12).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"

namespace sinew {

// Returns positions with held vertices where the load puts them and the others at rest.
std::vector<Vec3> start_positions(const MixedBody& body, const MixedLoad& load);

// Recovers the stretch S = sym(R^T F) of each sample at `positions` (n, metres, world; equation 9).
std::vector<Mandel> recover_stretches(const MixedBody& body, std::span<const Mat3> rotations,
                                      std::span<const Vec3> positions);

// Derivatives of Psi at given stretches, per sample, pascals.
struct MaterialResponse {
  std::vector<Mandel> gradient;
  std::vector<MandelMatrix> hessian;
};
void material_response(const MixedBody& body, std::span<const Mandel> stretches, MaterialResponse& response);

// Raises eigenvalues of the Hessians to at least 1 % of the sample's shear modulus. Newton's method uses it if the
// condensed matrix would not be positive definite (section 6).
void make_curvature_positive(const MixedBody& body, std::span<MandelMatrix> hessian);

// Computes the first Piola-Kirchhoff stress of each sample at `positions`, for the material expanded about `stretches`,
// pascals:
//
//   P = R (g + H (sym(R^T F) - S) + 2 kappa skew(R^T F)).
//
// The multiplier of the mixed energy is lambda = -P (equation 10). H does not matter where S = sym(R^T F).
std::vector<Mat3> linearized_stresses(const MixedBody& body, std::span<const Mat3> rotations,
                                      std::span<const Vec3> positions, std::span<const Mandel> stretches,
                                      const MaterialResponse& response);

// Specialises linearized_stresses() to an energy that about S = I has no gradient and H = 2 kappa 1 + c i i^T
// (volume_moduli() in condensed_matrix.h): P = 2 kappa (F - R) + c tr(R^T F - I) R. `modulus`: per sample, c.
std::vector<Mat3> poisson_volume_stresses(const MixedBody& body, std::span<const Mat3> rotations,
                                          std::span<const Vec3> positions, std::span<const double> modulus);

// Computes the residual force on each free vertex, three numbers each, newtons: elements with the stresses P, springs
// and loads. Zero in equilibrium.
std::vector<double> residual_forces(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> positions,
                                    std::span<const Mat3> stresses);

// Computes the condensed energy (equation 8), joules: elastic energy with S = sym(R^T F), energy of the skew part and
// of the springs, minus the work of the loads from rest.
double condensed_energy(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> positions);

}  // namespace sinew
