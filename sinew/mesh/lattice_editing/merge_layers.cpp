#include "sinew/mesh/lattice_editing/merge_layers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr const char* cannot_merge = "The cells cannot be merged";

Error not_a_layer(int vertex) {
  return usage_error(std::string(cannot_merge) + ": around vertex " + std::to_string(vertex) +
                     " they do not lie in pairs on two sides of a layer; delete cells, or collapse an edge.");
}

// The vertices that go, each with its neighbours on the two sides of the layer, and the faces between the sides.
struct Layer {
  std::map<int, std::array<int, 2>> vertices;
  std::set<int> caps;
};

// The neighbours of a corner in a face.
std::array<int, 2> beside(std::span<const int> face, int corner) {
  const auto k = static_cast<std::size_t>(std::find(face.begin(), face.end(), corner) - face.begin());
  return {face[(k + face.size() - 1) % face.size()], face[(k + 1) % face.size()]};
}

class LayerFinder {
 public:
  explicit LayerFinder(const CellComplex& complex) : complex_(complex), around_(faces_around_edges(complex)) {}

  Layer find(const std::array<int, 3>& edges) {
    add(edges[1], {edges[0], edges[2]});
    while (!waiting_.empty()) {
      const int vertex = waiting_.back();
      waiting_.pop_back();
      visit(vertex);
    }
    for (const int cap : layer_.caps)
      if (complex_.face_sides[index(cap)].size() != 2) throw not_a_layer(complex_.faces[index(cap)][0]);
    return std::move(layer_);
  }

 private:
  void add(int vertex, const std::array<int, 2>& sides) {
    const auto [found, fresh] = layer_.vertices.try_emplace(vertex, sides);
    if (fresh)
      waiting_.push_back(vertex);
    else if (found->second != sides)
      throw not_a_layer(vertex);
  }

  const std::vector<int>& around(int a, int b) const {
    const int edge = complex_.edge_between(a, b);
    if (edge < 0) throw not_a_layer(a);
    return around_[index(edge)];
  }

  void visit(int vertex) {
    const std::array<int, 2> sides = layer_.vertices.at(vertex);
    const std::vector<int>&below = around(vertex, sides[0]), &above = around(vertex, sides[1]);
    for (std::size_t f = 0; f < complex_.faces.size(); ++f) {
      const std::span<const int> face = complex_.faces[f];
      if (std::find(face.begin(), face.end(), vertex) == face.end()) continue;
      const bool is_below = std::binary_search(below.begin(), below.end(), static_cast<int>(f));
      const bool is_above = std::binary_search(above.begin(), above.end(), static_cast<int>(f));
      if (is_below && is_above) throw not_a_layer(vertex);
      if (is_below || is_above) continue;
      layer_.caps.insert(static_cast<int>(f));
      for (const int next : beside(face, vertex)) follow(vertex, next, below, above);
    }
  }

  // Goes along an edge of the layer to the next vertex, which goes too unless it is the corner of a triangle.
  void follow(int vertex, int next, const std::vector<int>& below, const std::vector<int>& above) {
    std::array<int, 2> beyond{-1, -1};
    for (const int f : around(vertex, next)) {
      const bool is_below = std::binary_search(below.begin(), below.end(), f);
      if (!is_below && !std::binary_search(above.begin(), above.end(), f)) continue;
      const std::array<int, 2> neighbours = beside(complex_.faces[index(f)], next);
      int& side = beyond[is_below ? 0 : 1];
      if (side >= 0) throw not_a_layer(vertex);
      side = neighbours[0] == vertex ? neighbours[1] : neighbours[0];
    }
    if (beyond[0] < 0 || beyond[1] < 0) throw not_a_layer(vertex);
    if (beyond != layer_.vertices.at(vertex)) add(next, beyond);
  }

  const CellComplex& complex_;
  std::vector<std::vector<int>> around_;
  Layer layer_;
  std::vector<int> waiting_;
};

// Merges two cells across the cap between them.
class PairMerger {
 public:
  PairMerger(const Layer& layer, const CellFaces& first, const CellFaces& second, std::span<const int> cap)
      : layer_(layer), cap_(cap.begin(), cap.end()) {
    std::sort(cap_.begin(), cap_.end());
    append(first, rest_of_first_);
    append(second, rest_of_second_);
  }

  CellFaces merged() const {
    std::vector<char> used(rest_of_second_.size(), 0);
    CellFaces result;
    for (const FaceCorners& face : rest_of_first_) result.push_back(joined(face, used));
    for (std::size_t f = 0; f < rest_of_second_.size(); ++f)
      if (!used[f]) result.push_back(rest_of_second_[f]);
    for (const FaceCorners& face : result)
      for (const int v : face)
        if (goes(v)) throw not_a_layer(v);
    return result;
  }

 private:
  bool goes(int vertex) const { return layer_.vertices.contains(vertex); }
  bool on_cap(int vertex) const { return std::binary_search(cap_.begin(), cap_.end(), vertex); }

  void append(const CellFaces& cell, CellFaces& rest) const {
    for (const FaceCorners& face : cell) {
      FaceCorners sorted = face;
      std::sort(sorted.begin(), sorted.end());
      if (sorted != cap_) rest.push_back(face);
    }
  }

  // The place of an edge of the cap, of which a vertex goes, in a face: the index of its first corner.
  std::optional<std::size_t> seam(const FaceCorners& face) const {
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int a = face[k], b = face[(k + 1) % face.size()];
      if (on_cap(a) && on_cap(b) && (goes(a) || goes(b))) return k;
    }
    return std::nullopt;
  }

  // A face of the first cell with the face of the second that continues it, without vertices that go.
  FaceCorners joined(FaceCorners face, std::vector<char>& used) const {
    const std::optional<std::size_t> at = seam(face);
    if (!at) return face;
    const int from = face[*at], to = face[(*at + 1) % face.size()];
    for (std::size_t f = 0; f < rest_of_second_.size(); ++f) {
      FaceCorners other = rest_of_second_[f];
      const auto begin = std::find(other.begin(), other.end(), to);
      if (used[f] || begin == other.end()) continue;
      std::rotate(other.begin(), begin, other.end());
      if (other[1] != from) continue;
      used[f] = 1;
      // Both now end with the seam: `face` runs to ... from, `other` from ... to.
      std::rotate(face.begin(), face.begin() + static_cast<std::ptrdiff_t>((*at + 1) % face.size()), face.end());
      std::rotate(other.begin(), other.begin() + 1, other.end());
      face.insert(face.end(), other.begin() + 1, other.end() - 1);
      std::erase_if(face, [&](int v) { return goes(v); });
      return face;
    }
    throw not_a_layer(goes(from) ? from : to);
  }

  const Layer& layer_;
  FaceCorners cap_;  // ascending
  CellFaces rest_of_first_, rest_of_second_;
};

// Whether the second edge goes on in about the direction of the first, so that their middle vertex is no corner.
bool leads_on(const ControlLattice& lattice, const std::array<int, 3>& edges) {
  constexpr double least_cosine = 0.766;  // of 40 degrees
  const auto at = [&](std::size_t k) { return lattice.positions[index(edges[k])]; };
  const Vec3 first = at(1) - at(0), second = at(2) - at(1);
  return dot(first, second) >= least_cosine * norm(first) * norm(second);
}

void merge_chains(ControlLattice& lattice, const Layer& layer) {
  for (LatticeBone& bone : lattice.bones) {
    std::vector<int> chain;
    for (std::size_t k = 0; k < bone.vertices.size(); ++k) {
      const auto found = layer.vertices.find(bone.vertices[k]);
      if (found == layer.vertices.end()) {
        chain.push_back(bone.vertices[k]);
        continue;
      }
      const auto& [below, above] = found->second;
      const bool through = k > 0 && k + 1 < bone.vertices.size() &&
                           ((bone.vertices[k - 1] == below && bone.vertices[k + 1] == above) ||
                            (bone.vertices[k - 1] == above && bone.vertices[k + 1] == below));
      if (!through)
        throw usage_error(std::string(cannot_merge) + ": bone '" + bone.name +
                          "' ends or runs in the layer between them; free its vertices first.");
    }
    bone.vertices = std::move(chain);
  }
  const auto goes = [&](int v) { return layer.vertices.contains(v); };
  std::vector<std::array<int, 2>> sharp;
  for (std::size_t k = 0; k < lattice.sharp_edges.size(); ++k) {
    const auto [a, b] = lattice.sharp_edges[k];
    if (!goes(a) && !goes(b)) {
      sharp.push_back({a, b});
      continue;
    }
    if (goes(a) && goes(b)) continue;
    // Both halves must be sharp; the edge takes the place of the first.
    const auto& [below, above] = layer.vertices.at(goes(a) ? a : b);
    const int near = goes(a) ? b : a, middle = goes(a) ? a : b;
    if (near != below && near != above) continue;
    const int far = near == below ? above : below;
    const auto is_other = [&](const std::array<int, 2>& e) {
      return e == std::array{middle, far} || e == std::array{far, middle};
    };
    const auto later = lattice.sharp_edges.begin() + static_cast<std::ptrdiff_t>(k) + 1;
    if (std::find_if(later, lattice.sharp_edges.end(), is_other) == lattice.sharp_edges.end()) continue;
    sharp.push_back(goes(b) ? std::array{near, far} : std::array{far, near});
  }
  lattice.sharp_edges = std::move(sharp);
  std::erase_if(lattice.sharp_vertices, goes);
}

}  // namespace

LatticeEdit merge_layers(const ControlLattice& lattice, const std::array<int, 3>& edges) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  require_edge(complex, {edges[0], edges[1]});
  require_edge(complex, {edges[1], edges[2]});
  if (edges[0] == edges[2]) throw usage_error("Name three different vertices, one after the other along two edges.");
  const Layer layer = LayerFinder(complex).find(edges);
  std::vector<CellFaces> cells = cells_of(lattice);
  std::vector<char> merged(cells.size(), 0);
  std::vector<CellFaces> result = cells;
  for (const int cap : layer.caps) {
    const std::span<const int> sides = complex.face_sides[index(cap)];
    const auto [a, b] = std::minmax(complex.side_cell[index(sides[0])], complex.side_cell[index(sides[1])]);
    if (std::exchange(merged[index(a)], 1) != 0 || std::exchange(merged[index(b)], 1) != 0)
      throw not_a_layer(complex.faces[index(cap)][0]);
    result[index(a)] = PairMerger(layer, cells[index(a)], cells[index(b)], complex.faces[index(cap)]).merged();
    result[index(b)].clear();
  }
  ControlLattice changed = lattice;
  merge_chains(changed, layer);
  set_cells(changed, result);
  for (const int v : changed.corner)
    if (layer.vertices.contains(v)) throw not_a_layer(v);
  LatticeEdit edit = without_unused_vertices(std::move(changed));
  require_legal(lattice, edit.lattice, cannot_merge);
  return edit;
}

LatticeEdit merge_cells(const ControlLattice& lattice, int cell, int other) {
  require_cell(lattice, cell);
  require_cell(lattice, other);
  const CellComplex complex = cell_complex(sides_of(lattice));
  int shared = -1;
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    const std::span<const int> sides = complex.face_sides[f];
    if (sides.size() != 2) continue;
    const int a = complex.side_cell[index(sides[0])], b = complex.side_cell[index(sides[1])];
    if ((a == cell && b == other) || (a == other && b == cell)) shared = static_cast<int>(f);
  }
  if (shared < 0)
    throw usage_error("Cells " + std::to_string(cell) + " and " + std::to_string(other) +
                      " share no face; choose neighbours.");
  // The vertex of a cell that is joined to a corner of the face, but does not lie on it.
  const std::span<const int> face = complex.faces[index(shared)];
  const auto neighbour_in = [&](int in, int corner) {
    for (int f = lattice.cell_start[index(in)]; f < lattice.cell_start[index(in) + 1]; ++f) {
      const std::span<const int> side = lattice.face(index(f));
      if (std::find(side.begin(), side.end(), corner) == side.end()) continue;
      for (const int v : beside(side, corner))
        if (std::find(face.begin(), face.end(), v) == face.end()) return v;
    }
    return -1;
  };
  std::optional<Error> reason;
  for (const int corner : face) {
    const std::array<int, 3> edges{neighbour_in(cell, corner), corner, neighbour_in(other, corner)};
    if (edges[0] < 0 || edges[2] < 0 || !leads_on(lattice, edges)) continue;
    try {
      return merge_layers(lattice, edges);
    } catch (const Error& error) {
      if (!reason) reason = error;
    }
  }
  if (reason) throw *reason;
  throw usage_error(std::string(cannot_merge) +
                    ": the edges from one to the other turn at every corner of the face between them, and the corner "
                    "would be cut off; collapse an edge, or move its vertices first.");
}

}  // namespace sinew
