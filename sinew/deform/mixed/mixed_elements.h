// What happens in single elements: stretches and multipliers recovered from positions, the material's response, and
// the forces that elements, springs and loads leave on the vertices. Eliminating S and lambda is local to an element,
// so that all of this is sums over samples (equations 9 to 12).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"

namespace sinew {

// Held vertices where the load puts them, the others at rest.
std::vector<Vec3> start_positions(const MixedBody& body, const MixedLoad& load);

// S = sym(R^T F) of each sample at `positions` (n, metres, world): the stretch that the solution has there
// (equation 9).
std::vector<Mandel> recover_stretches(const MixedBody& body, std::span<const Mat3> rotations,
                                      std::span<const Vec3> positions);

// Psi at given stretches to second order, per sample, pascals.
struct MaterialResponse {
  std::vector<Mandel> gradient;
  std::vector<MandelMatrix> hessian;
};
void material_response(const MixedBody& body, std::span<const Mandel> stretches, MaterialResponse& response);

// Raises eigenvalues of the Hessians to 1 % of the sample's shear modulus where they are below it: what Newton's
// method uses where the condensed matrix would not be positive definite (section 6).
void make_curvature_positive(const MixedBody& body, std::span<MandelMatrix> hessian);

// First Piola-Kirchhoff stress of each sample at `positions`, for the material expanded about `stretches`, pascals:
//
//   P = R (g + H (sym(R^T F) - S) + 2 kappa skew(R^T F)).
//
// The multiplier of the mixed energy is lambda = -P (equation 10). Where S = sym(R^T F), no H enters.
std::vector<Mat3> linearized_stresses(const MixedBody& body, std::span<const Mat3> rotations,
                                      std::span<const Vec3> positions, std::span<const Mandel> stretches,
                                      const MaterialResponse& response);

// The same where the energy about S = I has no gradient and H = 2 kappa 1 + c i i^T (volume_moduli() in
// condensed_matrix.h): P = 2 kappa (F - R) + c tr(R^T F - I) R. `modulus`: per sample, c.
std::vector<Mat3> poisson_volume_stresses(const MixedBody& body, std::span<const Mat3> rotations,
                                          std::span<const Vec3> positions, std::span<const double> modulus);

// The force left over on each free vertex, three numbers each, newtons: of elements with the stresses P, springs and
// loads. Zero in equilibrium.
std::vector<double> residual_forces(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> positions,
                                    std::span<const Mat3> stresses);

// The condensed energy (equation 8): elastic energy with S = sym(R^T F) and the skew part's, energy of the springs,
// less the work of the loads from rest; joules.
double condensed_energy(const MixedBody& body, const MixedLoad& load, std::span<const Vec3> positions);

}  // namespace sinew
