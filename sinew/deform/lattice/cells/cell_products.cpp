#include "sinew/deform/lattice/cells/cell_products.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t line = 16;
constexpr std::size_t cell_products_cell_grain = 16;

std::size_t lines_of(std::size_t functions) { return (3 * functions + line - 1) / line; }

}  // namespace

CellFrame cell_frame(const Mat3& rotation) {
  CellFrame frame{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) frame.row[i][j] = frame.column[j][i] = static_cast<float>(rotation(i, j));
  return frame;
}

CellProducts cell_products(const CellMatrices& cells, std::span<const int> slot, std::span<const CellFactors> factors) {
  CellProducts result;
  result.first.push_back(0);
  result.offset.push_back(0);
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    for (int k = 0; k < cells.functions_of(c); ++k) {
      const int s = slot[static_cast<std::size_t>(cells.function[static_cast<std::size_t>(cells.start[c] + k)])];
      if (s < 0) continue;
      result.slot.push_back(s);
      result.place.push_back(k);
    }
    result.count.push_back(static_cast<int>(result.slot.size()) - result.first.back());
    result.first.push_back(static_cast<int>(result.slot.size()));
    const auto n = static_cast<std::size_t>(result.count.back());
    result.offset.push_back(result.offset.back() + 3 * n * lines_of(n));
  }
  result.column.assign(result.offset.back(), FloatLine{});
  parallel_for(cells.cells(), cell_products_cell_grain, [&](std::size_t c) {
    const auto first = static_cast<std::size_t>(result.first[c]), n = static_cast<std::size_t>(result.count[c]);
    if (n == 0) return;
    const std::size_t stride = lines_of(n) * line, all = static_cast<std::size_t>(cells.functions_of(c));
    const CellFactors& factor = factors_of(factors, c);
    float* const column = &result.column[result.offset[c]].number[0];
    const auto place = [&](std::size_t k) { return static_cast<std::size_t>(result.place[first + k]); };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t pair = cells.offset[c] + place(i) * all + place(j);
        const double scalar = factor.mass * cells.mass[pair] + factor.hold * cells.hold[pair];
        for (std::size_t r = 0; r < 3; ++r)
          for (std::size_t q = 0; q < 3; ++q)
            column[(3 * j + q) * stride + 3 * i + r] =
                static_cast<float>(factor.stiffness * cells.stiffness[pair](r, q) + (r == q ? scalar : 0.0));
      }
  });
  return result;
}

void restrict_products(const CellProducts& all, std::span<const int> active_slot, CellProducts& active) {
  active.first = all.first;
  active.offset = all.offset;
  active.count.resize(all.cells());
  active.slot.resize(all.entries());
  active.place.resize(all.entries(), -1);
  active.column.resize(all.column.size());
  parallel_for(all.cells(), cell_products_cell_grain, [&](std::size_t c) {
    const auto first = static_cast<std::size_t>(all.first[c]), of = static_cast<std::size_t>(all.count[c]);
    const int* const kept = active.place.data() + first;
    std::size_t n = 0;
    bool same = true;
    for (std::size_t k = 0; k < of; ++k) {
      const int s = active_slot[static_cast<std::size_t>(all.slot[first + k])];
      if (s < 0) continue;
      active.slot[first + n] = s;
      int& place = active.place[first + n++];
      same &= place == static_cast<int>(k);
      place = static_cast<int>(k);
    }
    same &= active.count[c] == static_cast<int>(n);
    active.count[c] = static_cast<int>(n);
    if (same) return;
    const std::size_t from_stride = lines_of(of) * line, to_stride = lines_of(n) * line;
    const float* const from = &all.column[all.offset[c]].number[0];
    float* const to = &active.column[active.offset[c]].number[0];
    for (std::size_t j = 0; j < 3 * n; ++j) {
      const float* const source = from + (3 * static_cast<std::size_t>(kept[j / 3]) + j % 3) * from_stride;
      float* const target = to + j * to_stride;
      for (std::size_t i = 0; i < n; ++i)
        std::copy_n(source + 3 * static_cast<std::size_t>(kept[i]), 3, target + 3 * i);
      std::fill(target + 3 * n, target + to_stride, 0.0f);
    }
  });
}

SlotEntries entries_of_slots(const CellProducts& products, int slots) {
  SlotEntries result;
  result.start.assign(static_cast<std::size_t>(slots) + 1, 0);
  const auto for_each_entry = [&](const auto& visit) {
    for (std::size_t c = 0; c < products.cells(); ++c)
      for (int e = products.first[c]; e < products.first[c] + products.count[c]; ++e)
        visit(e, static_cast<std::size_t>(products.slot[static_cast<std::size_t>(e)]));
  };
  for_each_entry([&](int, std::size_t s) { ++result.start[s + 1]; });
  for (std::size_t s = 1; s < result.start.size(); ++s) result.start[s] += result.start[s - 1];
  result.entry.resize(static_cast<std::size_t>(result.start.back()));
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for_each_entry([&](int e, std::size_t s) { result.entry[static_cast<std::size_t>(next[s]++)] = e; });
  return result;
}

}  // namespace sinew
