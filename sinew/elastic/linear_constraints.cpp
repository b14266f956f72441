#include "sinew/elastic/linear_constraints.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/linalg/dense_cholesky.h"
#include "sinew/linalg/dense_matrix.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

using std::size_t;

// B B^T of a matrix of `rows` x `columns` by rows; its lower triangle.
std::vector<double> gram(std::span<const double> b, size_t rows, size_t columns) {
  std::vector<double> result(rows * rows, 0.0);
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (size_t k = 0; k < columns; ++k) sum += b[i * columns + k] * b[j * columns + k];
      result[i * rows + j] = sum;
    }
  return result;
}

// y = B^T x for B of `rows` x `columns` by rows.
void multiply_transposed(std::span<const double> b, size_t columns, std::span<const double> x, std::span<double> y) {
  std::fill(y.begin(), y.end(), 0.0);
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t k = 0; k < columns; ++k) y[k] += b[i * columns + k] * x[i];
}

// Orthonormalises `columns`, of `length` numbers each, by modified Gram-Schmidt, twice, and applies the same operations
// to the columns of `along`, of `other_length`: columns R^-1 and along R^-1.
void orthonormalize(std::span<double> columns, size_t length, std::span<double> along, size_t other_length) {
  const size_t count = length > 0 ? columns.size() / length : 0;
  for (size_t k = 0; k < count; ++k) {
    double* v = &columns[k * length];
    double* a = &along[k * other_length];
    for (int pass = 0; pass < 2; ++pass)
      for (size_t l = 0; l < k; ++l) {
        double share = 0;
        for (size_t i = 0; i < length; ++i) share += columns[l * length + i] * v[i];
        for (size_t i = 0; i < length; ++i) v[i] -= share * columns[l * length + i];
        for (size_t i = 0; i < other_length; ++i) a[i] -= share * along[l * other_length + i];
      }
    double squared = 0;
    for (size_t i = 0; i < length; ++i) squared += v[i] * v[i];
    const double scale = 1 / std::sqrt(squared);
    for (size_t i = 0; i < length; ++i) v[i] *= scale;
    for (size_t i = 0; i < other_length; ++i) a[i] *= scale;
  }
}

}  // namespace

LinearConstraints::LinearConstraints(const SparseRows& values, std::span<const double> weights, double independence,
                                     std::span<const double> inertia, size_t most_directions)
    : functions_(values.columns), values_(values), touched_(values.column) {
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  if (!touched_.empty() && (touched_.front() < 0 || touched_.back() >= functions_))
    throw usage_error("a constraint has a value of a function that does not exist; there are " +
                      std::to_string(functions_) + " functions.");
  const size_t n = touched_.size(), count = values.rows();
  check(weights.empty() ? count : weights.size(), inertia.empty() ? static_cast<size_t>(functions_) : inertia.size());
  for (const int column : values.column)
    place_.push_back(static_cast<int>(std::lower_bound(touched_.begin(), touched_.end(), column) - touched_.begin()));

  // W^1/2 C^T, a row per constraint; the same times D^-1/2, and that one's transpose.
  std::vector<double> plain(count * n, 0.0), rows(plain), columns(plain), root(count, 1.0);
  for (size_t c = 0; c < count; ++c) {
    if (!weights.empty()) root[c] = std::sqrt(weights[c]);
    for (auto k = static_cast<size_t>(values.start[c]); k < static_cast<size_t>(values.start[c + 1]); ++k) {
      const double entry = root[c] * values.value[k];
      const double scaled = inertia.empty() ? entry : entry / std::sqrt(inertia[static_cast<size_t>(values.column[k])]);
      if (!std::isfinite(scaled))
        throw simulation_error("constraint " + std::to_string(c) +
                               " has values of basis functions that are not finite.");
      const auto i = static_cast<size_t>(place_[k]);
      plain[c * n + i] += entry;
      rows[c * n + i] += scaled;
      columns[i * count + c] += scaled;
    }
  }
  // U S from the smaller of B B^T and B^T B, where B = U S V^T; the scale of a direction is irrelevant.
  const bool fewer_points = count < n;
  const SymmetricEigen eigen =
      fewer_points ? symmetric_eigen(gram(rows, count, n), count) : symmetric_eigen(gram(columns, n, count), n);
  std::vector<double> combination(count), column(n);
  for (size_t k = 0; k < std::min(eigen.values.size(), most_directions); ++k) {
    if (!(eigen.values[k] > independence * independence * eigen.values.front())) break;
    if (fewer_points)
      std::copy(eigen.vector(k).begin(), eigen.vector(k).end(), combination.begin());
    else
      multiply_transposed(columns, count, eigen.vector(k), combination);
    multiply_transposed(plain, n, combination, column);
    orthonormal_.insert(orthonormal_.end(), column.begin(), column.end());
    for (size_t c = 0; c < count; ++c) solve_.push_back(root[c] * combination[c]);
  }
  orthonormalize(orthonormal_, n, solve_, count);
}

void LinearConstraints::check(size_t constraints, size_t functions) const {
  if (constraints != values_.rows())
    throw usage_error("there are " + std::to_string(constraints) + " right-hand sides for " +
                      std::to_string(values_.rows()) + " constraints; give one per constraint.");
  if (functions != static_cast<size_t>(functions_))
    throw usage_error("constraints of " + std::to_string(functions_) + " functions need a vector for each, not " +
                      std::to_string(functions) + " of them.");
}

// touched += Q R^-T U^T W^1/2 (a - C^T touched)
void LinearConstraints::add_least_change(std::span<const Vec3> a, std::span<Vec3> touched) const {
  const size_t n = touched_.size(), count = values_.rows();
  ScratchVector<Vec3> missing(a.begin(), a.end());
  for (size_t c = 0; c < count; ++c)
    for (auto k = static_cast<size_t>(values_.start[c]); k < static_cast<size_t>(values_.start[c + 1]); ++k)
      missing[c] -= values_.value[k] * touched[static_cast<size_t>(place_[k])];
  for (size_t k = 0; k < rank(); ++k) {
    Vec3 along;
    for (size_t c = 0; c < count; ++c) along += solve_[k * count + c] * missing[c];
    for (size_t i = 0; i < n; ++i) touched[i] += orthonormal_[k * n + i] * along;
  }
}

void LinearConstraints::meet(std::span<const Vec3> a, std::span<Vec3> dv) const {
  check(a.size(), dv.size());
  ScratchVector<Vec3> touched(touched_.size());
  for (size_t i = 0; i < touched.size(); ++i) touched[i] = dv[static_cast<size_t>(touched_[i])];
  // The second pass corrects the rounding errors of the first.
  for (int pass = 0; pass < 2; ++pass) add_least_change(a, touched);
  for (size_t i = 0; i < touched.size(); ++i) dv[static_cast<size_t>(touched_[i])] = touched[i];
}

void LinearConstraints::meet(std::span<const Vec3> a, std::span<double> dv) const {
  ScratchVector<Vec3> vectors(dv.size() / 3);
  for (size_t i = 0; i < vectors.size(); ++i) vectors[i] = {dv[3 * i], dv[3 * i + 1], dv[3 * i + 2]};
  meet(a, std::span<Vec3>(vectors));
  for (size_t i = 0; i < vectors.size(); ++i)
    for (size_t c = 0; c < 3; ++c) dv[3 * i + c] = vectors[i][c];
}

std::vector<Vec3> LinearConstraints::left_over(std::span<const Vec3> a) const {
  std::vector<Vec3> dv(static_cast<size_t>(functions_)), result(a.begin(), a.end());
  meet(a, dv);
  for (size_t c = 0; c < result.size(); ++c) result[c] -= row_times(values_, c, dv);
  return result;
}

void LinearConstraints::project(std::span<const double> from, std::span<double> to) const {
  check(values_.rows(), from.size() / 3);
  std::copy(from.begin(), from.end(), to.begin());
  const size_t n = touched_.size();
  ScratchVector<Vec3> touched(n);
  for (size_t i = 0; i < n; ++i) {
    const size_t at = 3 * static_cast<size_t>(touched_[i]);
    touched[i] = {from[at], from[at + 1], from[at + 2]};
  }
  for (size_t k = 0; k < rank(); ++k) {
    const double* q = orthonormal_.data() + k * n;
    Vec3 along;
    for (size_t i = 0; i < n; ++i) along += q[i] * touched[i];
    for (size_t i = 0; i < n; ++i) touched[i] -= q[i] * along;
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t c = 0; c < 3; ++c) to[3 * static_cast<size_t>(touched_[i]) + c] = touched[i][c];
}

LinearOperator LinearConstraints::projection() const {
  return [this](std::span<const double> from, std::span<double> to) { project(from, to); };
}

double LinearConstraints::squared_free_part(std::span<const int> functions, std::span<const double> values) const {
  const size_t n = touched_.size();
  ScratchVector<std::pair<size_t, double>> entries;  // place in touched_ and value
  double squared = 0;
  for (size_t e = 0; e < functions.size(); ++e) {
    squared += values[e] * values[e];
    const auto found = std::lower_bound(touched_.begin(), touched_.end(), functions[e]);
    if (found != touched_.end() && *found == functions[e])
      entries.emplace_back(static_cast<size_t>(found - touched_.begin()), values[e]);
  }
  for (size_t k = 0; k < rank() && !entries.empty(); ++k) {
    double along = 0;
    for (const auto& [place, value] : entries) along += orthonormal_[k * n + place] * value;
    squared -= along * along;
  }
  return std::max(squared, 0.0);
}

std::vector<Vec3> LinearConstraints::at_points(std::span<const double> v) const {
  check(values_.rows(), v.size() / 3);
  std::vector<double> numbers(3 * values_.rows());
  multiply(values_, v, numbers, 3);
  std::vector<Vec3> result(values_.rows());
  for (size_t c = 0; c < result.size(); ++c) result[c] = {numbers[3 * c], numbers[3 * c + 1], numbers[3 * c + 2]};
  return result;
}

std::vector<std::vector<double>> LinearConstraints::orthonormal_columns() const {
  std::vector<std::vector<double>> columns(rank(), std::vector<double>(static_cast<size_t>(functions_), 0.0));
  for (size_t k = 0; k < columns.size(); ++k)
    for (size_t i = 0; i < touched_.size(); ++i)
      columns[k][static_cast<size_t>(touched_[i])] = orthonormal_[k * touched_.size() + i];
  return columns;
}

SparseRows LinearConstraints::independent_rows() const {
  SparseRows rows;
  rows.columns = functions_;
  for (size_t k = 0; k < rank(); ++k) {
    rows.column.insert(rows.column.end(), touched_.begin(), touched_.end());
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }
  rows.value = orthonormal_;
  return rows;
}

double largest_singular_value(const SparseRows& rows, std::span<const double> weights, std::span<const double> inertia,
                              size_t begin, size_t end) {
  constexpr int iterations = 30;
  // Power iteration on D^-1/2 C W C^T D^-1/2, from the sum of all rows: values of functions are mostly of one sign.
  std::vector<double> v(static_cast<size_t>(rows.columns), 0.0), next(v);
  std::vector<double> weight(end - begin, 1.0);
  for (size_t c = begin; c < end && !weights.empty(); ++c) weight[c - begin] = weights[c];
  std::vector<double> share(v.size(), 1.0);
  for (size_t i = 0; i < share.size() && !inertia.empty(); ++i) share[i] = 1 / std::sqrt(inertia[i]);
  const auto entries = [&](size_t c, auto&& visit) {
    for (auto k = static_cast<size_t>(rows.start[c]); k < static_cast<size_t>(rows.start[c + 1]); ++k)
      visit(static_cast<size_t>(rows.column[k]), rows.value[k] * share[static_cast<size_t>(rows.column[k])]);
  };
  for (size_t c = begin; c < end; ++c)
    entries(c, [&](size_t i, double value) { v[i] += weight[c - begin] * std::abs(value); });
  double value = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double squared = 0;
    for (const double x : v) squared += x * x;
    if (!(squared > 0)) return 0;
    for (double& x : v) x /= std::sqrt(squared);
    std::fill(next.begin(), next.end(), 0.0);
    for (size_t c = begin; c < end; ++c) {
      double along = 0;
      entries(c, [&](size_t i, double entry) { along += entry * v[i]; });
      entries(c, [&](size_t i, double entry) { next[i] += weight[c - begin] * along * entry; });
    }
    value = 0;
    for (size_t i = 0; i < v.size(); ++i) value += v[i] * next[i];
    v.swap(next);
  }
  return std::sqrt(value);
}

LinearOperator constrained_preconditioner(const LinearOperator& inverse, const LinearConstraints& constraints) {
  struct State {
    LinearOperator inverse;
    DenseMatrix reduced;  // M^-1 Q, a column per kept constraint and coordinate
    DenseCholesky schur;  // of Q^T M^-1 Q
  };
  const std::vector<std::vector<double>> columns = constraints.orthonormal_columns();
  const size_t size = 3 * static_cast<size_t>(constraints.functions()), count = 3 * columns.size();
  if (count == 0) return inverse;
  auto state = std::make_shared<State>();
  state->inverse = inverse;
  state->reduced = DenseMatrix(size, count);
  DenseMatrix schur(count, count);
  std::vector<double> unit(size);
  for (size_t j = 0; j < count; ++j) {
    const std::vector<double>& column = columns[j / 3];
    std::fill(unit.begin(), unit.end(), 0.0);
    for (size_t i = 0; i < column.size(); ++i) unit[3 * i + j % 3] = column[i];
    inverse(unit, state->reduced.column(j));
  }
  // Q^T M^-1 Q for each coordinate of the rows.
  DenseMatrix held(columns.front().size(), columns.size()), moved(held.rows, count);
  for (size_t q = 0; q < columns.size(); ++q) std::copy(columns[q].begin(), columns[q].end(), held.column(q).begin());
  for (size_t c = 0; c < 3; ++c) {
    for (size_t j = 0; j < count; ++j)
      for (size_t i = 0; i < held.rows; ++i) moved(i, j) = state->reduced(3 * i + c, j);
    const DenseMatrix part = transposed_product(held, moved);
    for (size_t j = 0; j < count; ++j)
      for (size_t q = 0; q < columns.size(); ++q) schur(3 * q + c, j) = part(q, j);
  }
  for (size_t j = 0; j < count; ++j)
    for (size_t i = 0; i < j; ++i) schur(i, j) = schur(j, i) = 0.5 * (schur(i, j) + schur(j, i));
  if (!state->schur.factor(schur.value, count))
    throw simulation_error("the preconditioner of a constrained system is not positive definite");
  return [state](std::span<const double> from, std::span<double> to) {
    state->inverse(from, to);
    // - M^-1 Q (Q^T M^-1 Q)^-1 (M^-1 Q)^T
    const DenseMatrix& reduced = state->reduced;
    ScratchVector<double> along(reduced.columns);
    for (size_t j = 0; j < along.size(); ++j) along[j] = dot(reduced.column(j), from);
    state->schur.solve(along, along);
    for (size_t j = 0; j < along.size(); ++j) add_scaled(-along[j], reduced.column(j), to);
  };
}

}  // namespace sinew
