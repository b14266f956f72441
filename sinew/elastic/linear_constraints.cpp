#include "sinew/elastic/linear_constraints.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

using std::size_t;

double norm_of(std::span<const double> v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

// Subtracts from `column` its parts along `count` orthonormal columns, adding them to `share`, one after the other.
void orthogonalize_once(const std::vector<double>& orthonormal, size_t count, std::span<double> column,
                        std::vector<double>& share) {
  const size_t n = column.size();
  for (size_t k = 0; k < count; ++k) {
    const double* q = orthonormal.data() + k * n;
    double along = 0;
    for (size_t i = 0; i < n; ++i) along += q[i] * column[i];
    for (size_t i = 0; i < n; ++i) column[i] -= along * q[i];
    share[k] += along;
  }
}

}  // namespace

LinearConstraints::LinearConstraints(const SparseRows& values, double independence)
    : functions_(values.columns), values_(values) {
  touched_ = values.column;
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  if (!touched_.empty() && (touched_.front() < 0 || touched_.back() >= functions_))
    throw usage_error("a constraint has a value of a function that does not exist; there are " +
                      std::to_string(functions_) + " functions.");
  const size_t n = touched_.size();
  std::vector<double> column(n), share;
  for (size_t c = 0; c < values.rows(); ++c) {
    std::fill(column.begin(), column.end(), 0.0);
    for (auto k = static_cast<size_t>(values.start[c]); k < static_cast<size_t>(values.start[c + 1]); ++k) {
      const auto place = std::lower_bound(touched_.begin(), touched_.end(), values.column[k]) - touched_.begin();
      column[static_cast<size_t>(place)] += values.value[k];
    }
    const double length = norm_of(column);
    if (!std::isfinite(length))
      throw simulation_error("constraint " + std::to_string(c) + " has values of basis functions that are not finite.");
    // Modified Gram-Schmidt, twice: what the first pass leaves is orthogonal to rounding of the whole column only.
    share.assign(kept_.size(), 0.0);
    for (int pass = 0; pass < 2; ++pass) orthogonalize_once(orthonormal_, kept_.size(), column, share);
    const double left = norm_of(column);
    if (!(left > independence * length)) {
      dependent_.push_back({static_cast<int>(c), share});
      continue;
    }
    for (double& x : column) x /= left;
    orthonormal_.insert(orthonormal_.end(), column.begin(), column.end());
    triangle_.insert(triangle_.end(), share.begin(), share.end());
    triangle_.push_back(left);
    kept_.push_back(static_cast<int>(c));
  }
}

void LinearConstraints::check(size_t constraints, size_t functions) const {
  if (constraints != values_.rows())
    throw usage_error("there are " + std::to_string(constraints) + " right-hand sides for " +
                      std::to_string(values_.rows()) + " constraints; give one per constraint.");
  if (functions != static_cast<size_t>(functions_))
    throw usage_error("constraints of " + std::to_string(functions_) + " functions need a vector for each, not " +
                      std::to_string(functions) + " of them.");
}

std::vector<Vec3> LinearConstraints::orthonormal_values(std::span<const Vec3> a) const {
  std::vector<Vec3> b(kept_.size());
  for (size_t k = 0; k < b.size(); ++k) {
    b[k] = a[static_cast<size_t>(kept_[k])];
    for (size_t l = 0; l < k; ++l) b[k] -= b[l] * r(l, k);
    b[k] = b[k] / r(k, k);
  }
  return b;
}

std::vector<ConstraintConflict> LinearConstraints::conflicts(std::span<const Vec3> a, double tolerance) const {
  check(a.size(), static_cast<size_t>(functions_));
  const std::vector<Vec3> b = orthonormal_values(a);
  std::vector<ConstraintConflict> result;
  for (const Dependent& dependent : dependent_) {
    const Vec3& wanted = a[static_cast<size_t>(dependent.constraint)];
    Vec3 decided;
    double terms = norm(wanted);
    for (size_t k = 0; k < dependent.share.size(); ++k) {
      decided += b[k] * dependent.share[k];
      terms += norm(b[k]) * std::abs(dependent.share[k]);
    }
    constexpr double relative = 1e-6;  // what a column may be off the span of the others is of this order
    const double gap = norm(wanted - decided);
    if (gap <= tolerance + relative * terms) continue;
    // Its column is a combination y of the kept constraints' columns, R y = share.
    std::vector<double> y = dependent.share;
    double largest = 0;
    for (size_t k = y.size(); k-- > 0;) {
      for (size_t l = k + 1; l < y.size(); ++l) y[k] -= r(k, l) * y[l];
      y[k] /= r(k, k);
      largest = std::max(largest, std::abs(y[k]));
    }
    ConstraintConflict conflict{dependent.constraint, {}, gap};
    for (size_t k = 0; k < y.size(); ++k)
      if (std::abs(y[k]) > relative * largest) conflict.with.push_back(kept_[k]);
    result.push_back(std::move(conflict));
  }
  return result;
}

// touched += Q R^-T (a - C^T touched)
void LinearConstraints::add_least_change(std::span<const Vec3> a, std::span<Vec3> touched) const {
  const size_t n = touched_.size();
  std::vector<Vec3> missing(a.begin(), a.end());
  for (const int kept : kept_) {
    const auto c = static_cast<size_t>(kept);
    for (auto k = static_cast<size_t>(values_.start[c]); k < static_cast<size_t>(values_.start[c + 1]); ++k) {
      const auto place = std::lower_bound(touched_.begin(), touched_.end(), values_.column[k]) - touched_.begin();
      missing[c] -= values_.value[k] * touched[static_cast<size_t>(place)];
    }
  }
  const std::vector<Vec3> b = orthonormal_values(missing);
  for (size_t k = 0; k < b.size(); ++k)
    for (size_t i = 0; i < n; ++i) touched[i] += b[k] * orthonormal_[k * n + i];
}

void LinearConstraints::meet(std::span<const Vec3> a, std::span<Vec3> dv) const {
  check(a.size(), dv.size());
  std::vector<Vec3> touched(touched_.size());
  for (size_t i = 0; i < touched.size(); ++i) touched[i] = dv[static_cast<size_t>(touched_[i])];
  // The second change takes off what rounding left of the first.
  for (int pass = 0; pass < 2; ++pass) add_least_change(a, touched);
  for (size_t i = 0; i < touched.size(); ++i) dv[static_cast<size_t>(touched_[i])] = touched[i];
}

void LinearConstraints::meet(std::span<const Vec3> a, std::span<double> dv) const {
  std::vector<Vec3> vectors(dv.size() / 3);
  for (size_t i = 0; i < vectors.size(); ++i) vectors[i] = {dv[3 * i], dv[3 * i + 1], dv[3 * i + 2]};
  meet(a, std::span<Vec3>(vectors));
  for (size_t i = 0; i < vectors.size(); ++i)
    for (size_t c = 0; c < 3; ++c) dv[3 * i + c] = vectors[i][c];
}

void LinearConstraints::project(std::span<const double> from, std::span<double> to) const {
  check(values_.rows(), from.size() / 3);
  std::copy(from.begin(), from.end(), to.begin());
  const size_t n = touched_.size();
  std::vector<Vec3> touched(n);
  for (size_t i = 0; i < n; ++i) {
    const size_t at = 3 * static_cast<size_t>(touched_[i]);
    touched[i] = {from[at], from[at + 1], from[at + 2]};
  }
  for (size_t k = 0; k < kept_.size(); ++k) {
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

std::vector<Vec3> LinearConstraints::at_points(std::span<const double> v) const {
  check(values_.rows(), v.size() / 3);
  std::vector<double> numbers(3 * values_.rows());
  multiply(values_, v, numbers, 3);
  std::vector<Vec3> result(values_.rows());
  for (size_t c = 0; c < result.size(); ++c) result[c] = {numbers[3 * c], numbers[3 * c + 1], numbers[3 * c + 2]};
  return result;
}

std::vector<std::vector<double>> LinearConstraints::orthonormal_columns() const {
  std::vector<std::vector<double>> columns(kept_.size(), std::vector<double>(static_cast<size_t>(functions_), 0.0));
  for (size_t k = 0; k < columns.size(); ++k)
    for (size_t i = 0; i < touched_.size(); ++i)
      columns[k][static_cast<size_t>(touched_[i])] = orthonormal_[k * touched_.size() + i];
  return columns;
}

std::string conflict_sentence(std::span<const ConstraintConflict> conflicts, std::span<const std::string> names) {
  std::string sentence;
  for (const ConstraintConflict& conflict : conflicts) {
    sentence += sentence.empty() ? "constraint \"" : "; constraint \"";
    sentence += names[static_cast<size_t>(conflict.constraint)];
    if (conflict.with.empty()) {
      sentence += "\" holds a point that nothing free moves";
    } else {
      sentence += "\" contradicts ";
      for (size_t k = 0; k < conflict.with.size(); ++k) {
        sentence += k == 0 ? "\"" : k + 1 == conflict.with.size() ? " and \"" : ", \"";
        sentence += names[static_cast<size_t>(conflict.with[k])] + "\"";
      }
    }
    sentence += " and is dropped";
  }
  return sentence.empty() ? sentence : sentence + ".";
}

LinearOperator constrained_preconditioner(const LinearOperator& inverse, const LinearConstraints& constraints) {
  using Matrix = Eigen::MatrixXd;
  struct State {
    LinearOperator inverse;
    Matrix reduced;             // M^-1 Q, a column per kept constraint and coordinate
    Eigen::LDLT<Matrix> schur;  // of Q^T M^-1 Q
  };
  const std::vector<std::vector<double>> columns = constraints.orthonormal_columns();
  const auto size = static_cast<Eigen::Index>(3 * constraints.functions());
  const auto count = static_cast<Eigen::Index>(3 * columns.size());
  if (count == 0) return inverse;
  auto state = std::make_shared<State>();
  state->inverse = inverse;
  state->reduced.resize(size, count);
  Matrix schur(count, count);
  std::vector<double> unit(static_cast<size_t>(size));
  for (Eigen::Index j = 0; j < count; ++j) {
    const std::vector<double>& column = columns[static_cast<size_t>(j / 3)];
    std::fill(unit.begin(), unit.end(), 0.0);
    for (size_t i = 0; i < column.size(); ++i) unit[3 * i + static_cast<size_t>(j % 3)] = column[i];
    inverse(unit, {state->reduced.col(j).data(), unit.size()});
  }
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < count; ++j) {
      const std::vector<double>& column = columns[static_cast<size_t>(i / 3)];
      double sum = 0;
      for (size_t k = 0; k < column.size(); ++k)
        sum += column[k] * state->reduced(static_cast<Eigen::Index>(3 * k) + i % 3, j);
      schur(i, j) = sum;
    }
  state->schur.compute(0.5 * (schur + schur.transpose()));
  if (state->schur.info() != Eigen::Success || !(state->schur.vectorD().minCoeff() > 0))
    throw simulation_error("the preconditioner of a constrained system is not positive definite");
  return [state](std::span<const double> from, std::span<double> to) {
    state->inverse(from, to);
    const Eigen::Map<const Eigen::VectorXd> right(from.data(), static_cast<Eigen::Index>(from.size()));
    Eigen::Map<Eigen::VectorXd> result(to.data(), static_cast<Eigen::Index>(to.size()));
    result -= state->reduced * state->schur.solve(state->reduced.transpose() * right);
  };
}

}  // namespace sinew
