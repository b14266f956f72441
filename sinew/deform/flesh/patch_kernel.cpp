// patch_forces() with the tetrahedra of a patch side by side in vector registers, dispatched at run time.
#include "sinew/deform/flesh/patch_elasticity.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/flesh/patch_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/linalg/lanes.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;

// A tetrahedron in each lane.
template <class Number>
using Real = Pack<Number, patch_lanes>;
template <class Number>
using Vector = Vector3<Real<Number>>;
template <class Number>
using Matrix = Matrix3<Real<Number>>;
template <class Number>
using Symmetric = Symmetric3<Real<Number>>;

#if HWY_TARGET == HWY_SCALAR

// The row that `index` names.
template <class Number>
HWY_INLINE Vector<Number> gather_rows(const Row<Number>* HWY_RESTRICT rows, const int* HWY_RESTRICT index) {
  const Number* row = &rows->x + *index;
  return {row[0], row[1], row[2]};
}

// Adds the force on one corner of a tetrahedron at the patch's vertex.
template <class Number>
HWY_INLINE void add_at_vertices(const Patch<Number>& patch, size_t corner, size_t lane, const Vector<Number>& force,
                                Row<Number>* HWY_RESTRICT to) {
  Number* row = &to->x + patch.slot[corner][lane];
  row[0] += sum(force.x);
  row[1] += sum(force.y);
  row[2] += sum(force.z);
}

#else

// The rows that `index` names, one per lane: four rows of four floats are transposed in each 16-byte block, ...
template <class D = Real<float>::Tag>
HWY_INLINE Vector<float> gather_rows(const Row<float>* HWY_RESTRICT rows, const int* HWY_RESTRICT index) {
  const D d;
  const hn::FixedTag<float, 4> block;
  const auto row = [&](size_t lane) { return hn::Load(block, &rows->x + index[lane]); };
  hn::Vec<D> r[4];
  for (size_t k = 0; k < 4; ++k) {
    if constexpr (Real<float>::lanes == 8)
      r[k] = k + 4 < size_t{patch_size} ? hn::Combine(d, row(k + 4), row(k)) : hn::ZeroExtendVector(d, row(k));
    else
      r[k] = row(k);
  }
  const auto xy_even = hn::InterleaveLower(d, r[0], r[2]), xy_odd = hn::InterleaveLower(d, r[1], r[3]);
  const auto z_even = hn::InterleaveUpper(d, r[0], r[2]), z_odd = hn::InterleaveUpper(d, r[1], r[3]);
  return {hn::InterleaveLower(d, xy_even, xy_odd), hn::InterleaveUpper(d, xy_even, xy_odd),
          hn::InterleaveLower(d, z_even, z_odd)};
}
// ... doubles, which are needed once a step, are gathered number by number.
HWY_INLINE Vector<double> gather_rows(const Row<double>* HWY_RESTRICT rows, const int* HWY_RESTRICT index) {
  const auto first = load_indices<Real<double>>(index);
  return {gather<Real<double>>(&rows->x, first), gather<Real<double>>(&rows->y, first),
          gather<Real<double>>(&rows->z, first)};
}

// Adds the forces on one corner of the tetrahedra in lanes [lane, lane + Real::lanes) at the patch's vertices: four
// rows of four floats are transposed in each 16-byte block, ...
template <class D = Real<float>::Tag>
HWY_INLINE void add_at_vertices(const Patch<float>& patch, size_t corner, size_t lane, const Vector<float>& force,
                                Row<float>* HWY_RESTRICT to) {
  const D d;
  const hn::FixedTag<float, 4> block;
  const std::uint8_t* slot = patch.slot[corner] + lane;
  const auto zero = hn::Zero(d);
  const auto xz_lower = hn::InterleaveLower(d, force.x.v, force.z.v),
             xz_upper = hn::InterleaveUpper(d, force.x.v, force.z.v);
  const auto y_lower = hn::InterleaveLower(d, force.y.v, zero), y_upper = hn::InterleaveUpper(d, force.y.v, zero);
  const hn::Vec<D> row[4] = {hn::InterleaveLower(d, xz_lower, y_lower), hn::InterleaveUpper(d, xz_lower, y_lower),
                             hn::InterleaveLower(d, xz_upper, y_upper), hn::InterleaveUpper(d, xz_upper, y_upper)};
  const auto add = [&](size_t t, hn::Vec<hn::FixedTag<float, 4>> part) {
    float* sum = &to->x + slot[t];
    hn::Store(hn::Add(hn::Load(block, sum), part), block, sum);
  };
  for (size_t t = 0; t < 4; ++t) {
    if constexpr (Real<float>::lanes == 8)
      add(t, hn::LowerHalf(block, row[t]));
    else
      add(t, row[t]);
  }
  if constexpr (Real<float>::lanes == 8)
    for (size_t t = 4; t < static_cast<size_t>(patch_size); ++t) add(t, hn::UpperHalf(block, row[t - 4]));
}
// ... doubles by way of memory.
HWY_INLINE void add_at_vertices(const Patch<double>& patch, size_t corner, size_t lane, const Vector<double>& force,
                                Row<double>* HWY_RESTRICT to) {
  const Real<double>::Tag d;
  const hn::CappedTag<double, 4> part;
  Row<double> row[Real<double>::lanes];
  hn::StoreInterleaved4(force.x.v, force.y.v, force.z.v, hn::Zero(d), d, &row[0].x);
  for (size_t t = 0; t < Real<double>::lanes; ++t) {
    double* sum = &to->x + patch.slot[corner][lane + t];
    for (size_t k = 0; k < 4; k += hn::Lanes(part))
      hn::Store(hn::Add(hn::Load(part, sum + k), hn::Load(part, &row[t].x + k)), part, sum + k);
  }
}

#endif

template <class Number>
HWY_INLINE Matrix<Number> in_every_lane(const PatchFrame<Number>& r) {
  Matrix<Number> frame;
  for (size_t k = 0; k < 9; ++k) frame.m[k] = Real<Number>(r.entry[k]);
  return frame;
}

// The gradient of the shape function of corner 1, 2 or 3, counted from 0.
template <class Number>
HWY_INLINE Vector<Number> gradient(const Patch<Number>& patch, size_t corner, size_t lane) {
  using R = Real<Number>;
  const auto& g = patch.gradient[corner];
  return {R::load_aligned(g[0] + lane), R::load_aligned(g[1] + lane), R::load_aligned(g[2] + lane)};
}

// 2 sym(R^T F) of the tetrahedra in lanes [lane, lane + Real::lanes).
template <class Number>
HWY_INLINE Symmetric<Number> twice_strain(const Patch<Number>& patch, size_t lane, const Row<Number>* position,
                                          const Matrix<Number>& frame, Number load) {
  const Vector<Number> x0 = gather_rows(position, patch.corner[0] + lane);
  Vector<Number> edge[3];
  for (size_t k = 0; k < 3; ++k) edge[k] = gather_rows(position, patch.corner[k + 1] + lane) - x0;
  Vector<Number> turned[3];  // columns of R^T F
  for (size_t j = 0; j < 3; ++j) {
    using R = Real<Number>;
    const R g1 = R::load_aligned(patch.gradient[0][j] + lane), g2 = R::load_aligned(patch.gradient[1][j] + lane),
            g3 = R::load_aligned(patch.gradient[2][j] + lane);
    turned[j] = transpose_times(frame, Vector<Number>{combine(g1, edge[0].x, g2, edge[1].x, g3, edge[2].x),
                                                      combine(g1, edge[0].y, g2, edge[1].y, g3, edge[2].y),
                                                      combine(g1, edge[0].z, g2, edge[1].z, g3, edge[2].z)});
  }
  const Real<Number> twice_load(2 * load);
  return {{(turned[0].x + turned[0].x) - twice_load, turned[1].x + turned[0].y,
           (turned[1].y + turned[1].y) - twice_load, turned[2].x + turned[0].z, turned[2].y + turned[1].z,
           (turned[2].z + turned[2].z) - twice_load}};
}

// V (2 mu e + lambda tr(e) I) from 2 e.
template <class Number>
HWY_INLINE Symmetric<Number> weighted_stress(const Symmetric<Number>& twice, Real<Number> shear, Real<Number> lambda) {
  const auto& e = twice.m;
  const Real<Number> pressure = (lambda * Real<Number>(Number(0.5))) * (e[0] + (e[2] + e[5]));
  return {{mul_add(shear, e[0], pressure), shear * e[1], mul_add(shear, e[2], pressure), shear * e[3], shear * e[4],
           mul_add(shear, e[5], pressure)}};
}

// In every lane the sum of all.
template <class Number>
HWY_INLINE Symmetric<Number> sum_of_lanes(const Symmetric<Number>& s) {
  Symmetric<Number> sums;
  for (size_t k = 0; k < 6; ++k) sums.m[k] = sum_in_lanes(s.m[k]);
  return sums;
}

// R stress g of corners 1 to 3, and minus their sum for corner 0.
template <class Number>
HWY_INLINE void corner_forces(const Patch<Number>& patch, size_t lane, const Symmetric<Number>& stress,
                              const Matrix<Number>& frame, Vector<Number> (&force)[4]) {
  const Real<Number> zero = Real<Number>::zero();
  const Matrix<Number> turned =
      from_rows(times(stress, row(frame, 0)), times(stress, row(frame, 1)), times(stress, row(frame, 2)));  // R stress
  force[0] = {zero, zero, zero};
  for (size_t k = 0; k < 3; ++k) {
    const Vector<Number> g = gradient(patch, k, lane);
    force[k + 1] = times(turned, g);
    force[0] = force[0] - force[k + 1];
  }
}

template <class Number>
HWY_INLINE void forces(const PatchPose<Number>& pose, size_t begin, size_t end, Row<Number>* HWY_RESTRICT force) {
  using R = Real<Number>;
  constexpr size_t groups = patch_lanes / R::lanes;
  for (size_t p = begin; p < end; ++p) {
    const Patch<Number>& patch = pose.patches[p];
    const Matrix<Number> frame = in_every_lane(pose.frame[p]);
    Symmetric<Number> stress[groups];
    Symmetric<Number> mean;
    for (R& m : mean.m) m = R::zero();
    for (size_t g = 0; g < groups; ++g) {
      const size_t lane = g * R::lanes;
      const Symmetric<Number> twice = twice_strain(patch, lane, pose.position.data(), frame, pose.load[p]);
      mean = mul_add(R::load_aligned(patch.share + lane), twice, mean);
      stress[g] =
          weighted_stress<Number>(twice, R::load_aligned(patch.shear + lane), R::load_aligned(patch.lambda + lane));
    }
    const Symmetric<Number> shared =
        weighted_stress<Number>(sum_of_lanes<Number>(mean), patch.mean_shear, patch.mean_lambda);
    Row<Number>* to = force + patch.vertex_begin;
    std::fill(to, force + patch.vertex_end, Row<Number>{});
    for (size_t g = 0; g < groups; ++g) {
      const size_t lane = g * R::lanes;
      Vector<Number> corner[4];
      corner_forces<Number>(patch, lane, mul_add(R::load_aligned(patch.share + lane), shared, stress[g]), frame,
                            corner);
      for (size_t c = 0; c < 4; ++c) add_at_vertices(patch, c, lane, corner[c], to);
    }
  }
}

void forces_double(const PatchPose<double>& pose, size_t begin, size_t end, Row<double>* force) {
  forces(pose, begin, end, force);
}
void forces_float(const PatchPose<float>& pose, size_t begin, size_t end, Row<float>* force) {
  forces(pose, begin, end, force);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(forces_double);
HWY_EXPORT(forces_float);

template <>
void patch_forces<double>(const PatchPose<double>& pose, std::size_t begin, std::size_t end,
                          std::span<Row<double>> force) {
  HWY_DYNAMIC_DISPATCH(forces_double)(pose, begin, end, force.data());
}
template <>
void patch_forces<float>(const PatchPose<float>& pose, std::size_t begin, std::size_t end,
                         std::span<Row<float>> force) {
  HWY_DYNAMIC_DISPATCH(forces_float)(pose, begin, end, force.data());
}

}  // namespace sinew
#endif
