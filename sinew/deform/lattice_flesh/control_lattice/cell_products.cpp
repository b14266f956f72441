#include "sinew/deform/lattice_flesh/control_lattice/cell_products.h"

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t line = 16;

std::size_t lines_of(std::size_t functions) { return (3 * functions + line - 1) / line; }

}  // namespace

CellProducts cell_products(const CellMatrices& cells, std::span<const int> slot, int slots, double mass_factor,
                           double stiffness_factor) {
  CellProducts result;
  std::vector<int> place;  // per entry of the result, its place among the cell's functions
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    for (int k = 0; k < cells.functions_of(c); ++k) {
      const int s = slot[static_cast<std::size_t>(cells.function[static_cast<std::size_t>(cells.start[c] + k)])];
      if (s < 0) continue;
      result.slot.push_back(s);
      place.push_back(k);
    }
    result.start.push_back(static_cast<int>(result.slot.size()));
    const auto n = static_cast<std::size_t>(result.start[c + 1] - result.start[c]);
    result.offset.push_back(result.offset.back() + 3 * n * lines_of(n));
  }
  result.column.assign(result.offset.back(), FloatLine{});
  parallel_for(cells.cells(), 16, [&](std::size_t c) {
    const auto first = static_cast<std::size_t>(result.start[c]), n = static_cast<std::size_t>(result.start[c + 1]) - first;
    const std::size_t stride = lines_of(n) * line, all = static_cast<std::size_t>(cells.functions_of(c));
    float* const column = &result.column.data()[result.offset[c]].number[0];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t pair = cells.offset[c] + static_cast<std::size_t>(place[first + i]) * all +
                                 static_cast<std::size_t>(place[first + j]);
        for (std::size_t r = 0; r < 3; ++r)
          for (std::size_t q = 0; q < 3; ++q)
            column[(3 * j + q) * stride + 3 * i + r] = static_cast<float>(
                stiffness_factor * cells.stiffness[pair](r, q) + (r == q ? mass_factor * cells.mass[pair] : 0.0));
      }
  });
  result.slot_start.assign(static_cast<std::size_t>(slots) + 1, 0);
  for (int s : result.slot) ++result.slot_start[static_cast<std::size_t>(s) + 1];
  for (std::size_t s = 1; s < result.slot_start.size(); ++s) result.slot_start[s] += result.slot_start[s - 1];
  result.slot_entry.resize(result.slot.size());
  std::vector<int> next(result.slot_start.begin(), result.slot_start.end() - 1);
  for (std::size_t e = 0; e < result.slot.size(); ++e)
    result.slot_entry[static_cast<std::size_t>(next[static_cast<std::size_t>(result.slot[e])]++)] = static_cast<int>(e);
  return result;
}

void multiply_cells_reference(const CellProducts& products, std::span<const PatchFrame<float>> frame, bool in_frames,
                              std::span<const Row<float>> x, std::size_t begin, std::size_t end,
                              std::span<Row<float>> z) {
  std::vector<float> local, product;
  for (std::size_t c = begin; c < end; ++c) {
    const auto first = static_cast<std::size_t>(products.start[c]), n = static_cast<std::size_t>(products.start[c + 1]) - first;
    const float* const r = frame[c].entry;
    local.resize(3 * n);
    for (std::size_t k = 0; k < n; ++k) {
      const Row<float>& from = x[in_frames ? first + k : static_cast<std::size_t>(products.slot[first + k])];
      for (std::size_t q = 0; q < 3; ++q)
        local[3 * k + q] = in_frames ? (&from.x)[q] : r[q] * from.x + r[3 + q] * from.y + r[6 + q] * from.z;
    }
    const float* const column = &products.column.data()[products.offset[c]].number[0];
    product.assign(3 * n, 0.0f);
    for (std::size_t j = 0; j < 3 * n; ++j)
      for (std::size_t i = 0; i < 3 * n; ++i) product[i] += column[j * lines_of(n) * line + i] * local[j];
    for (std::size_t k = 0; k < n; ++k) {
      const float* const p = product.data() + 3 * k;
      z[first + k] = {r[0] * p[0] + r[1] * p[1] + r[2] * p[2], r[3] * p[0] + r[4] * p[1] + r[5] * p[2],
                      r[6] * p[0] + r[7] * p[1] + r[8] * p[2], 0};
    }
  }
}

}  // namespace sinew
