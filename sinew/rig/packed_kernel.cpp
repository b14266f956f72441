// blend_maps() and blend_motions(), dispatched at run time.
#include "sinew/rig/packed_kernel.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/rig/packed_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/linalg/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::packed_kernel {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

using Real = Pack<double, 8>;
constexpr size_t group = PackedInfluences::group;

// A group's entries: bones, and eight weights of each.
struct Entries {
  const int* bone;
  const double* weight;
  size_t count;
};

// Rotation and translation, row by row, of no bone.
constexpr double still_map[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
constexpr double still_motion[8] = {0, 0, 0, 1, 0, 0, 0, 0};

// `maps`: twelve numbers per bone, the matrix row by row and the translation.
HWY_INLINE Vector3<Real> posed(const double* HWY_RESTRICT maps, const Entries& on, size_t lane,
                               const Vector3<Real>& x) {
  Vector3<Real> sum{Real::zero(), Real::zero(), Real::zero()};
  for (size_t k = 0; k < on.count; ++k) {
    const double* HWY_RESTRICT m = on.bone[k] < 0 ? still_map : maps + 12 * static_cast<size_t>(on.bone[k]);
    const Vector3<Real> place{
        mul_add(Real(m[2]), x.z, mul_add(Real(m[1]), x.y, mul_add(Real(m[0]), x.x, Real(m[9])))),
        mul_add(Real(m[5]), x.z, mul_add(Real(m[4]), x.y, mul_add(Real(m[3]), x.x, Real(m[10])))),
        mul_add(Real(m[8]), x.z, mul_add(Real(m[7]), x.y, mul_add(Real(m[6]), x.x, Real(m[11]))))};
    sum = mul_add(Real::load(on.weight + group * k + lane), place, sum);
  }
  return sum;
}

// `motions`: eight numbers per bone, the real and the dual part, x, y, z, w.
HWY_INLINE Vector3<Real> moved(const double* HWY_RESTRICT motions, const Entries& on, size_t lane,
                               const Vector3<Real>& x) {
  Real q[8];
  for (Real& part : q) part = Real::zero();
  for (size_t k = 0; k < on.count; ++k) {
    const double* HWY_RESTRICT m = on.bone[k] < 0 ? still_motion : motions + 8 * static_cast<size_t>(on.bone[k]);
    const Real weight = Real::load(on.weight + group * k + lane);
    for (size_t c = 0; c < 8; ++c) q[c] = mul_add(weight, Real(m[c]), q[c]);
  }
  const Vector3<Real> r{q[0], q[1], q[2]}, d{q[4], q[5], q[6]};
  // r x (r x x + w x + d) + w d - d_w r
  const Vector3<Real> inner = mul_add(q[3], x, cross(r, x)) + d;
  const Vector3<Real> by = neg_mul_add(q[7], r, mul_add(q[3], d, cross(r, inner)));
  return mul_add(Real(2) / mul_add(q[3], q[3], dot(r, r)), by, x);
}

// Calls move(entries, lane, places) for the groups' points, as many at a time as fit a register.
template <class Move>
HWY_INLINE void each_group(const int* start, const int* bone, const double* weight, const char* apart, size_t begin,
                           size_t end, size_t points, const double* rest, double* result, const Move& move) {
  const Real::Tag tag;
  for (size_t g = begin; g < end; ++g) {
    if (apart != nullptr && apart[g]) continue;
    const size_t first = group * g, here = points - first < group ? points - first : group;
    const Entries on{bone + start[g], weight + group * static_cast<size_t>(start[g]),
                     static_cast<size_t>(start[g + 1] - start[g])};
    const double* from = rest + 3 * first;
    double* own = result + 3 * group * (g - begin);
    double* to = own;
    double places[3 * group];
    if (here < group) {
      for (size_t k = 0; k < 3 * group; ++k) places[k] = k < 3 * here ? from[k] : 0;
      from = to = places;
    }
    for (size_t lane = 0; lane < group; lane += Real::lanes) {
      Vector3<Real> x;
      hn::LoadInterleaved3(tag, from + 3 * lane, x.x.v, x.y.v, x.z.v);
      const Vector3<Real> y = move(on, lane, x);
      hn::StoreInterleaved3(y.x.v, y.y.v, y.z.v, tag, to + 3 * lane);
    }
    for (size_t k = 0; here < group && k < 3 * here; ++k) own[k] = places[k];
  }
}

void pose_groups(const int* start, const int* bone, const double* weight, size_t begin, size_t end, size_t points,
                 const double* maps, const double* rest, double* result) {
  each_group(start, bone, weight, nullptr, begin, end, points, rest, result,
             [&](const Entries& on, size_t lane, const Vector3<Real>& x) HWY_ATTR { return posed(maps, on, lane, x); });
}

void move_groups(const int* start, const int* bone, const double* weight, const char* apart, size_t begin, size_t end,
                 size_t points, const double* motions, const double* rest, double* result) {
  each_group(start, bone, weight, apart, begin, end, points, rest, result,
             [&](const Entries& on, size_t lane, const Vector3<Real>& x)
                 HWY_ATTR { return moved(motions, on, lane, x); });
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::packed_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
namespace packed_kernel {
HWY_EXPORT(pose_groups);
HWY_EXPORT(move_groups);
}  // namespace packed_kernel

void blend_maps(const PackedInfluences& packed, std::size_t begin, std::size_t end, std::span<const Affine> bone,
                std::span<const Vec3> rest, std::span<Vec3> result) {
  static_assert(sizeof(Affine) == 12 * sizeof(double) && sizeof(Vec3) == 3 * sizeof(double));
  using namespace packed_kernel;
  HWY_DYNAMIC_DISPATCH(pose_groups)
  (packed.start.data(), packed.bone.data(), packed.weight.data(), begin, end, rest.size(),
   reinterpret_cast<const double*>(bone.data()), &rest.data()->x, &result.data()->x);
}

void blend_motions(const PackedInfluences& packed, std::size_t begin, std::size_t end, std::span<const char> apart,
                   const MotionPalette& palette, std::span<const Vec3> rest, std::span<Vec3> result) {
  using namespace packed_kernel;
  HWY_DYNAMIC_DISPATCH(move_groups)
  (packed.start.data(), packed.bone.data(), packed.weight.data(), apart.empty() ? nullptr : apart.data(), begin, end,
   rest.size(), palette.motion.data()->data(), &rest.data()->x, &result.data()->x);
}

}  // namespace sinew
#endif
