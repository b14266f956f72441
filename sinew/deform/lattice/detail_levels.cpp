#include "sinew/deform/lattice/detail_levels.h"

#include <algorithm>
#include <cstddef>

#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

// Appends one element made of the tetrahedra. `slot` is work space, -1 throughout.
void append_element(const TetrahedralMesh& mesh, const TetrahedronBasis& basis, std::span<const double> fill,
                    std::span<const int> function_level, int k, std::span<const std::size_t> tetrahedra, int cell,
                    std::vector<int>& slot, DetailLevel& level) {
  double volume = 0;
  const std::size_t first = level.function.size();
  std::vector<int> children;
  for (std::size_t t : tetrahedra) {
    if (!(fill[t] > 0)) continue;
    const ShapeGradients shape = shape_gradients(mesh, t);
    const double inside = fill[t] * shape.volume;
    volume += inside;
    for (auto e = static_cast<std::size_t>(basis.start[t]); e < static_cast<std::size_t>(basis.start[t + 1]); ++e) {
      const auto f = static_cast<std::size_t>(basis.function[e]);
      if (function_level[f] == k + 1) children.push_back(basis.function[e]);
      if (function_level[f] > k) continue;
      if (slot[f] < 0) {
        slot[f] = static_cast<int>(level.function.size());
        level.function.push_back(basis.function[e]);
        level.gradient.push_back({});
      }
      for (std::size_t c = 0; c < 4; ++c)
        level.gradient[static_cast<std::size_t>(slot[f])] += (inside * basis.value[e][c]) * shape.gradient[c];
    }
  }
  for (std::size_t e = first; e < level.function.size(); ++e) slot[static_cast<std::size_t>(level.function[e])] = -1;
  if (!(volume > 0)) return;
  for (std::size_t e = first; e < level.gradient.size(); ++e) level.gradient[e] = level.gradient[e] / volume;
  std::sort(children.begin(), children.end());
  children.erase(std::unique(children.begin(), children.end()), children.end());
  level.child.insert(level.child.end(), children.begin(), children.end());
  level.child_start.push_back(static_cast<int>(level.child.size()));
  level.start.push_back(static_cast<int>(level.function.size()));
  level.cell.push_back(cell);
}

}  // namespace

std::vector<int> function_levels(const SubdividedLattice& lattice, int levels) {
  std::vector<int> result;
  for (int k = 0; k < levels; ++k)
    result.resize(static_cast<std::size_t>(lattice.vertices[static_cast<std::size_t>(k)]), k);
  return result;
}

std::vector<DetailLevel> detail_levels(const SubdividedLattice& lattice, int levels,
                                       const LatticeTetrahedra& tetrahedra, const TetrahedronBasis& basis,
                                       std::span<const double> fill) {
  const std::vector<int> function_level = function_levels(lattice, levels);
  const auto finest = lattice.vertices.size() - 1;
  std::vector<int> slot(function_level.size(), -1);
  std::vector<DetailLevel> result;
  for (int k = 0; k + 1 < levels; ++k) {
    // Subdivision keeps the pieces of an element together: eight to a hexahedron.
    std::size_t pieces = 1;
    for (std::size_t l = static_cast<std::size_t>(k); l < finest; ++l) pieces *= 8;
    const auto element_of = [&](std::size_t t) {
      const auto h = static_cast<std::size_t>(tetrahedra.hexahedron[t]);
      return k == 0 ? static_cast<std::size_t>(lattice.cell[h]) : h / pieces;
    };
    DetailLevel level;
    std::vector<std::size_t> members;
    for (std::size_t t = 0; t < tetrahedra.hexahedron.size();) {
      const std::size_t element = element_of(t);
      const int cell = lattice.cell[static_cast<std::size_t>(tetrahedra.hexahedron[t])];
      members.clear();
      for (; t < tetrahedra.hexahedron.size() && element_of(t) == element; ++t) members.push_back(t);
      append_element(tetrahedra.mesh, basis, fill, function_level, k, members, cell, slot, level);
    }
    result.push_back(std::move(level));
  }
  return result;
}

}  // namespace sinew
