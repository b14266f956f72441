#include "sinew/elastic/vibration_modes.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/elastic/free_vertices.h"
#include "sinew/linalg/cholesky.h"

namespace sinew {
namespace {

std::span<double> column(Eigen::MatrixXd& matrix, Eigen::Index j) {
  return {matrix.col(j).data(), static_cast<std::size_t>(matrix.rows())};
}

Eigen::MatrixXd product(const BlockMatrix& matrix, Eigen::MatrixXd& x) {
  Eigen::MatrixXd y(x.rows(), x.cols());
  for (Eigen::Index j = 0; j < x.cols(); ++j) multiply(matrix, column(x, j), column(y, j));
  return y;
}

// Numbers without pattern in [-1, 1], the same in every run (Weyl sequence).
Eigen::MatrixXd start_block(Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd x(rows, columns);
  std::uint64_t state = 0;
  for (Eigen::Index j = 0; j < columns; ++j)
    for (Eigen::Index i = 0; i < rows; ++i) {
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
  const Eigen::Index unknowns = 3 * free.count();
  if (mass.rows != stiffness.rows || count < 1 || count > unknowns)
    throw usage_error("vibration modes need a mass for each vertex and at most as many modes as free unknowns.");
  const BlockMatrix s = principal_submatrix(stiffness, free.number, free.count());
  const BlockMatrix m = principal_submatrix(mass, free.number, free.count());
  BlockCholesky factor;
  factor.analyze(s);
  factor.factor(s);

  // Vectors beyond those wanted make the wanted ones converge: the rate is (f_count / f_block+1)^2.
  const Eigen::Index block = std::min<Eigen::Index>(unknowns, 2 * count + 6);
  constexpr int most_iterations = 200;
  constexpr double tolerance = 1e-9;
  Eigen::MatrixXd x = start_block(unknowns, block);
  Eigen::VectorXd last = Eigen::VectorXd::Zero(count);
  VibrationModes modes;
  for (;;) {
    Eigen::MatrixXd right = product(m, x);
    factor.solve({right.data(), static_cast<std::size_t>(right.size())}, {x.data(), static_cast<std::size_t>(x.size())},
                 static_cast<int>(block));
    // Scaled columns keep the small problem well conditioned.
    for (Eigen::Index j = 0; j < block; ++j) x.col(j).normalize();
    const Eigen::MatrixXd sx = product(s, x), mx = product(m, x);
    Eigen::MatrixXd small_s = x.transpose() * sx, small_m = x.transpose() * mx;
    small_s = (small_s + small_s.transpose()).eval() / 2;
    small_m = (small_m + small_m.transpose()).eval() / 2;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> ritz(small_s, small_m);
    if (ritz.info() != Eigen::Success || !ritz.eigenvalues().allFinite())
      throw simulation_error("the vibration modes of the body cannot be computed; check its masses and material.");
    x = (x * ritz.eigenvectors()).eval();  // mass-orthonormal, in the order of frequency
    const Eigen::VectorXd change = ritz.eigenvalues().head(count) - last;
    last += change;
    ++modes.iterations;
    if ((change.array().abs() <= tolerance * last.array()).all()) break;
    if (modes.iterations == most_iterations)
      throw simulation_error("the vibration modes of the body did not converge; ask for another number of modes.");
  }
  for (Eigen::Index j = 0; j < count; ++j) {
    modes.frequency.push_back(std::sqrt(std::max(0.0, last(j))) / (2 * std::numbers::pi));
    std::vector<Vec3> shape(vertices);
    for (std::size_t f = 0; f < free.vertex.size(); ++f) {
      const auto row = static_cast<Eigen::Index>(3 * f);
      shape[static_cast<std::size_t>(free.vertex[f])] = {x(row, j), x(row + 1, j), x(row + 2, j)};
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
    const double fill = fields.inside_fraction.empty() ? 1 : fields.inside_fraction[t];
    const double share = fields.material.density * fill * volume(x(0), x(1), x(2), x(3)) / 20;
    for (const int i : corner)
      for (const int j : corner)
        matrix.block[static_cast<std::size_t>(find_block(matrix, i, j))] +=
            Mat3::identity() * (i == j ? 2 * share : share);
  }
  return matrix;
}

}  // namespace sinew
