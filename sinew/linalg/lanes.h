// A vector register as one value, and small vectors and matrices of such values, for vector kernels. Mathematics is
// written over `Real`, which is a Pack in a kernel and may be a plain double elsewhere: the same operations in the same
// order, on several numbers or on one.
//
//   #include <hwy/foreach_target.h>              // as every kernel does: compiled once per instruction set
//   #include "sinew/linalg/lanes.h"
//   HWY_BEFORE_NAMESPACE();
//   namespace sinew::my_kernel::HWY_NAMESPACE {
//   using namespace sinew::lanes::HWY_NAMESPACE;
//   using Real = Pack<double, 8>;                // 8, or as many as the instruction set has
//   HWY_INLINE void add(const double* a, double* b) { (Real::load(a) + Real::load(b)).store(b); }
//
// Names and order of operations follow linalg/small.h. Products and sums are fused only in functions that say so
// (mul_add, dot, ...), and where the instruction set can.

// This header is included once for each instruction set.
#if defined(SINEW_LINALG_LANES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LINALG_LANES_H
#undef SINEW_LINALG_LANES_H
#else
#define SINEW_LINALG_LANES_H
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace sinew::lanes {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// ---- values ----

// A truth value per lane.
template <class Tag>
struct PackMask {
  hn::Mask<Tag> m;

  friend HWY_INLINE PackMask operator&(PackMask a, PackMask b) { return {hn::And(a.m, b.m)}; }
  friend HWY_INLINE PackMask operator|(PackMask a, PackMask b) { return {hn::Or(a.m, b.m)}; }
  friend HWY_INLINE PackMask operator!(PackMask a) { return {hn::Not(a.m)}; }
};

// A vector of `most` numbers, or of as many as fit a register.
template <class Number, std::size_t most>
struct Pack {
  using Tag = hn::CappedTag<Number, most>;
  using Vector = hn::Vec<Tag>;
  using Mask = PackMask<Tag>;
  static constexpr std::size_t lanes = hn::MaxLanes(Tag());

  Vector v;

  Pack() = default;
  HWY_INLINE Pack(const Vector& of_lanes) : v(of_lanes) {}
  HWY_INLINE Pack(Number in_every_lane) : v(hn::Set(Tag(), in_every_lane)) {}

  static HWY_INLINE Pack zero() { return hn::Zero(Tag()); }
  static HWY_INLINE Pack load(const Number* from) { return hn::LoadU(Tag(), from); }
  static HWY_INLINE Pack load_aligned(const Number* from) { return hn::Load(Tag(), from); }
  HWY_INLINE void store(Number* to) const { hn::StoreU(v, Tag(), to); }

  friend HWY_INLINE Pack operator+(const Pack& a, const Pack& b) { return hn::Add(a.v, b.v); }
  friend HWY_INLINE Pack operator-(const Pack& a, const Pack& b) { return hn::Sub(a.v, b.v); }
  friend HWY_INLINE Pack operator*(const Pack& a, const Pack& b) { return hn::Mul(a.v, b.v); }
  friend HWY_INLINE Pack operator/(const Pack& a, const Pack& b) { return hn::Div(a.v, b.v); }
  friend HWY_INLINE Pack operator-(const Pack& a) { return hn::Neg(a.v); }
  friend HWY_INLINE Mask operator>(const Pack& a, const Pack& b) { return {hn::Gt(a.v, b.v)}; }
  friend HWY_INLINE Mask operator<(const Pack& a, const Pack& b) { return {hn::Lt(a.v, b.v)}; }
  friend HWY_INLINE Mask operator<=(const Pack& a, const Pack& b) { return {hn::Le(a.v, b.v)}; }

  // Fused a b + c, and c - a b.
  friend HWY_INLINE Pack mul_add(const Pack& a, const Pack& b, const Pack& c) { return hn::MulAdd(a.v, b.v, c.v); }
  friend HWY_INLINE Pack neg_mul_add(const Pack& a, const Pack& b, const Pack& c) {
    return hn::NegMulAdd(a.v, b.v, c.v);
  }
  friend HWY_INLINE Pack absolute(const Pack& a) { return hn::Abs(a.v); }
  friend HWY_INLINE Pack square_root(const Pack& a) { return hn::Sqrt(a.v); }
  friend HWY_INLINE Pack smaller(const Pack& a, const Pack& b) { return hn::Min(a.v, b.v); }
  friend HWY_INLINE Pack larger(const Pack& a, const Pack& b) { return hn::Max(a.v, b.v); }
  friend HWY_INLINE Pack select(Mask which, const Pack& yes, const Pack& no) {
    return hn::IfThenElse(which.m, yes.v, no.v);
  }
  friend HWY_INLINE Pack select_or_zero(Mask which, const Pack& yes) { return hn::IfThenElseZero(which.m, yes.v); }
  friend HWY_INLINE bool none(Mask which, Pack) { return hn::AllFalse(Tag(), which.m); }
  // sum_in_lanes(): the sum of all lanes, in every lane; sum(): the sum as a number.
  friend HWY_INLINE Pack sum_in_lanes(const Pack& a) { return hn::SumOfLanes(Tag(), a.v); }
  friend HWY_INLINE Number sum(const Pack& a) { return hn::GetLane(hn::SumOfLanes(Tag(), a.v)); }
};

// These operations on a single number.
HWY_INLINE double mul_add(double a, double b, double c) { return a * b + c; }
HWY_INLINE double neg_mul_add(double a, double b, double c) { return c - a * b; }
HWY_INLINE double absolute(double a) { return std::fabs(a); }
HWY_INLINE double square_root(double a) { return std::sqrt(a); }
HWY_INLINE double smaller(double a, double b) { return b < a ? b : a; }
HWY_INLINE double larger(double a, double b) { return a < b ? b : a; }
HWY_INLINE double select(bool which, double yes, double no) { return which ? yes : no; }
HWY_INLINE double select_or_zero(bool which, double yes) { return which ? yes : 0; }
HWY_INLINE bool none(bool which, double) { return !which; }

// Indices of numbers in memory, one per lane.
template <class Real>
using Indices = hn::Vec<hn::RebindToSigned<typename Real::Tag>>;
template <class Real>
HWY_INLINE Indices<Real> load_indices(const int* from) {
  const hn::Rebind<int, typename Real::Tag> narrow;
  return hn::PromoteTo(hn::RebindToSigned<typename Real::Tag>(), hn::LoadU(narrow, from));
}
// Indices times `numbers`, for arrays of records that are several numbers long.
template <class Real>
HWY_INLINE Indices<Real> load_indices(const int* from, int numbers) {
  return hn::Mul(load_indices<Real>(from), hn::Set(hn::RebindToSigned<typename Real::Tag>(), numbers));
}
template <class Real, class Number>
HWY_INLINE Real gather(const Number* from, Indices<Real> at) {
  return hn::GatherIndex(typename Real::Tag(), from, at);
}
// Loads floats from memory and widens them to the lanes' double precision.
template <class Real>
HWY_INLINE Real load_floats(const float* from) {
  const hn::Rebind<float, typename Real::Tag> narrow;
  return hn::PromoteTo(typename Real::Tag(), hn::LoadU(narrow, from));
}

// Sum a x + b y + c z, with the first product not fused.
template <class Real>
HWY_INLINE Real combine(Real a, Real x, Real b, Real y, Real c, Real z) {
  return mul_add(c, z, mul_add(b, y, a * x));
}

// ---- vectors ----

template <class Real>
struct Vector3 {
  Real x, y, z;

  friend HWY_INLINE Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend HWY_INLINE Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend HWY_INLINE Vector3 operator*(Real s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
};

// s a + b, and b - s a.
template <class Real>
HWY_INLINE Vector3<Real> mul_add(Real s, const Vector3<Real>& a, const Vector3<Real>& b) {
  return {mul_add(s, a.x, b.x), mul_add(s, a.y, b.y), mul_add(s, a.z, b.z)};
}
template <class Real>
HWY_INLINE Vector3<Real> neg_mul_add(Real s, const Vector3<Real>& a, const Vector3<Real>& b) {
  return {neg_mul_add(s, a.x, b.x), neg_mul_add(s, a.y, b.y), neg_mul_add(s, a.z, b.z)};
}
template <class Real>
HWY_INLINE Real dot(const Vector3<Real>& a, const Vector3<Real>& b) {
  return combine(a.x, b.x, a.y, b.y, a.z, b.z);
}
template <class Real>
HWY_INLINE Vector3<Real> cross(const Vector3<Real>& a, const Vector3<Real>& b) {
  return {neg_mul_add(a.z, b.y, a.y * b.z), neg_mul_add(a.x, b.z, a.z * b.x), neg_mul_add(a.y, b.x, a.x * b.y)};
}
template <class Mask, class Real>
HWY_INLINE Vector3<Real> select(Mask which, const Vector3<Real>& yes, const Vector3<Real>& no) {
  return {select(which, yes.x, no.x), select(which, yes.y, no.y), select(which, yes.z, no.z)};
}

// ---- matrices ----

// Row-major 3x3 matrix.
template <class Real>
struct Matrix3 {
  Real m[9];
};

template <class Real>
HWY_INLINE Vector3<Real> row(const Matrix3<Real>& a, std::size_t i) {
  return {a.m[3 * i], a.m[3 * i + 1], a.m[3 * i + 2]};
}
template <class Real>
HWY_INLINE Vector3<Real> column(const Matrix3<Real>& a, std::size_t i) {
  return {a.m[i], a.m[3 + i], a.m[6 + i]};
}
template <class Real>
HWY_INLINE Matrix3<Real> from_rows(const Vector3<Real>& a, const Vector3<Real>& b, const Vector3<Real>& c) {
  return {{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z}};
}
template <class Real>
HWY_INLINE Vector3<Real> times(const Matrix3<Real>& a, const Vector3<Real>& v) {
  return {dot(row(a, 0), v), dot(row(a, 1), v), dot(row(a, 2), v)};
}
template <class Real>
HWY_INLINE Vector3<Real> transpose_times(const Matrix3<Real>& a, const Vector3<Real>& v) {
  return {dot(column(a, 0), v), dot(column(a, 1), v), dot(column(a, 2), v)};
}

// Symmetric matrix: xx, xy, yy, xz, yz, zz.
template <class Real>
struct Symmetric3 {
  Real m[6];
};

template <class Real>
HWY_INLINE Vector3<Real> times(const Symmetric3<Real>& a, const Vector3<Real>& v) {
  return {combine(a.m[0], v.x, a.m[1], v.y, a.m[3], v.z), combine(a.m[1], v.x, a.m[2], v.y, a.m[4], v.z),
          combine(a.m[3], v.x, a.m[4], v.y, a.m[5], v.z)};
}
// s a + b.
template <class Real>
HWY_INLINE Symmetric3<Real> mul_add(Real s, const Symmetric3<Real>& a, const Symmetric3<Real>& b) {
  Symmetric3<Real> sum;
  for (std::size_t k = 0; k < 6; ++k) sum.m[k] = mul_add(s, a.m[k], b.m[k]);
  return sum;
}

// ---- rotations ----

template <class Real>
struct Quaternion {
  Real x, y, z, w;
};

template <class Real>
HWY_INLINE Matrix3<Real> to_matrix(const Quaternion<Real>& q) {
  const Real one(1), two(2);
  const Real x = two * q.x, y = two * q.y, z = two * q.z;
  const Real xx = x * q.x, yy = y * q.y, zz = z * q.z, xy = x * q.y, xz = x * q.z, yz = y * q.z;
  const Real wx = x * q.w, wy = y * q.w, wz = z * q.w;
  return {{one - (yy + zz), xy - wz, xz + wy, xy + wz, one - (xx + zz), yz - wx, xz - wy, yz + wx, one - (xx + yy)}};
}

// Normalised q (w / 2, 1): q rotated by the small rotation vector w, in its own frame.
template <class Real>
HWY_INLINE Quaternion<Real> rotated(const Quaternion<Real>& q, const Vector3<Real>& w) {
  const Vector3<Real> v = Real(0.5) * w;
  const Quaternion<Real> p{q.x + mul_add(q.w, v.x, neg_mul_add(q.z, v.y, q.y * v.z)),
                           q.y + mul_add(q.w, v.y, neg_mul_add(q.x, v.z, q.z * v.x)),
                           q.z + mul_add(q.w, v.z, neg_mul_add(q.y, v.x, q.x * v.y)),
                           neg_mul_add(q.x, v.x, neg_mul_add(q.y, v.y, neg_mul_add(q.z, v.z, q.w)))};
  const Real s = Real(1) / square_root(mul_add(p.w, p.w, mul_add(p.z, p.z, mul_add(p.y, p.y, p.x * p.x))));
  return {s * p.x, s * p.y, s * p.z, s * p.w};
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::lanes
HWY_AFTER_NAMESPACE();

#endif
