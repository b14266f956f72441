#include "sinew/deform/lattice/cells/nodal_transform.h"

#include <algorithm>
#include <map>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

// Place of a function in a cell's ascending list, or -1.
int place_of(std::span<const int> functions, int function) {
  const auto at = std::lower_bound(functions.begin(), functions.end(), function);
  return at != functions.end() && *at == function ? static_cast<int>(at - functions.begin()) : -1;
}

}  // namespace

NodalTransform nodal_transform(const SubdividedLattice& lattice, SubdivisionScheme scheme, int levels) {
  NodalTransform transform;
  if (scheme != SubdivisionScheme::trilinear) return transform;
  SparseRows& parents = transform.parents;
  parents.columns = lattice.vertices[static_cast<std::size_t>(levels - 1)];
  for (int f = 0; f < lattice.vertices[0]; ++f) parents.start.push_back(0);
  for (int k = 1; k < levels; ++k) {
    const SparseRows& refine = lattice.refine[static_cast<std::size_t>(k - 1)];
    for (int f = lattice.vertices[static_cast<std::size_t>(k - 1)]; f < lattice.vertices[static_cast<std::size_t>(k)];
         ++f) {
      for (int e = refine.start[static_cast<std::size_t>(f)]; e < refine.start[static_cast<std::size_t>(f) + 1]; ++e) {
        parents.column.push_back(refine.column[static_cast<std::size_t>(e)]);
        parents.value.push_back(refine.value[static_cast<std::size_t>(e)]);
      }
      parents.start.push_back(static_cast<int>(parents.column.size()));
    }
  }
  return transform;
}

NodalTransform without(const NodalTransform& transform, std::span<const char> left_out) {
  const SparseRows& from = transform.parents;
  std::vector<std::map<int, double>> rows(from.rows());
  for (std::size_t f = 0; f < rows.size(); ++f)  // parents come before their children
    for (auto e = static_cast<std::size_t>(from.start[f]); e < static_cast<std::size_t>(from.start[f + 1]); ++e) {
      const auto parent = static_cast<std::size_t>(from.column[e]);
      if (!left_out[parent]) rows[f][from.column[e]] += from.value[e];
      if (left_out[parent])
        for (const auto& [elder, weight] : rows[parent]) rows[f][elder] += from.value[e] * weight;
    }
  NodalTransform result;
  result.parents.columns = from.columns;
  for (std::size_t f = 0; f < rows.size(); ++f) {
    if (left_out[f]) rows[f].clear();
    for (const auto& [parent, weight] : rows[f]) {
      result.parents.column.push_back(parent);
      result.parents.value.push_back(weight);
    }
    result.parents.start.push_back(static_cast<int>(result.parents.column.size()));
  }
  return result;
}

CellMatrices nodal_matrices(const CellMatrices& cells, const NodalTransform& transform) {
  CellMatrices result = cells;
  const SparseRows& p = transform.parents;
  parallel_for(cells.cells(), 4, [&](std::size_t c) {
    const auto n = static_cast<std::size_t>(cells.functions_of(c));
    const std::span<const int> functions(cells.function.data() + cells.start[c], n);
    const std::size_t offset = cells.offset[c];
    // Rows, then columns. Row i of H^-T A is A_i minus the rows whose functions have i as a parent. Rows are subtracted
    // from their parents before they change, so that the order does not matter.
    const auto for_each_parent = [&](const auto& visit) {
      for (std::size_t i = 0; i < n; ++i)
        for (int e = p.start[static_cast<std::size_t>(functions[i])];
             e < p.start[static_cast<std::size_t>(functions[i]) + 1]; ++e) {
          const int parent = place_of(functions, p.column[static_cast<std::size_t>(e)]);
          if (parent >= 0) visit(i, static_cast<std::size_t>(parent), p.value[static_cast<std::size_t>(e)]);
        }
    };
    const auto subtract = [&](const CellMatrices& from, std::size_t to_pair, std::size_t from_pair, double weight) {
      result.stiffness[to_pair] -= weight * from.stiffness[from_pair];
      result.mass[to_pair] -= weight * from.mass[from_pair];
      result.hold[to_pair] -= weight * from.hold[from_pair];
    };
    for_each_parent([&](std::size_t i, std::size_t parent, double weight) {
      for (std::size_t j = 0; j < n; ++j) subtract(cells, offset + parent * n + j, offset + i * n + j, weight);
    });
    CellMatrices rows;
    const auto begin = static_cast<std::ptrdiff_t>(offset), end = static_cast<std::ptrdiff_t>(cells.offset[c + 1]);
    rows.stiffness.assign(result.stiffness.begin() + begin, result.stiffness.begin() + end);
    rows.mass.assign(result.mass.begin() + begin, result.mass.begin() + end);
    rows.hold.assign(result.hold.begin() + begin, result.hold.begin() + end);
    for_each_parent([&](std::size_t i, std::size_t parent, double weight) {
      for (std::size_t j = 0; j < n; ++j) subtract(rows, offset + j * n + parent, j * n + i, weight);
    });
  });
  return result;
}

}  // namespace sinew
