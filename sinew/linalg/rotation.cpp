#include "sinew/linalg/rotation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// A power of two near the largest entry, zero where all are below 2^-1000, not finite where one is not.
double magnitude(const Mat3& a) {
  double largest = 0;
  for (const double v : a.m) {
    if (!std::isfinite(v)) return std::numeric_limits<double>::quiet_NaN();
    largest = std::max(largest, std::abs(v));
  }
  return largest > 0x1p-1000 ? std::ldexp(1.0, std::ilogb(largest)) : 0;
}

// Twice the axial vector: what the antisymmetric part of m multiplies a cross product by.
Vec3 axial(const Mat3& m) { return {m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)}; }

Mat3 symmetric_part(const Mat3& m) { return (m + transpose(m)) * 0.5; }

// trace(s) I - s
Mat3 gap_matrix(const Mat3& s) { return Mat3::identity() * trace(s) - s; }

struct ColumnJacobi {
  Vec3 b[3];  // columns of a v
  Vec3 v[3];

  // Rotates columns p and q until they are orthogonal; false where they were.
  bool rotate(int p, int q) {
    const double alpha = squared_norm(b[p]), beta = squared_norm(b[q]), gamma = dot(b[p], b[q]);
    if (!(std::abs(gamma) > 2 * std::numeric_limits<double>::epsilon() * std::sqrt(alpha) * std::sqrt(beta)))
      return false;
    const double zeta = (beta - alpha) / (2 * gamma);
    // The smaller root, without overflow for columns of very different length.
    const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::hypot(1.0, zeta));
    const double c = 1 / std::sqrt(1 + t * t), s = c * t;
    for (Vec3* columns : {b, v}) {
      const Vec3 old = columns[p];
      columns[p] = c * old - s * columns[q];
      columns[q] = s * old + c * columns[q];
    }
    return true;
  }

  // Swaps two columns; the sign keeps v a rotation.
  void order(int p, int q) {
    if (squared_norm(b[p]) >= squared_norm(b[q])) return;
    for (Vec3* columns : {b, v}) {
      std::swap(columns[p], columns[q]);
      columns[p] = -columns[p];
    }
  }
};

}  // namespace

SignedSvd signed_svd(const Mat3& a) {
  const double scale = magnitude(a);
  if (scale == 0) return {Mat3::identity(), {0, 0, 0}, Mat3::identity()};
  const Mat3 scaled = a * (1 / scale);
  ColumnJacobi jacobi;
  for (std::size_t i = 0; i < 3; ++i) {
    jacobi.b[i] = scaled.column(i);
    jacobi.v[i] = Mat3::identity().column(i);
  }
  constexpr int most_sweeps = 20;  // six are enough in practice: convergence is quadratic
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    const bool first = jacobi.rotate(0, 1), second = jacobi.rotate(0, 2), third = jacobi.rotate(1, 2);
    if (!first && !second && !third) break;
  }
  jacobi.order(0, 1);
  jacobi.order(0, 2);
  jacobi.order(1, 2);

  const Vec3* b = jacobi.b;
  const Vec3 u0 = normalized(b[0]);
  const Vec3 rest = b[1] - dot(u0, b[1]) * u0;
  constexpr double negligible = 0x1p-500;  // its square is still a normal number
  const Vec3 u1 = norm(rest) > negligible ? normalized(rest - dot(u0, rest) * u0) : any_perpendicular(u0);
  const Vec3 u2 = cross(u0, u1);
  const Vec3 sigma{norm(b[0]), dot(u1, b[1]), dot(u2, b[2])};
  return {Mat3::from_columns(u0, u1, u2), sigma * scale, Mat3::from_columns(jacobi.v[0], jacobi.v[1], jacobi.v[2])};
}

Mat3 closest_rotation(const Mat3& a) { return to_matrix(closest_rotation(a, Quat{})); }

Transform to_transform(const Affine& a) {
  const double sign = determinant(a.linear) < 0 ? -1 : 1;
  const Mat3& m = a.linear;
  return {a.translation, closest_rotation(m * sign, Quat{}),
          sign * Vec3{norm(m.column(0)), norm(m.column(1)), norm(m.column(2))}};
}

Quat closest_rotation(const Mat3& a, const Quat& guess) {
  const double scale = magnitude(a);
  if (scale == 0) return {};
  if (std::isnan(scale)) return {scale, scale, scale, scale};
  const Mat3 scaled = a * (1 / scale);
  // Newton's method on trace(r^T a): with m = r^T a, gradient axial(m), Hessian -gap_matrix(sym m).
  // A stationary point whose gap matrix is positive definite is the one maximum.
  constexpr int most_steps = 12;
  constexpr double smallest_minor = 1e-5;
  Quat q = normalized(guess);
  for (int step = 0; step < most_steps; ++step) {
    const Mat3 m = transpose(to_matrix(q)) * scaled;
    const Mat3 gap = gap_matrix(symmetric_part(m));
    const double minor = gap(0, 0) * gap(1, 1) - gap(0, 1) * gap(1, 0);
    if (!(gap(0, 0) > smallest_minor && minor > smallest_minor && determinant(gap) > smallest_minor)) break;
    const Vec3 w = inverse(gap) * axial(m);
    q = normalized(q * Quat{w.x / 2, w.y / 2, w.z / 2, 1});
    // At the maximum the third derivative vanishes along every direction (m is symmetric there), so that the error
    // after a step is of the order of its cube.
    if (squared_norm(w) < 1e-11) return q;
  }
  const SignedSvd svd = signed_svd(scaled);
  return to_quaternion(svd.u * transpose(svd.v));
}

Mat3 RotationDerivative::operator()(const Mat3& da) const {
  return rotation * cross_matrix(inverse * axial(transpose(rotation) * da));
}

RotationDerivative rotation_derivative(const Mat3& a, const Mat3& rotation, double smallest_gap) {
  const Mat3 s = symmetric_part(transpose(rotation) * a);
  const Mat3 gap = gap_matrix(s);
  // The eigenvalues of the gap matrix are the pairwise sums of the signed singular values, all of
  // them nonnegative, the smallest y + z: only near a pole is the decomposition needed.
  const double size = trace(gap);
  if (determinant(gap) > smallest_gap * size * size) return {rotation, inverse(gap)};
  const SignedSvd svd = signed_svd(a);
  const Vec3& sigma = svd.sigma;
  const Vec3 clamped{1 / std::max(sigma.y + sigma.z, smallest_gap), 1 / std::max(sigma.x + sigma.z, smallest_gap),
                     1 / std::max(sigma.x + sigma.y, smallest_gap)};
  return {rotation, svd.v * Mat3::diagonal(clamped) * transpose(svd.v)};
}

}  // namespace sinew
