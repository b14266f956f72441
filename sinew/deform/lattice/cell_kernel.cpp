// multiply_cells() in vector registers, dispatched at run time.
#include "sinew/deform/lattice/cell_products.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/lattice/cell_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <span>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t floats_per_line = 16;

using Four = hn::FixedTag<float, 4>;
using Wide = hn::CappedTag<float, floats_per_line>;
constexpr size_t lanes = HWY_MIN(HWY_MAX_BYTES / sizeof(float), floats_per_line);

// The rows or the columns of a rotation, each followed by a zero.
struct Axes {
  hn::Vec<Four> axis[3];
};
HWY_INLINE Axes axes(const float (&rotation)[3][4]) {
  const Four d;
  return {{hn::Load(d, rotation[0]), hn::Load(d, rotation[1]), hn::Load(d, rotation[2])}};
}
HWY_INLINE hn::Vec<Four> combine(const Axes& a, float x, float y, float z) {
  const Four d;
  return hn::MulAdd(a.axis[2], hn::Set(d, z), hn::MulAdd(a.axis[1], hn::Set(d, y), hn::Mul(a.axis[0], hn::Set(d, x))));
}

// rows `count` vectors of to = A from, columns in two chains, so that a multiply-add need not wait for the one before.
template <size_t count>
HWY_INLINE void multiply_rows(const float* HWY_RESTRICT column, size_t stride, size_t columns,
                              const float* HWY_RESTRICT from, float* HWY_RESTRICT to) {
  const Wide d;
  hn::Vec<Wide> even[count], odd[count];
  for (size_t i = 0; i < count; ++i) even[i] = odd[i] = hn::Zero(d);
  size_t j = 0;
  for (; j + 1 < columns; j += 2, column += 2 * stride) {
    const auto a = hn::Set(d, from[j]), b = hn::Set(d, from[j + 1]);
    for (size_t i = 0; i < count; ++i) {
      even[i] = hn::MulAdd(hn::Load(d, column + i * lanes), a, even[i]);
      odd[i] = hn::MulAdd(hn::Load(d, column + stride + i * lanes), b, odd[i]);
    }
  }
  if (j < columns) {
    const auto a = hn::Set(d, from[j]);
    for (size_t i = 0; i < count; ++i) even[i] = hn::MulAdd(hn::Load(d, column + i * lanes), a, even[i]);
  }
  for (size_t i = 0; i < count; ++i) hn::Store(hn::Add(even[i], odd[i]), d, to + i * lanes);
}

void multiply(const CellProducts& products, std::span<const CellFrame> frame, bool in_frames,
              std::span<const Row<float>> x, size_t begin, size_t end, std::span<Row<float>> z) {
  const Four four;
  size_t most = 0;
  for (size_t c = begin; c < end; ++c) most = HWY_MAX(most, static_cast<size_t>(products.count[c]));
  // Rows of four are stored over each other, so that three numbers remain of each: room for one more.
  const size_t room = (3 * most + floats_per_line) / floats_per_line + 1;
  thread_local std::vector<FloatLine> memory;
  if (memory.size() < 2 * room) memory.resize(2 * room);
  float* const local = &memory[0].number[0];
  float* const result = &memory[room].number[0];
  for (size_t c = begin; c < end; ++c) {
    const auto first = static_cast<size_t>(products.first[c]), n = static_cast<size_t>(products.count[c]);
    if (n == 0) continue;
    if (in_frames) {
      for (size_t k = 0; k < n; ++k) hn::StoreU(hn::Load(four, &x[first + k].x), four, local + 3 * k);
    } else {
      const Axes rows = axes(frame[c].row);
      for (size_t k = 0; k < n; ++k) {
        const Row<float>& from = x[static_cast<size_t>(products.slot[first + k])];
        hn::StoreU(combine(rows, from.x, from.y, from.z), four, local + 3 * k);
      }
    }
    const size_t stride = (3 * n + floats_per_line - 1) / floats_per_line * floats_per_line;
    const float* const column = &products.column.data()[products.offset[c]].number[0];
    size_t row = 0;
    for (; row + 4 * lanes <= stride; row += 4 * lanes) multiply_rows<4>(column + row, stride, 3 * n, local, result + row);
    for (; row + 3 * lanes <= stride; row += 3 * lanes) multiply_rows<3>(column + row, stride, 3 * n, local, result + row);
    for (; row + 2 * lanes <= stride; row += 2 * lanes) multiply_rows<2>(column + row, stride, 3 * n, local, result + row);
    for (; row < stride; row += lanes) multiply_rows<1>(column + row, stride, 3 * n, local, result + row);
    const Axes columns = axes(frame[c].column);
    for (size_t k = 0; k < n; ++k) {
      const float* const p = result + 3 * k;
      hn::Store(combine(columns, p[0], p[1], p[2]), four, &z[first + k].x);
    }
  }
}

#else

void multiply(const CellProducts& products, std::span<const CellFrame> frame, bool in_frames,
              std::span<const Row<float>> x, size_t begin, size_t end, std::span<Row<float>> z) {
  multiply_cells_reference(products, frame, in_frames, x, begin, end, z);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(multiply);

void multiply_cells(const CellProducts& products, std::span<const CellFrame> frame, bool in_frames,
                    std::span<const Row<float>> x, std::size_t begin, std::size_t end, std::span<Row<float>> z) {
  HWY_DYNAMIC_DISPATCH(multiply)(products, frame, in_frames, x, begin, end, z);
}

}  // namespace sinew
#endif
