#include "sinew/deform/lattice/cells/cell_matrices.h"

#include <algorithm>
#include <utility>

#include "sinew/base/threads/parallel.h"
#include "sinew/elastic/stiffness.h"

namespace sinew {
namespace {

// Items of `cell_of` sorted by cell.
struct ByCell {
  std::vector<int> start, item;
};

ByCell sorted_by_cell(std::span<const int> cell_of, int cells) {
  ByCell result;
  result.start.assign(static_cast<std::size_t>(cells) + 1, 0);
  for (int c : cell_of) ++result.start[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 1; c < result.start.size(); ++c) result.start[c] += result.start[c - 1];
  result.item.resize(cell_of.size());
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for (std::size_t i = 0; i < cell_of.size(); ++i)
    result.item[static_cast<std::size_t>(next[static_cast<std::size_t>(cell_of[i])]++)] = static_cast<int>(i);
  return result;
}

std::span<const int> items(const ByCell& sorted, std::size_t cell) {
  const auto first = static_cast<std::size_t>(sorted.start[cell]),
             last = static_cast<std::size_t>(sorted.start[cell + 1]);
  return {sorted.item.data() + first, last - first};
}

// Place of each function in a cell's list, valid for the functions on the cell.
std::size_t place(std::span<const int> functions, int function) {
  return static_cast<std::size_t>(std::lower_bound(functions.begin(), functions.end(), function) - functions.begin());
}

void add_sample(const StrainSamples& samples, std::size_t s, std::span<const std::size_t> at, std::size_t n,
                std::span<Mat3> stiffness) {
  const auto first = static_cast<std::size_t>(samples.start[s]);
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = 0; j < at.size(); ++j)
      stiffness[at[i] * n + at[j]] += stiffness_block(samples.gradient[first + i], samples.gradient[first + j],
                                                      samples.volume[s], samples.shear[s], samples.lambda[s]);
}

}  // namespace

CellMatrices cell_matrices(const StrainSamples& samples, std::span<const int> sample_cell, int cells,
                           const TetrahedralMesh& mesh, const TetrahedronBasis& basis,
                           std::span<const int> tetrahedron_cell, std::span<const double> density,
                           std::span<const double> bone_stiffness) {
  CellMatrices result;
  const ByCell by_tetrahedron = sorted_by_cell(tetrahedron_cell, cells), by_sample = sorted_by_cell(sample_cell, cells);
  for (std::size_t c = 0; c < static_cast<std::size_t>(cells); ++c) {
    std::vector<int> functions;
    for (int s : items(by_sample, c))
      functions.insert(functions.end(), samples.vertex.begin() + samples.start[static_cast<std::size_t>(s)],
                       samples.vertex.begin() + samples.start[static_cast<std::size_t>(s) + 1]);
    std::sort(functions.begin(), functions.end());
    functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
    result.function.insert(result.function.end(), functions.begin(), functions.end());
    result.start.push_back(static_cast<int>(result.function.size()));
    result.offset.push_back(result.offset.back() + functions.size() * functions.size());
  }
  result.stiffness.assign(result.offset.back(), Mat3::zero());
  result.mass.assign(result.offset.back(), 0.0);
  result.hold.assign(result.offset.back(), 0.0);
  parallel_for(static_cast<std::size_t>(cells), 4, [&](std::size_t c) {
    const auto n = static_cast<std::size_t>(result.functions_of(c));
    const std::span<const int> functions(result.function.data() + result.start[c], n);
    const std::span<Mat3> stiffness(result.stiffness.data() + result.offset[c], n * n);
    double *const mass = result.mass.data() + result.offset[c], *const hold = result.hold.data() + result.offset[c];
    std::vector<std::size_t> at;
    for (int item : items(by_sample, c)) {
      const auto s = static_cast<std::size_t>(item);
      at.clear();
      for (int k = samples.start[s]; k < samples.start[s + 1]; ++k)
        at.push_back(place(functions, samples.vertex[static_cast<std::size_t>(k)]));
      add_sample(samples, s, at, n, stiffness);
    }
    for (int item : items(by_tetrahedron, c)) {
      const auto t = static_cast<std::size_t>(item);
      if (!(density[t] > 0) && !(bone_stiffness[t] > 0)) continue;
      const Tetrahedron& corner = mesh.tetrahedra[t];
      const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(corner[k])]; };
      const double size = volume(x(0), x(1), x(2), x(3));
      for (auto i = static_cast<std::size_t>(basis.start[t]); i < static_cast<std::size_t>(basis.start[t + 1]); ++i)
        for (auto j = static_cast<std::size_t>(basis.start[t]); j < static_cast<std::size_t>(basis.start[t + 1]); ++j) {
          const double integral = size * mean_product(basis.value[i], basis.value[j]);
          const std::size_t pair = place(functions, basis.function[i]) * n + place(functions, basis.function[j]);
          mass[pair] += density[t] * integral;
          hold[pair] += bone_stiffness[t] * integral;
        }
    }
  });
  return result;
}

CellPattern cell_pattern(const CellMatrices& cells, std::span<const int> unknown) {
  CellPattern pattern;
  pattern.block.assign(cells.offset.back(), -1);
  // Only pairs that share a tetrahedron have entries: functions of different levels in far corners of a cell do not.
  const auto for_each_pair = [&](const auto& visit) {
    for (std::size_t c = 0; c < cells.cells(); ++c) {
      const auto n = static_cast<std::size_t>(cells.functions_of(c)), first = static_cast<std::size_t>(cells.start[c]);
      for (std::size_t i = 0; i < n; ++i) {
        const int row = unknown[static_cast<std::size_t>(cells.function[first + i])];
        if (row < 0) continue;
        for (std::size_t j = 0; j < n; ++j) {
          const int column = unknown[static_cast<std::size_t>(cells.function[first + j])];
          const std::size_t pair = cells.offset[c] + i * n + j;
          if (column < 0) continue;
          if (cells.mass[pair] != 0 || cells.hold[pair] != 0 || !(cells.stiffness[pair] == Mat3::zero()))
            visit(row, column, pair);
        }
      }
    }
  };
  BlockMatrix& matrix = pattern.matrix;
  matrix.rows = *std::max_element(unknown.begin(), unknown.end()) + 1;
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(matrix.rows));
  for_each_pair([&](int row, int column, std::size_t) { columns[static_cast<std::size_t>(row)].push_back(column); });
  matrix.row_start.push_back(0);
  for (std::size_t row = 0; row < columns.size(); ++row) {
    columns[row].push_back(static_cast<int>(row));
    std::sort(columns[row].begin(), columns[row].end());
    columns[row].erase(std::unique(columns[row].begin(), columns[row].end()), columns[row].end());
    matrix.column.insert(matrix.column.end(), columns[row].begin(), columns[row].end());
    matrix.row_start.push_back(static_cast<int>(matrix.column.size()));
  }
  for_each_pair([&](int row, int column, std::size_t pair) { pattern.block[pair] = find_block(matrix, row, column); });
  return pattern;
}

BlockMatrix assemble_cells(const CellMatrices& cells, const CellPattern& pattern,
                           std::span<const CellFactors> factors) {
  BlockMatrix matrix = pattern.matrix;
  matrix.block.assign(matrix.column.size(), Mat3::zero());
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    const CellFactors& factor = factors_of(factors, c);
    for (std::size_t pair = cells.offset[c]; pair < cells.offset[c + 1]; ++pair) {
      if (pattern.block[pair] < 0) continue;
      Mat3& block = matrix.block[static_cast<std::size_t>(pattern.block[pair])];
      block += factor.stiffness * cells.stiffness[pair];
      for (std::size_t r = 0; r < 3; ++r)
        block(r, r) += factor.mass * cells.mass[pair] + factor.hold * cells.hold[pair];
    }
  }
  return matrix;
}

BlockMatrix assemble_cells(const CellMatrices& cells, std::span<const int> unknown,
                           std::span<const CellFactors> factors) {
  return assemble_cells(cells, cell_pattern(cells, unknown), factors);
}

SparseRows assemble_scalars(const CellMatrices& cells, std::span<const double> per_pair, std::span<const int> slot,
                            int slots) {
  std::vector<std::vector<std::pair<int, double>>> rows(static_cast<std::size_t>(slots));
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    const auto n = static_cast<std::size_t>(cells.functions_of(c)), first = static_cast<std::size_t>(cells.start[c]);
    for (std::size_t i = 0; i < n; ++i) {
      const int row = slot[static_cast<std::size_t>(cells.function[first + i])];
      if (row < 0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        const int column = slot[static_cast<std::size_t>(cells.function[first + j])];
        const double value = per_pair[cells.offset[c] + i * n + j];
        if (column >= 0 && value != 0) rows[static_cast<std::size_t>(row)].push_back({column, value});
      }
    }
  }
  SparseRows matrix;
  matrix.columns = slots;
  for (auto& entries : rows) {
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : entries) {
      if (static_cast<int>(matrix.column.size()) > matrix.start.back() && matrix.column.back() == column) {
        matrix.value.back() += value;
        continue;
      }
      matrix.column.push_back(column);
      matrix.value.push_back(value);
    }
    matrix.start.push_back(static_cast<int>(matrix.column.size()));
  }
  return matrix;
}

std::vector<double> scaled_by_cell(const CellMatrices& cells, std::span<const double> per_pair,
                                   std::span<const double> per_cell) {
  std::vector<double> result(per_pair.begin(), per_pair.end());
  for (std::size_t c = 0; c < cells.cells(); ++c)
    for (std::size_t pair = cells.offset[c]; pair < cells.offset[c + 1]; ++pair) result[pair] *= per_cell[c];
  return result;
}

}  // namespace sinew
