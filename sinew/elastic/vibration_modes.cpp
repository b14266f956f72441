#include "sinew/elastic/vibration_modes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/elastic/free_vertices.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/dense_matrix.h"
#include "sinew/linalg/symmetric_eigen.h"

namespace sinew {
namespace {

DenseMatrix times_each_column(const BlockMatrix& matrix, const DenseMatrix& x) {
  DenseMatrix y(x.rows, x.columns);
  for (std::size_t j = 0; j < x.columns; ++j) multiply(matrix, x.column(j), y.column(j));
  return y;
}

void normalize_columns(DenseMatrix& x) {
  for (std::size_t j = 0; j < x.columns; ++j) {
    double squared = 0;
    for (const double value : x.column(j)) squared += value * value;
    if (!(squared > 0)) continue;
    for (double& value : x.column(j)) value /= std::sqrt(squared);
  }
}

// X^T A X, from X and A X.
DenseMatrix projected(const DenseMatrix& x, const DenseMatrix& ax) {
  DenseMatrix result = transposed_product(x, ax);
  for (std::size_t j = 0; j < result.columns; ++j)
    for (std::size_t i = 0; i < j; ++i)
      result(i, j) = result(j, i) = (result(i, j) + result(j, i)) / 2;  // rounding made them differ
  return result;
}

// Numbers without pattern in [-1, 1], the same in every run (Weyl sequence).
DenseMatrix start_block(std::size_t rows, std::size_t columns) {
  DenseMatrix x(rows, columns);
  std::uint64_t state = 0;
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < rows; ++i) {
      state += 0x9E3779B97F4A7C15ull;
      std::uint64_t mixed = state ^ (state >> 31);
      mixed *= 0xD6E8FEB86659FD93ull;
      x(i, j) = static_cast<double>((mixed ^ (mixed >> 32)) >> 11) * 0x1p-52 - 1;
    }
  return x;
}

}  // namespace

VibrationModes vibration_modes(const BlockMatrix& stiffness, const BlockMatrix& mass, std::span<const int> held,
                               int count) {
  const auto vertices = static_cast<std::size_t>(stiffness.rows);
  const FreeVertices free = free_vertices(vertices, held);
  const int unknowns = 3 * free.count();
  if (mass.rows != stiffness.rows || count < 1 || count > unknowns)
    throw usage_error("vibration modes need a mass for each vertex and at most as many modes as free unknowns.");
  const BlockMatrix s = principal_submatrix(stiffness, free.number, free.count());
  const BlockMatrix m = principal_submatrix(mass, free.number, free.count());
  BlockCholesky factor;
  factor.analyze(s);
  factor.factor(s);

  // Vectors beyond those wanted make the wanted ones converge: the rate is (f_count / f_block+1)^2.
  const auto block = static_cast<std::size_t>(std::min(unknowns, 2 * count + 6));
  constexpr int most_iterations = 200;
  constexpr double tolerance = 1e-9;
  DenseMatrix x = start_block(static_cast<std::size_t>(unknowns), block);
  std::vector<double> last(static_cast<std::size_t>(count), 0.0);
  VibrationModes modes;
  for (;;) {
    factor.solve(times_each_column(m, x).value, x.value, static_cast<int>(block));
    // Scaled columns keep the small problem well conditioned.
    normalize_columns(x);
    std::optional<SymmetricEigen> ritz = generalized_symmetric_eigen(
        projected(x, times_each_column(s, x)).value, projected(x, times_each_column(m, x)).value, block);
    if (!ritz)
      throw simulation_error("the vibration modes of the body cannot be computed; check its masses and material.");
    DenseMatrix rotation(block, block);
    rotation.value = std::move(ritz->vectors);
    x = product(x, rotation);  // mass-orthonormal, in the order of frequency
    bool settled = true;
    for (std::size_t k = 0; k < last.size(); ++k) {
      settled = settled && std::abs(ritz->values[k] - last[k]) <= tolerance * ritz->values[k];
      last[k] = ritz->values[k];
    }
    ++modes.iterations;
    if (settled) break;
    if (modes.iterations == most_iterations)
      throw simulation_error("the vibration modes of the body did not converge; ask for another number of modes.");
  }
  for (std::size_t j = 0; j < last.size(); ++j) {
    modes.frequency.push_back(std::sqrt(std::max(0.0, last[j])) / (2 * std::numbers::pi));
    std::vector<Vec3> shape(vertices);
    for (std::size_t f = 0; f < free.vertex.size(); ++f) {
      shape[static_cast<std::size_t>(free.vertex[f])] = {x(3 * f, j), x(3 * f + 1, j), x(3 * f + 2, j)};
    }
    modes.shape.push_back(std::move(shape));
  }
  return modes;
}

BlockMatrix lumped_mass_matrix(std::span<const double> mass) {
  BlockMatrix matrix = block_pattern(static_cast<int>(mass.size()), {}, 4);
  for (std::size_t v = 0; v < mass.size(); ++v) matrix.block[v] = Mat3::identity() * mass[v];
  return matrix;
}

BlockMatrix consistent_mass_matrix(const TetrahedralMesh& mesh, const ElementFields& fields) {
  std::vector<int> elements;
  elements.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) elements.insert(elements.end(), t.begin(), t.end());
  BlockMatrix matrix = block_pattern(static_cast<int>(mesh.positions.size()), elements, 4);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const Tetrahedron& corner = mesh.tetrahedra[t];
    const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(corner[k])]; };
    const double share = fields.mass_density(t) * fields.inside(t) * volume(x(0), x(1), x(2), x(3)) / 20;
    for (const int i : corner)
      for (const int j : corner)
        matrix.block[static_cast<std::size_t>(find_block(matrix, i, j))] +=
            Mat3::identity() * (i == j ? 2 * share : share);
  }
  return matrix;
}

}  // namespace sinew
