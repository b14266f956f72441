#include "sinew/deform/lattice/cells/lumped_mass.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// Row of H over a cell's functions: coefficients of the value at one vertex, by index in the cell's list.
using ValueRow = std::vector<std::pair<std::size_t, double>>;

// v_i = q_i + sum of its parents' values. Parents are coarser, and so come first.
std::vector<ValueRow> value_rows(std::span<const int> functions, const SparseRows& parents) {
  std::vector<ValueRow> rows(functions.size());
  std::vector<double> sum(functions.size(), 0.0);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto f = static_cast<std::size_t>(functions[i]);
    const bool has_parents = f < parents.rows();
    for (int e = has_parents ? parents.start[f] : 0; e < (has_parents ? parents.start[f + 1] : 0); ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const auto found = std::lower_bound(functions.begin(), functions.end(), parents.column[entry]);
      if (found == functions.end() || *found != parents.column[entry]) continue;
      for (const auto& [place, value] : rows[static_cast<std::size_t>(found - functions.begin())])
        sum[place] += parents.value[entry] * value;
    }
    sum[i] = 1;
    for (std::size_t place = 0; place <= i; ++place)
      if (sum[place] != 0) rows[i].push_back({place, std::exchange(sum[place], 0.0)});
  }
  return rows;
}

}  // namespace

void lump_mass(const NodalTransform& transform, CellMatrices& cells) {
  const CellMatrices values = transform.empty() ? CellMatrices{} : nodal_matrices(cells, transform);
  const std::vector<double>& over_values = transform.empty() ? cells.mass : values.mass;
  std::vector<double> lumped(cells.mass.size(), 0.0);
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    const auto n = static_cast<std::size_t>(cells.functions_of(c));
    const std::span<const int> functions(cells.function.data() + cells.start[c], n);
    const std::vector<ValueRow> rows = value_rows(functions, transform.parents);
    for (std::size_t i = 0; i < n; ++i) {
      double mass = 0;
      for (std::size_t j = 0; j < n; ++j) mass += over_values[cells.offset[c] + i * n + j];
      if (!(mass > 0))
        throw input_error("cell " + std::to_string(c) + " of the lattice: function " + std::to_string(functions[i]) +
                          " has no mass of its own to be lumped; use the consistent mass.");
      for (const auto& [a, of_a] : rows[i])
        for (const auto& [b, of_b] : rows[i]) lumped[cells.offset[c] + a * n + b] += mass * of_a * of_b;
    }
  }
  cells.mass = std::move(lumped);
}

}  // namespace sinew
