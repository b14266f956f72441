// Integrals over a body for any basis whose functions are linear on each of a set of tetrahedra (Capell 2004, sections
// 3.2 to 3.4 and 4.4): strain samples, mass and weights.
//
// A basis is given by its values at the vertices of the tetrahedra (rows: vertices, columns: functions), the body by
// the fraction of each tetrahedron inside it. Tetrahedra with fraction zero are ignored.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/sparse_matrix.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// The functions that do not vanish on each tetrahedron, and their values at its corners. All integrals below use them.
struct TetrahedronBasis {
  std::vector<int> start{0};                 // tetrahedra + 1
  std::vector<int> function;                 // ascending within a tetrahedron
  std::vector<std::array<double, 4>> value;  // per entry, at the four corners
};
TetrahedronBasis functions_on_tetrahedra(const TetrahedralMesh& mesh, const SparseRows& basis);

// Mean over a tetrahedron of the product of two functions that are linear on it, from their values at its corners: int
// lambda_a lambda_b dV = V / 20 (1 + delta_ab).
inline double mean_product(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  const double products = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  return (products + (a[0] + a[1] + a[2] + a[3]) * (b[0] + b[1] + b[2] + b[3])) / 20;
}

// One strain sample per tetrahedron with a positive fraction, in their order, with the gradients of the functions.
// `tetrahedron` receives the tetrahedron of each sample. Throws input_error for tetrahedra without positive volume.
StrainSamples basis_strain_samples(const TetrahedralMesh& mesh, const TetrahedronBasis& basis,
                                   const ElementFields& fields, std::vector<int>& tetrahedron);

// Vector int density phi_i dV (3.12). `density`: per tetrahedron, kg/m^3 or any other unit, already multiplied by the
// fraction inside.
std::vector<double> basis_weights(const TetrahedralMesh& mesh, const TetrahedronBasis& basis,
                                  std::span<const double> density, int functions);

}  // namespace sinew
