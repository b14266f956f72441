#include "sinew/rig/implicit/hermite_field.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/linalg/dense_cholesky.h"

namespace sinew {
namespace {

constexpr double most_cells_of_field = 40;  // of its grid, along the longest side

// With phi(y) = |y|^3:
//
//   d(x) = sum_k [ a_k phi(x - p_k) - b_k . grad phi(x - p_k) ] + c_0 + c . x,
//   d(p_i) = 0,  grad d(p_i) = n_i,  sum_k a_k = 0,  sum_k (a_k p_k + b_k) = 0.
//
// The unknowns u = (a_1, b_1, a_2, b_2, ...) solve K u + P (c_0, c) = g, P^T u = 0. K is symmetric, and positive on
// what P^T takes to zero: four reflections Q that make P upper triangular leave a positive definite system for the
// rest.
constexpr std::size_t polynomials = 4;

Vec3 cubic_gradient(const Vec3& y) { return 3 * norm(y) * y; }

Vec3 cubic_hessian_times(const Vec3& y, const Vec3& b) {
  const double length = norm(y);
  return length > 0 ? 3 * (length * b + (dot(y, b) / length) * y) : Vec3{};
}

class BorderedSystem {
 public:
  explicit BorderedSystem(const std::vector<OrientedPoint>& points)
      : n_(4 * points.size()), kernel_(n_ * n_), border_(n_ * polynomials), right_(n_) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t k = 0; k < points.size(); ++k) set_block(i, k, points[i].place - points[k].place);
      border(4 * i, 0) = 1;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        border(4 * i, 1 + axis) = points[i].place[axis];
        border(4 * i + 1 + axis, 1 + axis) = 1;
        right_[4 * i + 1 + axis] = points[i].normal[axis];
      }
    }
  }

  // u, then (c_0, c). False: singular.
  bool solve(std::vector<double>& u, std::array<double, polynomials>& c) {
    const std::vector<double> kernel = kernel_, g = right_;
    for (std::size_t k = 0; k < polynomials; ++k)
      if (!reflect(k)) return false;
    const std::size_t rest = n_ - polynomials;
    std::vector<double> inner(rest * rest);
    for (std::size_t i = 0; i < rest; ++i)
      for (std::size_t j = 0; j < rest; ++j) inner[i * rest + j] = kernel_[(i + polynomials) * n_ + j + polynomials];
    DenseCholesky factor;
    if (!factor.factor(inner, rest)) return false;
    u.assign(n_, 0);
    factor.solve(std::span<const double>(right_).subspan(polynomials), std::span(u).subspan(polynomials));
    for (std::size_t k = polynomials; k-- > 0;) apply(reflection_[k], u);
    // R c = the first rows of Q^T (g - K u).
    std::vector<double> left = g;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) left[i] -= kernel[i * n_ + j] * u[j];
    for (const std::vector<double>& v : reflection_) apply(v, left);
    for (std::size_t k = polynomials; k-- > 0;) {
      double sum = left[k];
      for (std::size_t j = k + 1; j < polynomials; ++j) sum -= border(k, j) * c[j];
      c[k] = sum / border(k, k);
    }
    return true;
  }

 private:
  double& border(std::size_t row, std::size_t column) { return border_[row * polynomials + column]; }

  // Values and gradients at point i of what point k contributes.
  void set_block(std::size_t i, std::size_t k, const Vec3& y) {
    const double length = norm(y);
    const Vec3 gradient = cubic_gradient(y);
    double* rows = kernel_.data() + 4 * i * n_ + 4 * k;
    rows[0] = length * length * length;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Vec3 unit;
      unit[axis] = 1;
      const Vec3 column = cubic_hessian_times(y, unit);
      rows[1 + axis] = -gradient[axis];
      rows[(1 + axis) * n_] = gradient[axis];
      for (std::size_t other = 0; other < 3; ++other) rows[(1 + other) * n_ + 1 + axis] = -column[other];
    }
  }

  // x - 2 v (v . x)
  static void apply(const std::vector<double>& v, std::span<double> x) {
    double along = 0;
    for (std::size_t i = 0; i < v.size(); ++i) along += v[i] * x[i];
    for (std::size_t i = 0; i < v.size(); ++i) x[i] -= 2 * along * v[i];
  }

  // The reflection that leaves column k of P with nothing below row k, applied to everything.
  bool reflect(std::size_t k) {
    std::vector<double> v(n_);
    double square = 0;
    for (std::size_t i = k; i < n_; ++i) {
      v[i] = border(i, k);
      square += v[i] * v[i];
    }
    if (!(square > 0) || !std::isfinite(square)) return false;
    v[k] += std::copysign(std::sqrt(square), v[k]);
    double length = 0;
    for (const double x : v) length += x * x;
    length = std::sqrt(length);
    for (double& x : v) x /= length;
    for (std::size_t column = k; column < polynomials; ++column) {
      double along = 0;
      for (std::size_t i = k; i < n_; ++i) along += v[i] * border(i, column);
      for (std::size_t i = k; i < n_; ++i) border(i, column) -= 2 * along * v[i];
    }
    apply(v, right_);
    // H K H = K - v w^T - w v^T with w = 2 K v - 2 (v . K v) v.
    std::vector<double> w(n_);
    double along = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) w[i] += kernel_[i * n_ + j] * v[j];
      along += v[i] * w[i];
    }
    for (std::size_t i = 0; i < n_; ++i) w[i] = 2 * w[i] - 2 * along * v[i];
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) kernel_[i * n_ + j] -= v[i] * w[j] + w[i] * v[j];
    reflection_.push_back(std::move(v));
    return true;
  }

  std::size_t n_;
  std::vector<double> kernel_, border_, right_;  // K, P and g, row by row
  std::vector<std::vector<double>> reflection_;
};

}  // namespace

std::optional<HermiteField> HermiteField::through(std::span<const OrientedPoint> points) {
  if (points.size() < polynomials) return std::nullopt;
  HermiteField field;
  for (const OrientedPoint& p : points) field.origin_ += p.place / static_cast<double>(points.size());
  field.size_ = 0;
  for (const OrientedPoint& p : points) field.size_ = std::max(field.size_, distance(p.place, field.origin_));
  if (!(field.size_ > 0) || !std::isfinite(field.size_)) return std::nullopt;
  std::vector<OrientedPoint> scaled(points.begin(), points.end());
  for (OrientedPoint& p : scaled) p.place = (p.place - field.origin_) / field.size_;

  std::vector<double> u;
  std::array<double, polynomials> c{};
  if (!BorderedSystem(scaled).solve(u, c)) return std::nullopt;
  for (const double value : u)
    if (!std::isfinite(value)) return std::nullopt;
  for (std::size_t k = 0; k < scaled.size(); ++k)
    field.centres_.push_back({scaled[k].place, u[4 * k], {u[4 * k + 1], u[4 * k + 2], u[4 * k + 3]}});
  field.constant_ = c[0];
  field.slope_ = {c[1], c[2], c[3]};
  return field;
}

FieldValue HermiteField::at(const Vec3& x) const {
  const Vec3 at = (x - origin_) / size_;
  FieldValue sum{constant_ + dot(slope_, at), slope_};
  for (const Centre& centre : centres_) {
    const Vec3 y = at - centre.place;
    const double length = norm(y);
    if (length == 0) continue;
    const double along = dot(centre.gradient, y);
    sum.value += length * (centre.value * length * length - 3 * along);
    sum.gradient += 3 * (centre.value * length * y - length * centre.gradient - (along / length) * y);
  }
  sum.value *= size_;
  return sum;
}

FieldGrid grid_of(const HermiteField& field, const Vec3& least, const Vec3& most, double cell,
                  FunctionRef<double(const Vec3&, double)> reliability, double outside) {
  const GridLayout layout = grid_over(least, most, cell, most_cells_of_field);
  return FieldGrid(layout, [&](std::size_t node) -> FieldSample {
    const Vec3 x = layout.place(node);
    FieldValue at = field.at(x);
    const double share = at.value < outside ? reliability(x, at.value) : 1;
    at.value = share * at.value + (1 - share) * std::max(at.value, outside);
    return {at, !(share < 1)};  // where the field was changed its gradient is that of differences
  });
}

}  // namespace sinew
