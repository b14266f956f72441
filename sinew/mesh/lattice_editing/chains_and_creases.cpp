#include "sinew/mesh/lattice_editing/chains_and_creases.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/lattice_editing/lattice_edit.h"

namespace sinew {

ControlLattice with_sharp_edges(const ControlLattice& lattice, std::span<const std::array<int, 2>> edges, bool sharp) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  ControlLattice changed = lattice;
  for (const std::array<int, 2>& edge : edges) {
    require_edge(complex, edge);
    const auto is_same = [&](const auto& e) { return e == edge || e == std::array{edge[1], edge[0]}; };
    if (!sharp)
      std::erase_if(changed.sharp_edges, is_same);
    else if (std::none_of(changed.sharp_edges.begin(), changed.sharp_edges.end(), is_same))
      changed.sharp_edges.push_back(edge);
  }
  return changed;
}

ControlLattice with_sharp_vertices(const ControlLattice& lattice, std::span<const int> vertices, bool sharp) {
  ControlLattice changed = lattice;
  for (const int v : vertices) {
    require_vertex(lattice, v);
    const auto found = std::find(changed.sharp_vertices.begin(), changed.sharp_vertices.end(), v);
    if (found != changed.sharp_vertices.end() && !sharp) changed.sharp_vertices.erase(found);
    if (found == changed.sharp_vertices.end() && sharp) changed.sharp_vertices.push_back(v);
  }
  return changed;
}

ControlLattice with_bone_chain(const ControlLattice& lattice, const std::string& name, std::span<const int> vertices,
                               const Vec3& head, const Vec3& tail) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  std::vector<std::pair<double, int>> along;
  for (const int v : vertices) {
    require_vertex(lattice, v);
    along.emplace_back(dot(lattice.positions[index(v)] - head, tail - head), v);
  }
  std::sort(along.begin(), along.end());
  along.erase(std::unique(along.begin(), along.end()), along.end());
  LatticeBone bone{name, {}};
  for (const auto& [place, v] : along) {
    if (!bone.vertices.empty() && complex.edge_between(bone.vertices.back(), v) < 0)
      throw usage_error("Vertices " + std::to_string(bone.vertices.back()) + " and " + std::to_string(v) +
                        " follow one another along the bone, but no edge joins them; choose vertices along edges.");
    bone.vertices.push_back(v);
  }
  ControlLattice changed = lattice;
  const auto is_there = [&](const LatticeBone& each) { return each.name == name && each.vertices == bone.vertices; };
  if (!bone.vertices.empty() && std::none_of(changed.bones.begin(), changed.bones.end(), is_there))
    changed.bones.push_back(std::move(bone));
  return changed;
}

ControlLattice without_bones_at(const ControlLattice& lattice, std::span<const int> vertices) {
  for (const int v : vertices) require_vertex(lattice, v);
  std::vector<LatticeBone> pieces;
  for (const LatticeBone& bone : lattice.bones) {
    LatticeBone piece{bone.name, {}};
    for (const int v : bone.vertices) {
      if (std::find(vertices.begin(), vertices.end(), v) == vertices.end()) {
        piece.vertices.push_back(v);
        continue;
      }
      if (!piece.vertices.empty()) pieces.push_back(std::exchange(piece, {bone.name, {}}));
    }
    if (!piece.vertices.empty()) pieces.push_back(std::move(piece));
  }
  ControlLattice changed = lattice;
  changed.bones = std::move(pieces);
  return changed;
}

}  // namespace sinew
