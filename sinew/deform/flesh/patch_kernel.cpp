// patch_forces() with the tetrahedra of a patch side by side in vector registers, dispatched at run time.
#include "sinew/deform/flesh/patch_elasticity.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/flesh/patch_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

template <class Real>
using Tag = hn::CappedTag<Real, patch_lanes>;
template <class Real>
using Vector = hn::Vec<Tag<Real>>;
template <class Real>
constexpr size_t lane_count = HWY_MIN(HWY_MAX_BYTES / sizeof(Real), patch_lanes);

// A vector in each lane.
template <class Real>
struct Vectors {
  Vector<Real> x, y, z;
};

// a x + b y + c z
template <class V>
HWY_INLINE V combine(V a, V x, V b, V y, V c, V z) {
  return hn::MulAdd(c, z, hn::MulAdd(b, y, hn::Mul(a, x)));
}

// The rows that `index` names, one per lane: four rows of four floats are transposed in each 16-byte block, ...
template <class D = Tag<float>>
HWY_INLINE Vectors<float> gather(const Row<float>* HWY_RESTRICT rows, const int* HWY_RESTRICT index) {
  const D d;
  const hn::FixedTag<float, 4> block;
  const auto row = [&](size_t lane) { return hn::Load(block, &rows->x + index[lane]); };
  hn::Vec<D> r[4];
  for (size_t k = 0; k < 4; ++k) {
    if constexpr (lane_count<float> == 8)
      r[k] = k + 4 < size_t{patch_size} ? hn::Combine(d, row(k + 4), row(k)) : hn::ZeroExtendVector(d, row(k));
    else
      r[k] = row(k);
  }
  const auto xy_even = hn::InterleaveLower(d, r[0], r[2]), xy_odd = hn::InterleaveLower(d, r[1], r[3]);
  const auto z_even = hn::InterleaveUpper(d, r[0], r[2]), z_odd = hn::InterleaveUpper(d, r[1], r[3]);
  return {hn::InterleaveLower(d, xy_even, xy_odd), hn::InterleaveUpper(d, xy_even, xy_odd), hn::InterleaveLower(d, z_even, z_odd)};
}
// ... doubles, which are needed once a step, are gathered number by number.
HWY_INLINE Vectors<double> gather(const Row<double>* HWY_RESTRICT rows, const int* HWY_RESTRICT index) {
  const Tag<double> d;
  const hn::RebindToSigned<Tag<double>> wide;
  const hn::Rebind<int32_t, Tag<double>> narrow;
  const auto first = hn::PromoteTo(wide, hn::LoadU(narrow, index));
  return {hn::GatherIndex(d, &rows->x, first), hn::GatherIndex(d, &rows->y, first), hn::GatherIndex(d, &rows->z, first)};
}

// Symmetric, one in each lane: twice a strain, or a stress.
template <class Real>
struct Symmetric {
  Vector<Real> xx, yy, zz, xy, xz, yz;
};

template <class Real>
struct Frame {
  explicit HWY_INLINE Frame(const PatchFrame<Real>& r) {
    for (size_t k = 0; k < 9; ++k) entry[k / 3][k % 3] = hn::Set(Tag<Real>(), r.entry[k]);
  }
  Vector<Real> entry[3][3];
};

// 2 sym(R^T F) of the tetrahedra in lanes [lane, lane + lane_count).
template <class Real>
HWY_INLINE Symmetric<Real> twice_strain(const Patch<Real>& patch, size_t lane, const Row<Real>* position, const Frame<Real>& frame,
                                        Real load) {
  const Tag<Real> d;
  const Vectors<Real> x0 = gather(position, patch.corner[0] + lane);
  Vectors<Real> edge[3];
  for (size_t k = 0; k < 3; ++k) {
    const Vectors<Real> x = gather(position, patch.corner[k + 1] + lane);
    edge[k] = {hn::Sub(x.x, x0.x), hn::Sub(x.y, x0.y), hn::Sub(x.z, x0.z)};
  }
  Vector<Real> turned[3][3];
  for (size_t j = 0; j < 3; ++j) {
    const auto g1 = hn::Load(d, patch.gradient[0][j] + lane), g2 = hn::Load(d, patch.gradient[1][j] + lane),
               g3 = hn::Load(d, patch.gradient[2][j] + lane);
    const auto fx = combine(g1, edge[0].x, g2, edge[1].x, g3, edge[2].x), fy = combine(g1, edge[0].y, g2, edge[1].y, g3, edge[2].y),
               fz = combine(g1, edge[0].z, g2, edge[1].z, g3, edge[2].z);
    for (size_t i = 0; i < 3; ++i) turned[i][j] = combine(frame.entry[0][i], fx, frame.entry[1][i], fy, frame.entry[2][i], fz);
  }
  const auto twice_load = hn::Set(d, 2 * load);
  const auto diagonal = [&](size_t i) { return hn::Sub(hn::Add(turned[i][i], turned[i][i]), twice_load); };
  return {diagonal(0), diagonal(1), diagonal(2), hn::Add(turned[0][1], turned[1][0]), hn::Add(turned[0][2], turned[2][0]),
          hn::Add(turned[1][2], turned[2][1])};
}

// V (2 mu e + lambda tr(e) I) from 2 e.
template <class Real>
HWY_INLINE Symmetric<Real> weighted_stress(const Symmetric<Real>& twice, Vector<Real> shear, Vector<Real> lambda) {
  const Tag<Real> d;
  const auto pressure = hn::Mul(hn::Mul(lambda, hn::Set(d, Real(0.5))), hn::Add(twice.xx, hn::Add(twice.yy, twice.zz)));
  return {hn::MulAdd(shear, twice.xx, pressure), hn::MulAdd(shear, twice.yy, pressure), hn::MulAdd(shear, twice.zz, pressure),
          hn::Mul(shear, twice.xy), hn::Mul(shear, twice.xz), hn::Mul(shear, twice.yz)};
}

// sum + factor s, part by part.
template <class Real>
HWY_INLINE Symmetric<Real> add_scaled(Vector<Real> factor, const Symmetric<Real>& s, const Symmetric<Real>& sum) {
  return {hn::MulAdd(factor, s.xx, sum.xx), hn::MulAdd(factor, s.yy, sum.yy), hn::MulAdd(factor, s.zz, sum.zz),
          hn::MulAdd(factor, s.xy, sum.xy), hn::MulAdd(factor, s.xz, sum.xz), hn::MulAdd(factor, s.yz, sum.yz)};
}

// In every lane the sum of all.
template <class Real>
HWY_INLINE Symmetric<Real> sum_of_lanes(const Symmetric<Real>& s) {
  const Tag<Real> d;
  return {hn::SumOfLanes(d, s.xx), hn::SumOfLanes(d, s.yy), hn::SumOfLanes(d, s.zz),
          hn::SumOfLanes(d, s.xy), hn::SumOfLanes(d, s.xz), hn::SumOfLanes(d, s.yz)};
}

// R stress g of corners 1 to 3, and minus their sum for corner 0.
template <class Real>
HWY_INLINE void corner_forces(const Patch<Real>& patch, size_t lane, const Symmetric<Real>& stress, const Frame<Real>& frame,
                              Vectors<Real> (&force)[4]) {
  const Tag<Real> d;
  Vectors<Real> column[3];   // of R stress
  for (size_t i = 0; i < 3; ++i) {
    const auto a = frame.entry[i][0], b = frame.entry[i][1], c = frame.entry[i][2];
    const auto x = combine(a, stress.xx, b, stress.xy, c, stress.xz), y = combine(a, stress.xy, b, stress.yy, c, stress.yz),
               z = combine(a, stress.xz, b, stress.yz, c, stress.zz);
    (i == 0 ? column[0].x : i == 1 ? column[0].y : column[0].z) = x;
    (i == 0 ? column[1].x : i == 1 ? column[1].y : column[1].z) = y;
    (i == 0 ? column[2].x : i == 1 ? column[2].y : column[2].z) = z;
  }
  force[0] = {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  for (size_t k = 0; k < 3; ++k) {
    const auto gx = hn::Load(d, patch.gradient[k][0] + lane), gy = hn::Load(d, patch.gradient[k][1] + lane),
               gz = hn::Load(d, patch.gradient[k][2] + lane);
    const Vectors<Real> f{combine(gx, column[0].x, gy, column[1].x, gz, column[2].x), combine(gx, column[0].y, gy, column[1].y, gz, column[2].y),
                          combine(gx, column[0].z, gy, column[1].z, gz, column[2].z)};
    force[k + 1] = f;
    force[0] = {hn::Sub(force[0].x, f.x), hn::Sub(force[0].y, f.y), hn::Sub(force[0].z, f.z)};
  }
}

// Adds the forces on one corner of the tetrahedra in lanes [lane, lane + lane_count) at the patch's vertices: four
// rows of four floats are transposed in each 16-byte block, ...
template <class D = Tag<float>>
HWY_INLINE void add_at_vertices(const Patch<float>& patch, size_t corner, size_t lane, const Vectors<float>& force, Row<float>* HWY_RESTRICT to) {
  const D d;
  const hn::FixedTag<float, 4> block;
  const std::uint8_t* slot = patch.slot[corner] + lane;
  const auto zero = hn::Zero(d);
  const auto xz_lower = hn::InterleaveLower(d, force.x, force.z), xz_upper = hn::InterleaveUpper(d, force.x, force.z);
  const auto y_lower = hn::InterleaveLower(d, force.y, zero), y_upper = hn::InterleaveUpper(d, force.y, zero);
  const hn::Vec<D> row[4] = {hn::InterleaveLower(d, xz_lower, y_lower), hn::InterleaveUpper(d, xz_lower, y_lower),
                                hn::InterleaveLower(d, xz_upper, y_upper), hn::InterleaveUpper(d, xz_upper, y_upper)};
  const auto add = [&](size_t t, hn::Vec<hn::FixedTag<float, 4>> part) {
    float* sum = &to->x + slot[t];
    hn::Store(hn::Add(hn::Load(block, sum), part), block, sum);
  };
  for (size_t t = 0; t < 4; ++t) {
    if constexpr (lane_count<float> == 8)
      add(t, hn::LowerHalf(block, row[t]));
    else
      add(t, row[t]);
  }
  if constexpr (lane_count<float> == 8)
    for (size_t t = 4; t < static_cast<size_t>(patch_size); ++t) add(t, hn::UpperHalf(block, row[t - 4]));
}
// ... doubles by way of memory.
HWY_INLINE void add_at_vertices(const Patch<double>& patch, size_t corner, size_t lane, const Vectors<double>& force, Row<double>* HWY_RESTRICT to) {
  const Tag<double> d;
  const hn::CappedTag<double, 4> part;
  Row<double> row[lane_count<double>];
  hn::StoreInterleaved4(force.x, force.y, force.z, hn::Zero(d), d, &row[0].x);
  for (size_t t = 0; t < lane_count<double>; ++t) {
    double* sum = &to->x + patch.slot[corner][lane + t];
    for (size_t k = 0; k < 4; k += hn::Lanes(part)) hn::Store(hn::Add(hn::Load(part, sum + k), hn::Load(part, &row[t].x + k)), part, sum + k);
  }
}

template <class Real>
HWY_INLINE void forces(const PatchPose<Real>& pose, size_t begin, size_t end, Row<Real>* HWY_RESTRICT force) {
  const Tag<Real> d;
  constexpr size_t lanes = lane_count<Real>, groups = patch_lanes / lanes;
  for (size_t p = begin; p < end; ++p) {
    const Patch<Real>& patch = pose.patches[p];
    const Frame<Real> frame(pose.frame[p]);
    Symmetric<Real> stress[groups];
    Symmetric<Real> mean{hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (size_t g = 0; g < groups; ++g) {
      const size_t lane = g * lanes;
      const Symmetric<Real> twice = twice_strain(patch, lane, pose.position.data(), frame, pose.load[p]);
      mean = add_scaled(hn::Load(d, patch.share + lane), twice, mean);
      stress[g] = weighted_stress<Real>(twice, hn::Load(d, patch.shear + lane), hn::Load(d, patch.lambda + lane));
    }
    const Symmetric<Real> shared = weighted_stress<Real>(sum_of_lanes(mean), hn::Set(d, patch.mean_shear), hn::Set(d, patch.mean_lambda));
    Row<Real>* to = force + patch.vertex_begin;
    std::fill(to, force + patch.vertex_end, Row<Real>{});
    for (size_t g = 0; g < groups; ++g) {
      const size_t lane = g * lanes;
      Vectors<Real> corner[4];
      corner_forces(patch, lane, add_scaled(hn::Load(d, patch.share + lane), shared, stress[g]), frame, corner);
      for (size_t c = 0; c < 4; ++c) add_at_vertices(patch, c, lane, corner[c], to);
    }
  }
}

#else

template <class Real>
void forces(const PatchPose<Real>& pose, size_t begin, size_t end, Row<Real>* force) {
  patch_forces_reference(pose, begin, end, std::span(force, static_cast<size_t>(pose.patches.back().vertex_end)));
}

#endif

void forces_double(const PatchPose<double>& pose, size_t begin, size_t end, Row<double>* force) { forces(pose, begin, end, force); }
void forces_float(const PatchPose<float>& pose, size_t begin, size_t end, Row<float>* force) { forces(pose, begin, end, force); }

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(forces_double);
HWY_EXPORT(forces_float);

template <>
void patch_forces<double>(const PatchPose<double>& pose, std::size_t begin, std::size_t end, std::span<Row<double>> force) {
  HWY_DYNAMIC_DISPATCH(forces_double)(pose, begin, end, force.data());
}
template <>
void patch_forces<float>(const PatchPose<float>& pose, std::size_t begin, std::size_t end, std::span<Row<float>> force) {
  HWY_DYNAMIC_DISPATCH(forces_float)(pose, begin, end, force.data());
}

}  // namespace sinew
#endif
