#include "sinew/deform/lattice/solver/held_by_multipliers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr double steps_to_come_back = 4;

// The rows scaled so that C x is as large as A x, since MINRES tests both in one residual, newtons.
SparseRows in_newtons(const SparseRows& rows, const LinearOperator& matrix) {
  const auto unknowns = 3 * static_cast<std::size_t>(rows.columns);
  std::vector<double> along(unknowns, 0.0), force(unknowns);
  for (std::size_t e = 0; e < rows.column.size(); ++e)
    for (std::size_t k = 0; k < 3; ++k) along[3 * static_cast<std::size_t>(rows.column[e]) + k] += rows.value[e];
  matrix(along, force);
  SparseRows result = rows;
  const double scale = std::sqrt(dot(force, force) / dot(along, along));
  for (double& value : result.value) value *= scale;
  return result;
}

}  // namespace

Baumgarte stabilization_of(double step) { return critically_damped(steps_to_come_back * step); }

KrylovResult solve_by_multipliers(const LinearOperator& matrix, const LinearOperator& inverse, const HeldPoints& held,
                                  std::span<const double> b, std::span<double> x, const KrylovOptions& options) {
  std::fill(x.begin(), x.end(), 0.0);
  LagrangeSystem system(in_newtons(held.rows(), matrix), inverse);
  const std::vector<Vec3> nothing(held.rows().rows());
  std::vector<Vec3> multipliers(nothing.size());
  KrylovOptions more = options;
  more.max_iterations *= 4;
  return system.solve(matrix, b, nothing, x, multipliers, more);
}

}  // namespace sinew
