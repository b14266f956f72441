#include "sinew/mesh/lattice_editing/collapse_edges.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/validity.h"
#include "sinew/mesh/lattice_editing/split_edges.h"

namespace sinew {
namespace {

constexpr const char* cannot_collapse = "The edge cannot be collapsed";

// Groups of vertices that become one, by their smallest member.
std::map<int, std::vector<int>> groups_of(const CellComplex& complex, const std::vector<char>& collapsed,
                                          std::vector<int>& representative) {
  DisjointSets sets(index(complex.cells.vertices));
  for (std::size_t e = 0; e < collapsed.size(); ++e)
    if (collapsed[e]) sets.unite(complex.edges[e][0], complex.edges[e][1]);
  std::map<int, std::vector<int>> groups;
  for (int v = 0; v < complex.cells.vertices; ++v) {
    representative.push_back(sets.find(v));
    groups[representative.back()].push_back(v);
  }
  std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
  return groups;
}

template <class Values>
auto mean_of(const Values& values, const std::vector<int>& vertices) {
  auto sum = values[index(vertices[0])];
  for (std::size_t k = 1; k < vertices.size(); ++k) sum += values[index(vertices[k])];
  return sum * (1.0 / static_cast<double>(vertices.size()));
}

void join_vertices(ControlLattice& lattice, const std::map<int, std::vector<int>>& groups) {
  std::vector<char> on_bone(lattice.positions.size(), 0);
  for (const LatticeBone& bone : lattice.bones)
    for (const int v : bone.vertices) on_bone[index(v)] = 1;
  for (const auto& [first, vertices] : groups) {
    std::vector<int> leading;
    for (const int v : vertices)
      if (on_bone[index(v)]) leading.push_back(v);
    lattice.positions[index(first)] = mean_of(lattice.positions, leading.empty() ? vertices : leading);
    for (std::vector<double>* values : {&lattice.stiffness, &lattice.damping, &lattice.density})
      if (!values->empty()) (*values)[index(first)] = mean_of(*values, vertices);
  }
}

// The corners of a face after its vertices have been joined; fewer than three: it is gone.
FaceCorners joined_face(const FaceCorners& face, const std::vector<int>& representative) {
  FaceCorners joined;
  for (const int v : face)
    if (joined.empty() || joined.back() != representative[index(v)]) joined.push_back(representative[index(v)]);
  while (joined.size() > 1 && joined.front() == joined.back()) joined.pop_back();
  return joined;
}

// The cell after its vertices have been joined; without faces if it is flat.
CellFaces joined_cell(const CellFaces& cell, const std::vector<int>& representative) {
  CellFaces faces;
  for (const FaceCorners& face : cell)
    if (FaceCorners joined = joined_face(face, representative); joined.size() >= 3) faces.push_back(std::move(joined));
  std::map<FaceCorners, int> sides;
  for (FaceCorners corners : faces) {
    std::sort(corners.begin(), corners.end());
    ++sides[std::move(corners)];
  }
  const bool flat = std::all_of(sides.begin(), sides.end(), [](const auto& side) { return side.second == 2; });
  return flat ? CellFaces{} : faces;
}

void join_chains(ControlLattice& lattice, const std::vector<int>& representative) {
  for (LatticeBone& bone : lattice.bones) {
    for (int& v : bone.vertices) v = representative[index(v)];
    bone.vertices.erase(std::unique(bone.vertices.begin(), bone.vertices.end()), bone.vertices.end());
  }
  std::vector<std::array<int, 2>> sharp;
  for (const std::array<int, 2>& edge : lattice.sharp_edges) {
    const std::array<int, 2> joined{representative[index(edge[0])], representative[index(edge[1])]};
    const auto is_same = [&](const auto& e) { return e == joined || e == std::array{joined[1], joined[0]}; };
    if (joined[0] != joined[1] && std::none_of(sharp.begin(), sharp.end(), is_same)) sharp.push_back(joined);
  }
  lattice.sharp_edges = std::move(sharp);
  std::vector<int> vertices;
  for (const int v : lattice.sharp_vertices)
    if (std::find(vertices.begin(), vertices.end(), representative[index(v)]) == vertices.end())
      vertices.push_back(representative[index(v)]);
  lattice.sharp_vertices = std::move(vertices);
}

// Pieces of the lattice that hang together through vertices.
int pieces_of(const ControlLattice& lattice) {
  DisjointSets sets(lattice.positions.size());
  for (std::size_t f = 0; f < lattice.faces(); ++f)
    for (const int v : lattice.face(f)) sets.unite(lattice.face(f)[0], v);
  int count = 0;
  for (std::size_t v = 0; v < lattice.positions.size(); ++v)
    count += sets.find(static_cast<int>(v)) == static_cast<int>(v);
  return count;
}

void require_same_topology(const ControlLattice& before, const ControlLattice& after) {
  const LatticeHinges old_hinges = lattice_hinges(before), hinges = lattice_hinges(after);
  if (hinges.edges.size() > old_hinges.edges.size() || hinges.vertices.size() > old_hinges.vertices.size() ||
      pieces_of(before) != pieces_of(after))
    throw usage_error(std::string(cannot_collapse) +
                      ": parts of the lattice would hang together by an edge or a vertex alone.");
}

}  // namespace

LatticeEdit collapse_edge(const ControlLattice& lattice, const std::array<int, 2>& edge) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  std::vector<int> representative;
  const auto groups = groups_of(complex, edges_across_layer(complex, require_edge(complex, edge)), representative);
  ControlLattice changed = lattice;
  join_vertices(changed, groups);
  std::vector<CellFaces> cells = cells_of(lattice);
  for (CellFaces& cell : cells) cell = joined_cell(cell, representative);
  set_cells(changed, cells);
  if (changed.cells() == 0) throw usage_error(std::string(cannot_collapse) + ": no cell would be left.");
  join_chains(changed, representative);
  drop_lost_edges(changed);
  LatticeEdit edit = without_unused_vertices(std::move(changed));
  require_legal(lattice, edit.lattice, cannot_collapse);
  require_same_topology(lattice, edit.lattice);
  // Vertices that were joined have the number of the one that stands for them.
  for (std::size_t v = 0; v < representative.size(); ++v)
    edit.new_vertex[v] = edit.new_vertex[index(representative[v])];
  return edit;
}

}  // namespace sinew
