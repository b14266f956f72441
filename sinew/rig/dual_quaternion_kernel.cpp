// blend_motions() and motion_palette(), dispatched at run time.
#include "sinew/rig/dual_quaternion_kernel.h"

#include "sinew/rig/dual_quaternion.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/rig/dual_quaternion_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/linalg/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

using Real = Pack<double, 8>;
constexpr size_t parts = 8 / Real::lanes;  // registers that hold a motion
constexpr size_t block = 64;               // points

// 1, or -1 where the real part of a motion is closer to that of the other with the other sign.
double sign_between(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
}

// Sums of points' motions, not normalised: row by row. A point without weight has the identity. `sign`: null, or a
// table.
void add_motions(const double* HWY_RESTRICT motion, const float* HWY_RESTRICT sign, size_t bones, const Influences* on,
                 size_t count, double* HWY_RESTRICT rows) {
  for (size_t i = 0; i < count; ++i, rows += 8) {
    const size_t influences = static_cast<size_t>(on[i].count);
    if (influences == 0) {
      for (size_t c = 0; c < 8; ++c) rows[c] = c == 3 ? 1 : 0;
      continue;
    }
    const size_t first = static_cast<size_t>(on[i].joint[0]);
    Real sum[parts];
    for (Real& s : sum) s = Real::zero();
    for (size_t k = 0; k < influences; ++k) {
      const size_t bone = static_cast<size_t>(on[i].joint[k]);
      const double side = sign != nullptr ? static_cast<double>(sign[first * bones + bone])
                                          : sign_between(motion + 8 * first, motion + 8 * bone);
      const Real weight(side * on[i].weight[k]);
      for (size_t p = 0; p < parts; ++p)
        sum[p] = mul_add(weight, Real::load(motion + 8 * bone + p * Real::lanes), sum[p]);
    }
    for (size_t p = 0; p < parts; ++p) sum[p].store(rows + p * Real::lanes);
  }
}

// Columns, `block` apart, of rows of eight.
void transpose(const double* HWY_RESTRICT rows, size_t count, double* HWY_RESTRICT columns) {
#if HWY_TARGET == HWY_SCALAR
  for (size_t i = 0; i < count; ++i)
    for (size_t c = 0; c < 8; ++c) columns[c * block + i] = rows[8 * i + c];
#else
  const hn::FixedTag<double, 2> two;
  for (size_t i = 0; i < count; i += 2)
    for (size_t c = 0; c < 8; c += 2) {
      const auto a = hn::LoadU(two, rows + 8 * i + c), b = hn::LoadU(two, rows + 8 * i + 8 + c);
      hn::StoreU(hn::InterleaveLower(two, a, b), two, columns + c * block + i);
      hn::StoreU(hn::InterleaveUpper(two, a, b), two, columns + (c + 1) * block + i);
    }
#endif
}

Vector3<Real> moved(const double* HWY_RESTRICT columns, const Vector3<Real>& x) {
  const auto column = [&](size_t c) { return Real::load(columns + c * block); };
  const Vector3<Real> r{column(0), column(1), column(2)}, d{column(4), column(5), column(6)};
  const Real w = column(3), dual_w = column(7);
  const Vector3<Real> inner = mul_add(w, x, cross(r, x));
  const Vector3<Real> by = neg_mul_add(dual_w, r, mul_add(w, d, cross(r, inner) + cross(r, d)));
  return mul_add(Real(2) / mul_add(w, w, dot(r, r)), by, x);
}

void blend(const double* motion, const float* sign, size_t bones, const double* rest, const Influences* on,
           size_t count, double* result) {
  const Real::Tag tag;
  alignas(64) double rows[8 * block], columns[8 * block], places[3 * block];
  for (size_t begin = 0; begin < count; begin += block) {
    const size_t here = count - begin < block ? count - begin : block;
    const size_t full = (here + 7) / 8 * 8;
    add_motions(motion, sign, bones, on + begin, here, rows);
    for (size_t k = 8 * here; k < 8 * full; ++k) rows[k] = k % 8 == 3 ? 1 : 0;
    transpose(rows, full, columns);
    const double* from = rest + 3 * begin;
    double* to = result + 3 * begin;
    if (here < block) {
      for (size_t k = 0; k < 3 * full; ++k) places[k] = k < 3 * here ? from[k] : 0;
      from = to = places;
    }
    for (size_t i = 0; i < full; i += Real::lanes) {
      Vector3<Real> x;
      hn::LoadInterleaved3(tag, from + 3 * i, x.x.v, x.y.v, x.z.v);
      const Vector3<Real> y = moved(columns + i, x);
      hn::StoreInterleaved3(y.x.v, y.y.v, y.z.v, tag, to + 3 * i);
    }
    for (size_t k = 0; here < block && k < 3 * here; ++k) result[3 * begin + k] = places[k];
  }
}

// The signs of one bone's row: `reals` holds the bones' real parts as four columns, `stride` apart.
void signs_of(const double* HWY_RESTRICT reals, size_t stride, size_t bone, double* HWY_RESTRICT sign) {
  const Real x(reals[bone]), y(reals[stride + bone]), z(reals[2 * stride + bone]), w(reals[3 * stride + bone]);
  for (size_t k = 0; k < stride; k += Real::lanes) {
    const Real along = mul_add(
        w, Real::load(reals + 3 * stride + k),
        combine(x, Real::load(reals + k), y, Real::load(reals + stride + k), z, Real::load(reals + 2 * stride + k)));
    select(along < Real::zero(), Real(-1), Real(1)).store(sign + k);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(blend);
HWY_EXPORT(signs_of);

MotionPalette motion_palette(const BoneMotions& motions, bool with_signs) {
  const std::size_t bones = motions.motion.size(), stride = (bones + 7) / 8 * 8;
  MotionPalette palette;
  std::vector<double> reals(4 * stride), signs(stride);
  palette.motion.reserve(bones);
  for (std::size_t b = 0; b < bones; ++b) {
    const auto& [r, d] = motions.motion[b];
    palette.motion.push_back({r.x, r.y, r.z, r.w, d.x, d.y, d.z, d.w});
    for (std::size_t c = 0; c < 4; ++c) reals[c * stride + b] = palette.motion[b][c];
  }
  if (!with_signs) return palette;
  palette.sign.resize(bones * bones);
  for (std::size_t b = 0; b < bones; ++b) {
    HWY_DYNAMIC_DISPATCH(signs_of)(reals.data(), stride, b, signs.data());
    for (std::size_t k = 0; k < bones; ++k) palette.sign[b * bones + k] = static_cast<float>(signs[k]);
  }
  return palette;
}

void blend_motions(const MotionPalette& palette, std::span<const Vec3> rest, std::span<const Influences> influences,
                   std::span<Vec3> result) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  if (rest.empty()) return;
  HWY_DYNAMIC_DISPATCH(blend)
  (palette.motion.data()->data(), palette.sign.empty() ? nullptr : palette.sign.data(), palette.motion.size(),
   &rest.data()->x, influences.data(), rest.size(), &result.data()->x);
}

}  // namespace sinew
#endif
