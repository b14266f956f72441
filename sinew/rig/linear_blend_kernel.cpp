#include "sinew/rig/linear_blend_kernel.h"

#include <cmath>
#include <cstring>

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/rig/linear_blend_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::skinning {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vertex by vertex: its blended matrix is a weighted sum of whole cache lines, and the product
// with the point multiplies all four columns at once and adds them. (Sixteen vertices at a time
// would need forty-eight gathers.)
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

using Quad = hn::Vec<hn::Full128<float>>;

HWY_INLINE const float* matrix(const FloatBone* HWY_RESTRICT bone, std::uint16_t offset) {
  return reinterpret_cast<const float*>(reinterpret_cast<const char*>(bone) + bone_offset_unit * size_t{offset});
}

#if HWY_MAX_BYTES == 64
// The four columns in one vector.
using Wide = hn::Vec<hn::ScalableTag<float>>;
struct Blended {
  Wide columns;
};

HWY_INLINE Blended blend(const float* HWY_RESTRICT weight, const std::uint16_t* HWY_RESTRICT offset,
                         const FloatBone* HWY_RESTRICT bone) {
  const hn::ScalableTag<float> d;
  auto sum = hn::Mul(hn::Load(d, matrix(bone, offset[0])), hn::Set(d, weight[0]));
  sum = hn::MulAdd(hn::Load(d, matrix(bone, offset[1])), hn::Set(d, weight[1]), sum);
  sum = hn::MulAdd(hn::Load(d, matrix(bone, offset[2])), hn::Set(d, weight[2]), sum);
  sum = hn::MulAdd(hn::Load(d, matrix(bone, offset[3])), hn::Set(d, weight[3]), sum);
  return {sum};
}

// The columns multiplied by p.x, p.y, p.z and `last`, before they are added.
HWY_INLINE Wide scaled_columns(const Blended& blended, const float* HWY_RESTRICT p, float last) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN static constexpr int32_t spread[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
  const auto coordinates = hn::TableLookupLanes(hn::LoadDup128(d, p), hn::SetTableIndices(d, spread));
  return hn::Mul(blended.columns, hn::IfThenElse(hn::FirstN(d, 12), coordinates, hn::Set(d, last)));
}

// columns * (p.x, p.y, p.z, last)
HWY_INLINE Quad transform(const Blended& blended, const float* HWY_RESTRICT p, float last) {
  const hn::ScalableTag<float> d;
  const hn::Half<decltype(d)> half;
  const hn::Half<decltype(half)> quad;
  const auto product = scaled_columns(blended, p, last);
  const auto pair = hn::Add(hn::LowerHalf(half, product), hn::UpperHalf(half, product));
  return hn::Add(hn::LowerHalf(quad, pair), hn::UpperHalf(quad, pair));
}

// Adds the four columns of each of four vertices; the results come in the order 0, 2, 1, 3. Fewer
// shuffles than four times transform(): they and the multiply-adds share two ports.
HWY_INLINE Wide add_columns(Wide v0, Wide v1, Wide v2, Wide v3) {
  const hn::ScalableTag<float> d;
  const auto first = hn::Add(hn::ConcatLowerLower(d, v1, v0), hn::ConcatUpperUpper(d, v1, v0));
  const auto second = hn::Add(hn::ConcatLowerLower(d, v3, v2), hn::ConcatUpperUpper(d, v3, v2));
  return hn::Add(hn::OddEvenBlocks(second, first), hn::SwapAdjacentBlocks(hn::OddEvenBlocks(first, second)));
}

// Stores twelve numbers, plus four past the end.
HWY_INLINE void store_four(Wide vertices, float* HWY_RESTRICT to) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN static constexpr int32_t packed[16] = {0, 1, 2, 8, 9, 10, 4, 5, 6, 12, 13, 14, 3, 3, 3, 3};
  hn::StoreU(hn::TableLookupLanes(vertices, hn::SetTableIndices(d, packed)), d, to);
}

#else
// Columns 0 and 1, 2 and 3.
struct Blended {
  hn::Vec<hn::ScalableTag<float>> first, second;
};

HWY_INLINE Blended blend(const float* HWY_RESTRICT weight, const std::uint16_t* HWY_RESTRICT offset,
                         const FloatBone* HWY_RESTRICT bone) {
  const hn::ScalableTag<float> d;
  const float* m = matrix(bone, offset[0]);
  auto factor = hn::Set(d, weight[0]);
  auto first = hn::Mul(hn::Load(d, m), factor), second = hn::Mul(hn::Load(d, m + 8), factor);
  for (int k = 1; k < 4; ++k) {
    m = matrix(bone, offset[k]);
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

#endif

// Normalises x, y, z of each block of four; the fourth number is zero.
template <class D, class V>
HWY_INLINE V unit(D d, V v) {
  const auto squares = hn::Mul(v, v);
  const auto pairs = hn::Add(squares, hn::Shuffle2301(squares));
  const auto squared = hn::Add(pairs, hn::Shuffle1032(pairs));
  // One Newton step makes the processor's estimate accurate to rounding.
  const auto estimate = hn::ApproximateReciprocalSqrt(squared);
  const auto correction =
      hn::NegMulAdd(hn::Mul(hn::Mul(squared, hn::Set(d, 0.5f)), estimate), estimate, hn::Set(d, 1.5f));
  return hn::IfThenElseZero(hn::Gt(squared, hn::Set(d, vanishing_squared)), hn::Mul(v, hn::Mul(estimate, correction)));
}

template <bool with_normals>
HWY_INLINE void skin_any(const VertexRange& range, const FloatBone* HWY_RESTRICT bone) {
  const hn::Full128<float> d;
  const float* HWY_RESTRICT weight = range.weight;
  const std::uint16_t* HWY_RESTRICT offset = range.bone_offset;
  // A store of four numbers overwrites one of the next vertex, which is written later; the last vertex goes through a
  // buffer.
  const auto vertex = [&](size_t v, float* to_position, float* to_normal) HWY_ATTR {
    const Blended blended = blend(weight + 4 * v, offset + 4 * v, bone);
    hn::StoreU(transform(blended, range.position + 3 * v, 1), d, to_position);
    if constexpr (with_normals) hn::StoreU(unit(d, transform(blended, range.normal + 3 * v, 0)), d, to_normal);
  };
  if (range.count == 0) return;
  const size_t last = range.count - 1;
  size_t i = 0;
#if HWY_MAX_BYTES == 64
  for (; i + 6 <= range.count; i += 4) {
    Wide position[4], normal[4];
    for (size_t k = 0; k < 4; ++k) {
      const Blended blended = blend(weight + 4 * (i + k), offset + 4 * (i + k), bone);
      position[k] = scaled_columns(blended, range.position + 3 * (i + k), 1);
      if constexpr (with_normals) normal[k] = scaled_columns(blended, range.normal + 3 * (i + k), 0);
    }
    store_four(add_columns(position[0], position[1], position[2], position[3]), range.result_position + 3 * i);
    if constexpr (with_normals) {
      const auto turned = add_columns(normal[0], normal[1], normal[2], normal[3]);
      store_four(unit(hn::ScalableTag<float>(), turned), range.result_normal + 3 * i);
    }
  }
#endif
  for (; i < last; ++i) vertex(i, range.result_position + 3 * i, with_normals ? range.result_normal + 3 * i : nullptr);
  float position[4], normal[4];
  vertex(last, position, normal);
  std::memcpy(range.result_position + 3 * last, position, 3 * sizeof(float));
  if constexpr (with_normals) std::memcpy(range.result_normal + 3 * last, normal, 3 * sizeof(float));
}

#else  // no vectors worth the name

template <bool with_normals>
void skin_any(const VertexRange& range, const FloatBone* bone) {
  for (size_t i = 0; i < range.count; ++i) {
    float m[16] = {};
    for (size_t k = 0; k < 4; ++k)
      for (size_t e = 0; e < 16; ++e)
        m[e] += range.weight[4 * i + k] * bone[range.bone_offset[4 * i + k] / bone_offsets_per_bone].m[e];
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
  if (range.result_normal)
    HWY_DYNAMIC_DISPATCH(skin_positions_and_normals)(range, bone);
  else
    HWY_DYNAMIC_DISPATCH(skin_positions)(range, bone);
}

}  // namespace sinew::skinning
#endif
