// Symmetric 3x3 matrices as six numbers in Mandel's notation,
//
//   (a00, a11, a22, sqrt2 a12, sqrt2 a02, sqrt2 a01),
//
// the coordinates in an orthonormal basis of the symmetric matrices: dot(a, b) is a : b, and linear maps between
// symmetric matrices become 6x6 matrices that are symmetric, orthogonal or positive definite where the maps are.
#pragma once

#include <cstddef>

#include "sinew/linalg/small.h"

namespace sinew {

struct Mandel {
  double v[6] = {0, 0, 0, 0, 0, 0};

  double& operator[](std::size_t i) { return v[i]; }
  double operator[](std::size_t i) const { return v[i]; }
  bool operator==(const Mandel&) const = default;

  static Mandel identity() { return {{1, 1, 1, 0, 0, 0}}; }

  Mandel& operator+=(const Mandel& b) {
    for (int i = 0; i < 6; ++i) v[i] += b.v[i];
    return *this;
  }
  Mandel& operator-=(const Mandel& b) {
    for (int i = 0; i < 6; ++i) v[i] -= b.v[i];
    return *this;
  }
  Mandel& operator*=(double s) {
    for (double& x : v) x *= s;
    return *this;
  }
};

inline Mandel operator+(Mandel a, const Mandel& b) { return a += b; }
inline Mandel operator-(Mandel a, const Mandel& b) { return a -= b; }
inline Mandel operator*(Mandel a, double s) { return a *= s; }
inline double dot(const Mandel& a, const Mandel& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}
inline double trace(const Mandel& a) { return a[0] + a[1] + a[2]; }

inline constexpr double sqrt2 = 1.41421356237309504880;

// The coordinates of the symmetric part of `a`.
inline Mandel to_mandel(const Mat3& a) {
  constexpr double half_root = 0.5 * sqrt2;
  return {{a(0, 0), a(1, 1), a(2, 2), half_root * (a(1, 2) + a(2, 1)), half_root * (a(0, 2) + a(2, 0)),
           half_root * (a(0, 1) + a(1, 0))}};
}
inline Mat3 to_matrix(const Mandel& a) {
  constexpr double half_root = 0.5 * sqrt2;
  const double a12 = half_root * a[3], a02 = half_root * a[4], a01 = half_root * a[5];
  return {{a[0], a01, a02, a01, a[1], a12, a02, a12, a[2]}};
}

// A linear map between symmetric matrices; m[6 * row + column].
struct MandelMatrix {
  double m[36] = {};

  double& operator()(std::size_t row, std::size_t column) { return m[6 * row + column]; }
  double operator()(std::size_t row, std::size_t column) const { return m[6 * row + column]; }
  bool operator==(const MandelMatrix&) const = default;

  static MandelMatrix diagonal(double value) {
    MandelMatrix result;
    for (std::size_t i = 0; i < 6; ++i) result(i, i) = value;
    return result;
  }
  Mandel row(std::size_t i) const {
    return {{m[6 * i], m[6 * i + 1], m[6 * i + 2], m[6 * i + 3], m[6 * i + 4], m[6 * i + 5]}};
  }
};

inline Mandel operator*(const MandelMatrix& a, const Mandel& x) {
  Mandel y;
  for (std::size_t i = 0; i < 6; ++i) y[i] = dot(a.row(i), x);
  return y;
}

// The matrix of a linear map that is given as a function of a symmetric Mat3; the symmetric part of its result is used.
template <class Map>
MandelMatrix mandel_matrix(const Map& map) {
  MandelMatrix result;
  for (std::size_t column = 0; column < 6; ++column) {
    Mandel unit;
    unit[column] = 1;
    const Mandel image = to_mandel(map(to_matrix(unit)));
    for (std::size_t row = 0; row < 6; ++row) result(row, column) = image[row];
  }
  return result;
}

// The symmetric matrix with the eigenvectors of `a` and its eigenvalues, raised to `least` where they are lower; `a`
// itself, to the bit, where none is. Entries must be finite.
MandelMatrix with_eigenvalues_at_least(const MandelMatrix& a, double least);

}  // namespace sinew
