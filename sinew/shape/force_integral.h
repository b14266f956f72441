// Generalised forces of force fields (Capell 2004, section 6.2), integrated at rest over the body that is there:
//
//   Q_f = int f phi_f dV.
//
// During simulation each is turned by its point's frame R_f. Fields beyond the body are restricted to it, and sums of
// fields are sums of forces.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/deform/deformer.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A force density that vanishes outside a ball.
struct ForceField {
  std::function<Vec3(const Vec3&)> density;  // newtons per cubic metre, at a point of rest space
  Vec3 centre;                               // of the ball, rest space, metres
  double radius = 0;                         // of the ball, metres
  double detail = 0;                         // length over which the density varies, metres
};

// Strain of the natural shape of flesh, which vanishes outside a ball. Held in its shape at rest, a body with it has
// the stress sigma = 2 mu strain + lambda tr(strain) 1, whose generalised forces are int sigma grad(phi_f) dV.
struct StrainField {
  std::function<Mat3(const Vec3&)> strain;  // symmetric, at a point of rest space
  Vec3 centre;                              // of the ball, rest space, metres
  double radius = 0;                        // of the ball, metres
};

// Stiffening of flesh, which vanishes outside a ball.
struct StiffeningField {
  std::function<double(const Vec3&)> logarithm;  // natural, of the factor of stiffness, at a point of rest space
  Vec3 centre;                                   // of the ball, rest space, metres
  double radius = 0;                             // of the ball, metres
};

// Several force densities in one ball.
struct ForceDensities {
  std::size_t count = 0;
  // Adds weight * f_k(x) . u to sum[k]. x: rest space, metres.
  std::function<void(const Vec3& x, const Vec3& u, double weight, std::span<double> sum)> add_work;
  Vec3 centre;
  double radius = 0, detail = 0;  // as in ForceField
};

// Derivatives of a strain by several parameters, in one ball.
struct StrainDerivatives {
  std::size_t count = 0;
  // Adds weight * strain_k(x) : stress to sum[k]. x: rest space, metres; `stress`: symmetric.
  std::function<void(const Vec3& x, const Mat3& stress, double weight, std::span<double> sum)> add_work;
  Vec3 centre;
  double radius = 0;  // as in StrainField
};

// Derivatives of a stiffening by several parameters, in one ball.
struct StiffeningDerivatives {
  std::size_t count = 0;
  // Adds weight * logarithm_k(x) to sum[k]. x: rest space, metres.
  std::function<void(const Vec3& x, double weight, std::span<double> sum)> add;
  Vec3 centre;
  double radius = 0;  // as in StiffeningField
};

// Integrals over the tetrahedra with their linear functions, ascending by vertex. `inside`: per tetrahedron, the share
// of it that is inside the body, as masses and stiffness have it; empty: all of it. Tetrahedra are halved until they
// are small beside the field's detail, and then have 14 points, exact for polynomials of degree 5. Same bits for any
// number of threads.
std::vector<PointForce> integrate_forces(const ForceField& field, const TetrahedralMesh& mesh,
                                         std::span<const double> inside);

// int f_k . u dV of each density, with u linear in tetrahedra, at the same points. `u`: per vertex.
std::vector<double> integrate_work(const ForceDensities& fields, const TetrahedralMesh& mesh,
                                   std::span<const double> inside, std::span<const Vec3> u);

// Forces on points of the skin, newtons, as forces on the body's points that carry it: sum_s phi_f(x_s) F_s.
// `surface`: skin vertices x points of the body.
std::vector<PointForce> carry_forces(const SparseRows& surface, std::span<const Vec3> on_skin);

// Forces as a dense vector, and back without those that are zero.
void add_forces(std::span<const PointForce> forces, double factor, std::span<Vec3> sum);
std::vector<PointForce> nonzero_forces(std::span<const Vec3> forces);

}  // namespace sinew
