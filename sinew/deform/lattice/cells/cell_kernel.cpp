// multiply_cells() in vector registers, dispatched at run time.
#include "sinew/deform/lattice/cells/cell_products.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/lattice/cells/cell_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/linalg/lanes.h"

#include <algorithm>
#include <span>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;

constexpr size_t floats_per_line = 16;

using Wide = Pack<float, floats_per_line>;
constexpr size_t lanes = Wide::lanes;
// Number of result vectors accumulated in parallel; for one-lane builds enough that compilers vectorise them.
constexpr size_t most_rows = lanes == 1 ? 8 : 4;

// Some of a row's four numbers, or all.
using Part = Pack<float, 4>;
constexpr size_t parts = 4 / Part::lanes;

// The rows or the columns of a rotation, each followed by a zero.
struct Axes {
  Part axis[3][parts];
};
HWY_INLINE Axes axes(const float (&rotation)[3][4]) {
  Axes a;
  for (size_t k = 0; k < 3; ++k)
    for (size_t p = 0; p < parts; ++p) a.axis[k][p] = Part::load_aligned(rotation[k] + p * Part::lanes);
  return a;
}
// Writes the turned vector and a zero.
HWY_INLINE void turn(const Axes& a, float x, float y, float z, float* to) {
  for (size_t p = 0; p < parts; ++p)
    combine(a.axis[0][p], Part(x), a.axis[1][p], Part(y), a.axis[2][p], Part(z)).store(to + p * Part::lanes);
}

// rows `count` vectors of to = A from, columns in two chains, so that a multiply-add need not wait for the one before.
template <size_t count>
HWY_INLINE void multiply_rows(const float* HWY_RESTRICT column, size_t stride, size_t columns,
                              const float* HWY_RESTRICT from, float* HWY_RESTRICT to) {
  Wide even[count], odd[count];
  for (size_t i = 0; i < count; ++i) even[i] = odd[i] = Wide::zero();
  size_t j = 0;
  for (; j + 1 < columns; j += 2, column += 2 * stride) {
    const Wide a(from[j]), b(from[j + 1]);
    for (size_t i = 0; i < count; ++i) {
      even[i] = mul_add(Wide::load_aligned(column + i * lanes), a, even[i]);
      odd[i] = mul_add(Wide::load_aligned(column + stride + i * lanes), b, odd[i]);
    }
  }
  if (j < columns) {
    const Wide a(from[j]);
    for (size_t i = 0; i < count; ++i) even[i] = mul_add(Wide::load_aligned(column + i * lanes), a, even[i]);
  }
  for (size_t i = 0; i < count; ++i) (even[i] + odd[i]).store(to + i * lanes);
}

void multiply(const CellProducts& products, std::span<const CellFrame> frame, bool in_frames,
              std::span<const Row<float>> x, size_t begin, size_t end, std::span<Row<float>> z) {
  size_t most = 0;
  for (size_t c = begin; c < end; ++c) most = std::max(most, static_cast<size_t>(products.count[c]));
  // Stores rows of four numbers overlapping, so that three of each remain; needs room for one more number at the end.
  const size_t room = (3 * most + floats_per_line) / floats_per_line + 1;
  thread_local std::vector<FloatLine> memory;
  if (memory.size() < 2 * room) memory.resize(2 * room);
  float* const local = &memory[0].number[0];
  float* const result = &memory[room].number[0];
  for (size_t c = begin; c < end; ++c) {
    const auto first = static_cast<size_t>(products.first[c]), n = static_cast<size_t>(products.count[c]);
    if (n == 0) continue;
    if (in_frames) {
      for (size_t k = 0; k < n; ++k) std::copy_n(&x[first + k].x, 4, local + 3 * k);
    } else {
      const Axes rows = axes(frame[c].row);
      for (size_t k = 0; k < n; ++k) {
        const Row<float>& from = x[static_cast<size_t>(products.slot[first + k])];
        turn(rows, from.x, from.y, from.z, local + 3 * k);
      }
    }
    const size_t stride = (3 * n + floats_per_line - 1) / floats_per_line * floats_per_line;
    const float* const column = &products.column.data()[products.offset[c]].number[0];
    size_t row = 0;
    for (; row + most_rows * lanes <= stride; row += most_rows * lanes)
      multiply_rows<most_rows>(column + row, stride, 3 * n, local, result + row);
    for (; row + 3 * lanes <= stride; row += 3 * lanes)
      multiply_rows<3>(column + row, stride, 3 * n, local, result + row);
    for (; row + 2 * lanes <= stride; row += 2 * lanes)
      multiply_rows<2>(column + row, stride, 3 * n, local, result + row);
    for (; row < stride; row += lanes) multiply_rows<1>(column + row, stride, 3 * n, local, result + row);
    const Axes columns = axes(frame[c].column);
    for (size_t k = 0; k < n; ++k) {
      const float* const p = result + 3 * k;
      turn(columns, p[0], p[1], p[2], &z[first + k].x);
    }
  }
}

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
