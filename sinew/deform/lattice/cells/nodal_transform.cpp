#include "sinew/deform/lattice/cells/nodal_transform.h"

#include <algorithm>

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
