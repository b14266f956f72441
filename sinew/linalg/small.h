// Small fixed-size vectors, matrices, rotations and affine maps.
//
// Conventions (docs/conventions.md): column vectors, right-handed axes, +Y up, quaternions x, y, z, w.
// Everything here is a plain struct without invariants and costs nothing to include.
#pragma once

#include <cmath>
#include <cstddef>

namespace sinew {

struct Vec3 {
  double x = 0, y = 0, z = 0;

  double& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : z; }
  double operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }

  Vec3& operator+=(const Vec3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  Vec3& operator-=(const Vec3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
  Vec3& operator*=(double s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  bool operator==(const Vec3&) const = default;
};

inline Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
inline Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
inline Vec3 operator*(Vec3 a, double s) { return a *= s; }
inline Vec3 operator*(double s, Vec3 a) { return a *= s; }
inline Vec3 operator/(const Vec3& a, double s) { return {a.x / s, a.y / s, a.z / s}; }

inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double squared_norm(const Vec3& a) { return dot(a, a); }
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline double distance(const Vec3& a, const Vec3& b) { return norm(a - b); }
// The zero vector stays zero.
inline Vec3 normalized(const Vec3& a) {
  const double length = norm(a);
  return length > 0 ? a / length : a;
}
inline bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
inline Vec3 min(const Vec3& a, const Vec3& b) {
  return {std::fmin(a.x, b.x), std::fmin(a.y, b.y), std::fmin(a.z, b.z)};
}
inline Vec3 max(const Vec3& a, const Vec3& b) {
  return {std::fmax(a.x, b.x), std::fmax(a.y, b.y), std::fmax(a.z, b.z)};
}

// Row-major 3x3 matrix; m[3 * row + column].
struct Mat3 {
  double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

  double& operator()(std::size_t row, std::size_t column) { return m[3 * row + column]; }
  double operator()(std::size_t row, std::size_t column) const { return m[3 * row + column]; }
  bool operator==(const Mat3&) const = default;

  static Mat3 zero() { return {{0, 0, 0, 0, 0, 0, 0, 0, 0}}; }
  static Mat3 identity() { return {}; }
  static Mat3 diagonal(const Vec3& d) { return {{d.x, 0, 0, 0, d.y, 0, 0, 0, d.z}}; }
  static Mat3 from_columns(const Vec3& a, const Vec3& b, const Vec3& c) {
    return {{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
  }
  Vec3 column(std::size_t j) const { return {m[j], m[3 + j], m[6 + j]}; }
  Vec3 row(std::size_t i) const { return {m[3 * i], m[3 * i + 1], m[3 * i + 2]}; }

  Mat3& operator+=(const Mat3& b) {
    for (int i = 0; i < 9; ++i) m[i] += b.m[i];
    return *this;
  }
  Mat3& operator-=(const Mat3& b) {
    for (int i = 0; i < 9; ++i) m[i] -= b.m[i];
    return *this;
  }
  Mat3& operator*=(double s) {
    for (double& v : m) v *= s;
    return *this;
  }
};

inline Mat3 operator+(Mat3 a, const Mat3& b) { return a += b; }
inline Mat3 operator-(Mat3 a, const Mat3& b) { return a -= b; }
inline Mat3 operator*(Mat3 a, double s) { return a *= s; }
inline Mat3 operator*(double s, Mat3 a) { return a *= s; }
inline Vec3 operator*(const Mat3& a, const Vec3& v) {
  return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
          a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 c = Mat3::zero();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  return c;
}
inline Mat3 transpose(const Mat3& a) {
  return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
// Product transpose(a) * v, without forming the transpose.
inline Vec3 transpose_times(const Mat3& a, const Vec3& v) {
  return {a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z, a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
          a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z};
}
inline double determinant(const Mat3& a) { return dot(a.row(0), cross(a.row(1), a.row(2))); }
inline double trace(const Mat3& a) { return a.m[0] + a.m[4] + a.m[8]; }
inline double frobenius_norm(const Mat3& a) {
  double sum = 0;
  for (double v : a.m) sum += v * v;
  return std::sqrt(sum);
}
inline Mat3 outer(const Vec3& a, const Vec3& b) {
  return {{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z}};
}
// Adjugate over determinant; not finite where `a` is singular.
inline Mat3 inverse(const Mat3& a) {
  const Vec3 r0 = cross(a.row(1), a.row(2)), r1 = cross(a.row(2), a.row(0)), r2 = cross(a.row(0), a.row(1));
  return Mat3::from_columns(r0, r1, r2) * (1.0 / dot(a.row(0), r0));
}

// Unit quaternion for a rotation; identity by default.
struct Quat {
  double x = 0, y = 0, z = 0, w = 1;
  bool operator==(const Quat&) const = default;
};

inline Quat operator*(const Quat& a, const Quat& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline double dot(const Quat& a, const Quat& b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
// The zero quaternion becomes the identity.
inline Quat normalized(const Quat& q) {
  const double length = std::sqrt(dot(q, q));
  return length > 0 ? Quat{q.x / length, q.y / length, q.z / length, q.w / length} : Quat{};
}
inline Quat conjugate(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }
inline Quat axis_angle(const Vec3& unit_axis, double radians) {
  const double s = std::sin(radians / 2);
  return {unit_axis.x * s, unit_axis.y * s, unit_axis.z * s, std::cos(radians / 2)};
}
// `q` must have unit length.
inline Mat3 to_matrix(const Quat& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z,
               wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy), 2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx),
           2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}
inline Vec3 rotate(const Quat& q, const Vec3& v) { return to_matrix(q) * v; }
// Spherical linear interpolation along the shorter arc.
Quat slerp(const Quat& a, const Quat& b, double t);
// `rotation` must be a rotation matrix.
Quat to_quaternion(const Mat3& rotation);

// Map x -> linear * x + translation.
struct Affine {
  Mat3 linear;
  Vec3 translation;
  bool operator==(const Affine&) const = default;
};

inline Vec3 operator*(const Affine& a, const Vec3& x) { return a.linear * x + a.translation; }
inline Affine operator*(const Affine& a, const Affine& b) {
  return {a.linear * b.linear, a.linear * b.translation + a.translation};
}
inline Affine inverse(const Affine& a) {
  const Mat3 inverse_linear = inverse(a.linear);
  return {inverse_linear, -(inverse_linear * a.translation)};
}

// Translation, rotation, scale, applied to a point in the order scale, rotate, translate (glTF's TRS).
struct Transform {
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1, 1, 1};
  bool operator==(const Transform&) const = default;
};

inline Affine to_affine(const Transform& t) { return {to_matrix(t.rotation) * Mat3::diagonal(t.scale), t.translation}; }

}  // namespace sinew
