#include "sinew/elastic/lagrange_constraints.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/linalg/dense_cholesky.h"
#include "sinew/linalg/dense_matrix.h"

namespace sinew {

using std::size_t;

// M^-1 on the upper part, the inverse of S = C M^-1 C^T on the lower. The parts have different units, and S gives the
// multipliers the scale of x.
struct LagrangeSystem::Preconditioner {
  LinearOperator inverse;
  DenseCholesky schur;
  size_t unknowns = 0;  // numbers of the upper part

  void operator()(std::span<const double> from, std::span<double> to) const {
    inverse(from.first(unknowns), to.first(unknowns));
    if (from.size() > unknowns) schur.solve(from.subspan(unknowns), to.subspan(unknowns));
  }
};

LagrangeSystem::LagrangeSystem(const SparseRows& values, const LinearOperator& inverse)
    : values_(values), transposed_(transpose(values)), preconditioner_(std::make_unique<Preconditioner>()) {
  const size_t unknowns = 3 * static_cast<size_t>(values.columns), count = 3 * values.rows();
  preconditioner_->inverse = inverse;
  preconditioner_->unknowns = unknowns;
  DenseMatrix schur(count, count);
  std::vector<double> column(unknowns), image(unknowns);
  for (size_t j = 0; j < count; ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    const size_t c = j / 3;
    for (auto k = static_cast<size_t>(values.start[c]); k < static_cast<size_t>(values.start[c + 1]); ++k)
      column[3 * static_cast<size_t>(values.column[k]) + j % 3] += values.value[k];
    inverse(column, image);
    multiply(values, image, schur.column(j), 3);
  }
  if (count == 0) return;
  double largest = 0;
  for (size_t j = 0; j < count; ++j) {
    for (size_t i = j; i < count; ++i) schur(i, j) = schur(j, i) = 0.5 * (schur(i, j) + schur(j, i));
    largest = std::max(largest, schur(j, j));
  }
  // Dependent constraints make S singular; this addition to the diagonal costs them a few iterations.
  for (size_t j = 0; j < count; ++j) schur(j, j) += 1e-10 * (largest > 0 ? largest : 1.0);
  if (!preconditioner_->schur.factor(schur.value, count))
    throw simulation_error("the preconditioner of a system with multipliers is not positive definite");
}

LagrangeSystem::~LagrangeSystem() = default;
LagrangeSystem::LagrangeSystem(LagrangeSystem&&) noexcept = default;
LagrangeSystem& LagrangeSystem::operator=(LagrangeSystem&&) noexcept = default;

KrylovResult LagrangeSystem::solve(const LinearOperator& matrix, std::span<const double> b, std::span<const Vec3> c,
                                   std::span<double> x, std::span<Vec3> multipliers, const KrylovOptions& options) {
  const size_t unknowns = 3 * static_cast<size_t>(values_.columns), rows = values_.rows();
  if (b.size() != unknowns || x.size() != unknowns || c.size() != rows || multipliers.size() != rows)
    throw usage_error("a system of " + std::to_string(unknowns) + " unknowns and " + std::to_string(rows) +
                      " constraints has sides of other lengths; give three numbers per function and a vector per "
                      "constraint.");
  right_.resize(unknowns + 3 * rows);
  unknown_.resize(right_.size());
  reaction_.resize(unknowns);
  std::copy(b.begin(), b.end(), right_.begin());
  std::copy(x.begin(), x.end(), unknown_.begin());
  for (size_t k = 0; k < rows; ++k)
    for (size_t i = 0; i < 3; ++i) {
      right_[unknowns + 3 * k + i] = c[k][i];
      unknown_[unknowns + 3 * k + i] = multipliers[k][i];
    }
  const LinearOperator system = [&](std::span<const double> from, std::span<double> to) {
    matrix(from.first(unknowns), to.first(unknowns));
    multiply(transposed_, from.subspan(unknowns), reaction_, 3);
    for (size_t i = 0; i < unknowns; ++i) to[i] += reaction_[i];
    multiply(values_, from.first(unknowns), to.subspan(unknowns), 3);
  };
  const LinearOperator preconditioner = [&](std::span<const double> from, std::span<double> to) {
    (*preconditioner_)(from, to);
  };
  const KrylovResult result = minres_.solve(system, preconditioner, right_, unknown_, options);
  std::copy_n(unknown_.begin(), unknowns, x.begin());
  for (size_t k = 0; k < rows; ++k)
    for (size_t i = 0; i < 3; ++i) multipliers[k][i] = unknown_[unknowns + 3 * k + i];
  return result;
}

}  // namespace sinew
