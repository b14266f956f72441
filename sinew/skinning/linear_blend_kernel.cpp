#include "sinew/skinning/linear_blend_kernel.h"

#include <cmath>
#include <cstring>

// Enough builds: portable, SSE4, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/skinning/linear_blend_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::skinning {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One vertex at a time: its blended matrix is a weighted sum of whole cache lines, and the product
// with the point multiplies all four columns at once and adds them. (Sixteen vertices at a time
// would need forty-eight gathers.)
#if HWY_TARGET != HWY_SCALAR

using Quad = hn::Vec<hn::Full128<float>>;

// The four bones of a vertex from one load: the load ports are the bottleneck.
struct Bones {
  const float* m[4];
};

HWY_INLINE Bones bones_of(const std::uint16_t* HWY_RESTRICT joint, const FloatBone* HWY_RESTRICT bone) {
  std::uint64_t packed;
  std::memcpy(&packed, joint, sizeof packed);
  // The order of bytes on every target that has vectors here: little-endian.
  return {{bone[packed & 0xffff].m, bone[packed >> 16 & 0xffff].m, bone[packed >> 32 & 0xffff].m, bone[packed >> 48].m}};
}

#if HWY_MAX_BYTES == 64
// The four columns in one vector.
struct Blended {
  hn::Vec<hn::ScalableTag<float>> columns;
};

HWY_INLINE Blended blend(const float* HWY_RESTRICT weight, const std::uint16_t* HWY_RESTRICT joint,
                         const FloatBone* HWY_RESTRICT bone) {
  const hn::ScalableTag<float> d;
  const Bones bones = bones_of(joint, bone);
  auto sum = hn::Mul(hn::Load(d, bones.m[0]), hn::Set(d, weight[0]));
  sum = hn::MulAdd(hn::Load(d, bones.m[1]), hn::Set(d, weight[1]), sum);
  sum = hn::MulAdd(hn::Load(d, bones.m[2]), hn::Set(d, weight[2]), sum);
  sum = hn::MulAdd(hn::Load(d, bones.m[3]), hn::Set(d, weight[3]), sum);
  return {sum};
}

// columns * (p.x, p.y, p.z, last)
HWY_INLINE Quad transform(const Blended& blended, const float* HWY_RESTRICT p, float last) {
  const hn::ScalableTag<float> d;
  const hn::Half<decltype(d)> half;
  const hn::Half<decltype(half)> quad;
  HWY_ALIGN static constexpr int32_t spread[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
  const auto coordinates = hn::TableLookupLanes(hn::LoadDup128(d, p), hn::SetTableIndices(d, spread));
  const auto product = hn::Mul(blended.columns, hn::IfThenElse(hn::FirstN(d, 12), coordinates, hn::Set(d, last)));
  const auto pair = hn::Add(hn::LowerHalf(half, product), hn::UpperHalf(half, product));
  return hn::Add(hn::LowerHalf(quad, pair), hn::UpperHalf(quad, pair));
}

#elif HWY_MAX_BYTES == 32
// Columns 0 and 1, 2 and 3.
struct Blended {
  hn::Vec<hn::ScalableTag<float>> first, second;
};

HWY_INLINE Blended blend(const float* HWY_RESTRICT weight, const std::uint16_t* HWY_RESTRICT joint,
                         const FloatBone* HWY_RESTRICT bone) {
  const hn::ScalableTag<float> d;
  const Bones bones = bones_of(joint, bone);
  const float* m = bones.m[0];
  auto factor = hn::Set(d, weight[0]);
  auto first = hn::Mul(hn::Load(d, m), factor), second = hn::Mul(hn::Load(d, m + 8), factor);
  for (int k = 1; k < 4; ++k) {
    m = bones.m[k];
    factor = hn::Set(d, weight[k]);
    first = hn::MulAdd(hn::Load(d, m), factor, first);
    second = hn::MulAdd(hn::Load(d, m + 8), factor, second);
  }
  return {first, second};
}

HWY_INLINE Quad transform(const Blended& blended, const float* HWY_RESTRICT p, float last) {
  const hn::ScalableTag<float> d;
  const hn::Half<decltype(d)> quad;
  const auto x = hn::Set(quad, p[0]), y = hn::Set(quad, p[1]), z = hn::Set(quad, p[2]), w = hn::Set(quad, last);
  const auto pair = hn::MulAdd(blended.second, hn::Combine(d, w, z), hn::Mul(blended.first, hn::Combine(d, y, x)));
  return hn::Add(hn::LowerHalf(quad, pair), hn::UpperHalf(quad, pair));
}

#else
struct Blended {
  Quad x, y, z, last;
};

HWY_INLINE Blended blend(const float* HWY_RESTRICT weight, const std::uint16_t* HWY_RESTRICT joint,
                         const FloatBone* HWY_RESTRICT bone) {
  const hn::Full128<float> d;
  const Bones bones = bones_of(joint, bone);
  Blended sum{hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  for (int k = 0; k < 4; ++k) {
    const float* m = bones.m[k];
    const auto factor = hn::Set(d, weight[k]);
    sum.x = hn::MulAdd(hn::Load(d, m), factor, sum.x);
    sum.y = hn::MulAdd(hn::Load(d, m + 4), factor, sum.y);
    sum.z = hn::MulAdd(hn::Load(d, m + 8), factor, sum.z);
    sum.last = hn::MulAdd(hn::Load(d, m + 12), factor, sum.last);
  }
  return sum;
}

HWY_INLINE Quad transform(const Blended& blended, const float* HWY_RESTRICT p, float last) {
  const hn::Full128<float> d;
  const auto xy = hn::MulAdd(blended.y, hn::Set(d, p[1]), hn::Mul(blended.x, hn::Set(d, p[0])));
  return hn::Add(xy, hn::MulAdd(blended.z, hn::Set(d, p[2]), hn::Mul(blended.last, hn::Set(d, last))));
}
#endif

HWY_INLINE Quad unit(Quad v) {
  const hn::Full128<float> d;
  const auto squared = hn::SumOfLanes(d, hn::Mul(v, v));   // the fourth lane is zero
  // One step of Newton's method makes the estimate of the processor exact to rounding.
  const auto estimate = hn::ApproximateReciprocalSqrt(squared);
  const auto correction = hn::NegMulAdd(hn::Mul(hn::Mul(squared, hn::Set(d, 0.5f)), estimate), estimate, hn::Set(d, 1.5f));
  return hn::IfThenElseZero(hn::Gt(squared, hn::Set(d, vanishing_squared)), hn::Mul(v, hn::Mul(estimate, correction)));
}

template <bool with_normals>
HWY_INLINE void skin_any(const VertexRange& range, const FloatBone* HWY_RESTRICT bone) {
  const hn::Full128<float> d;
  const float* HWY_RESTRICT weight = range.weight;
  const std::uint16_t* HWY_RESTRICT joint = range.joint;
  // A store of four numbers spills one into the next vertex, which is written after it; the last
  // vertex goes through a buffer.
  const auto vertex = [&](size_t i, float* to_position, float* to_normal) HWY_ATTR {
    const Blended blended = blend(weight + 4 * i, joint + 4 * i, bone);
    hn::StoreU(transform(blended, range.position + 3 * i, 1), d, to_position);
    if constexpr (with_normals) hn::StoreU(unit(transform(blended, range.normal + 3 * i, 0)), d, to_normal);
  };
  if (range.count == 0) return;
  const size_t last = range.count - 1;
  for (size_t i = 0; i < last; ++i)
    vertex(i, range.result_position + 3 * i, with_normals ? range.result_normal + 3 * i : nullptr);
  float position[4], normal[4];
  vertex(last, position, normal);
  std::memcpy(range.result_position + 3 * last, position, 3 * sizeof(float));
  if constexpr (with_normals) std::memcpy(range.result_normal + 3 * last, normal, 3 * sizeof(float));
}

#else   // one lane

template <bool with_normals>
void skin_any(const VertexRange& range, const FloatBone* bone) {
  for (size_t i = 0; i < range.count; ++i) {
    float m[16] = {};
    for (size_t k = 0; k < 4; ++k)
      for (size_t e = 0; e < 16; ++e) m[e] += range.weight[4 * i + k] * bone[range.joint[4 * i + k]].m[e];
    const float* p = range.position + 3 * i;
    for (size_t row = 0; row < 3; ++row)
      range.result_position[3 * i + row] = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
    if constexpr (with_normals) {
      const float* n = range.normal + 3 * i;
      float turned[3], squared = 0;
      for (size_t row = 0; row < 3; ++row) {
        turned[row] = m[row] * n[0] + m[4 + row] * n[1] + m[8 + row] * n[2];
        squared += turned[row] * turned[row];
      }
      const float inverse_length = squared > vanishing_squared ? 1 / std::sqrt(squared) : 0;
      for (size_t row = 0; row < 3; ++row) range.result_normal[3 * i + row] = turned[row] * inverse_length;
    }
  }
}

#endif

void skin_positions(const VertexRange& range, const FloatBone* bone) { skin_any<false>(range, bone); }
void skin_positions_and_normals(const VertexRange& range, const FloatBone* bone) { skin_any<true>(range, bone); }

}  // namespace HWY_NAMESPACE
}  // namespace sinew::skinning
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::skinning {

HWY_EXPORT(skin_positions);
HWY_EXPORT(skin_positions_and_normals);

void skin_range(const VertexRange& range, const FloatBone* bone) {
  if (range.result_normal) HWY_DYNAMIC_DISPATCH(skin_positions_and_normals)(range, bone);
  else HWY_DYNAMIC_DISPATCH(skin_positions)(range, bone);
}

}  // namespace sinew::skinning
#endif
