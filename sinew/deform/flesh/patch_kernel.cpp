// patch_forces() with the tetrahedra of a patch side by side in vector registers, dispatched at run time.
#include "sinew/deform/flesh/patch_elasticity.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/flesh/patch_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/deform/flesh/patch_lanes.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

using namespace sinew::patch_kernels::HWY_NAMESPACE;

template <class Number>
HWY_INLINE Matrix<Number> in_every_lane(const PatchFrame<Number>& r) {
  Matrix<Number> frame;
  for (size_t k = 0; k < 9; ++k) frame.m[k] = Real<Number>(r.entry[k]);
  return frame;
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
