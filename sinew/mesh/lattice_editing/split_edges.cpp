#include "sinew/mesh/lattice_editing/split_edges.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr const char* cannot_split = "The edge cannot be split";

using Segment = std::pair<int, int>;  // two vertices, the smaller first

Segment segment(int a, int b) { return std::minmax(a, b); }

Error crosses_itself(int cell) {
  return usage_error(std::string(cannot_split) + ": the layer of cells that it goes through meets itself in cell " +
                     std::to_string(cell) + "; split another edge there first.");
}

// The new vertices: per edge of the complex its middle, -1 where it is not split.
std::vector<int> add_middles(ControlLattice& lattice, const CellComplex& complex, const std::vector<char>& split) {
  std::vector<int> middle(complex.edges.size(), -1);
  for (std::size_t e = 0; e < split.size(); ++e) {
    if (!split[e]) continue;
    const std::array<int, 2>& edge = complex.edges[e];
    const Vec3 position = 0.5 * (lattice.positions[index(edge[0])] + lattice.positions[index(edge[1])]);
    middle[e] = add_vertex(lattice, position, edge);
  }
  return middle;
}

// A cell that is being split: its faces, cut where the layer's middle goes through them, and the cuts.
struct CutCell {
  CellFaces faces;
  std::set<Segment> cuts;
};

class Splitter {
 public:
  Splitter(const CellComplex& complex, const std::vector<int>& middle) : complex_(complex), middle_(middle) {}

  // Adds the parts of a cell: one if it is not split.
  void append(int cell, CellFaces faces, std::vector<CellFaces>& kept, std::vector<CellFaces>& added) const {
    CutCell cut;
    for (const FaceCorners& face : faces) cut_face(cell, face, cut);
    if (cut.cuts.empty()) {
      kept.push_back(std::move(faces));
      return;
    }
    const std::vector<int> loop = loop_of(cell, cut);
    auto [first, second] = sides_of_loop(cell, cut, loop);
    kept.push_back(std::move(first));
    added.push_back(std::move(second));
  }

 private:
  int middle_between(int a, int b) const {
    const int edge = complex_.edge_between(a, b);
    return edge < 0 ? -1 : middle_[index(edge)];
  }

  void cut_face(int cell, const FaceCorners& face, CutCell& cut) const {
    FaceCorners refined;
    std::vector<std::size_t> middles;  // places in `refined`
    for (std::size_t k = 0; k < face.size(); ++k) {
      refined.push_back(face[k]);
      const int middle = middle_between(face[k], face[(k + 1) % face.size()]);
      if (middle < 0) continue;
      middles.push_back(refined.size());
      refined.push_back(middle);
    }
    if (middles.empty()) {
      cut.faces.push_back(face);
      return;
    }
    const bool triangle = face.size() == 3;
    if (middles.size() > 2 || (!triangle && (face.size() % 2 != 0 || middles.size() != 2))) throw crosses_itself(cell);
    // A triangle with one split edge is cut to its opposite corner.
    const std::size_t from = middles[0], to = middles.size() == 2 ? middles[1] : (from + 2) % refined.size();
    FaceCorners part;
    for (std::size_t k = from;; k = (k + 1) % refined.size()) {
      part.push_back(refined[k]);
      if (k == to) break;
    }
    FaceCorners rest;
    for (std::size_t k = to;; k = (k + 1) % refined.size()) {
      rest.push_back(refined[k]);
      if (k == from) break;
    }
    // The part with the face's first corner comes first.
    if (std::find(part.begin(), part.end(), face[0]) == part.end()) std::swap(part, rest);
    cut.faces.push_back(std::move(part));
    cut.faces.push_back(std::move(rest));
    cut.cuts.insert(segment(refined[from], refined[to]));
  }

  // The cuts as one closed loop. Where they begin and end at the two ends of an edge of the cell, that closes them.
  std::vector<int> loop_of(int cell, CutCell& cut) const {
    std::map<int, std::vector<int>> joined;
    for (const auto& [a, b] : cut.cuts) {
      joined[a].push_back(b);
      joined[b].push_back(a);
    }
    std::vector<int> ends;
    for (const auto& [vertex, others] : joined) {
      if (others.size() > 2) throw crosses_itself(cell);
      if (others.size() == 1) ends.push_back(vertex);
    }
    if (!ends.empty()) {
      if (ends.size() != 2 || complex_.edge_between(ends[0], ends[1]) < 0) throw crosses_itself(cell);
      cut.cuts.insert(segment(ends[0], ends[1]));
      joined[ends[0]].push_back(ends[1]);
      joined[ends[1]].push_back(ends[0]);
    }
    std::vector<int> loop{joined.begin()->first};
    int before = -1;
    while (true) {
      const std::vector<int>& others = joined[loop.back()];
      const int next = others[0] != before ? others[0] : others[1];
      if (next == loop.front() || loop.size() > joined.size()) break;
      before = loop.back();
      loop.push_back(next);
    }
    if (loop.size() != joined.size() || loop.size() < 3) throw crosses_itself(cell);
    return loop;
  }

  // The two parts of a cut cell; the first has the cell's first face, or its part with that face's first corner.
  static std::pair<CellFaces, CellFaces> sides_of_loop(int cell, const CutCell& cut, const std::vector<int>& loop) {
    std::map<Segment, std::vector<std::size_t>> faces_at;
    for (std::size_t f = 0; f < cut.faces.size(); ++f)
      for (std::size_t k = 0; k < cut.faces[f].size(); ++k)
        faces_at[segment(cut.faces[f][k], cut.faces[f][(k + 1) % cut.faces[f].size()])].push_back(f);
    std::vector<char> first(cut.faces.size(), 0);
    std::vector<std::size_t> stack{0};
    first[0] = 1;
    while (!stack.empty()) {
      const FaceCorners& face = cut.faces[stack.back()];
      stack.pop_back();
      for (std::size_t k = 0; k < face.size(); ++k) {
        const Segment edge = segment(face[k], face[(k + 1) % face.size()]);
        if (cut.cuts.contains(edge)) continue;
        for (const std::size_t other : faces_at[edge])
          if (std::exchange(first[other], 1) == 0) stack.push_back(other);
      }
    }
    std::pair<CellFaces, CellFaces> parts;
    bool runs_along = false;  // whether a face of the first part has the loop's first edge in its direction
    for (std::size_t f = 0; f < cut.faces.size(); ++f) {
      const FaceCorners& face = cut.faces[f];
      (first[f] ? parts.first : parts.second).push_back(face);
      for (std::size_t k = 0; first[f] && k < face.size(); ++k)
        runs_along |= face[k] == loop[0] && face[(k + 1) % face.size()] == loop[1];
    }
    if (parts.second.empty()) throw crosses_itself(cell);
    const FaceCorners reversed(loop.rbegin(), loop.rend());
    parts.first.push_back(runs_along ? reversed : loop);
    parts.second.push_back(runs_along ? loop : reversed);
    return parts;
  }

  const CellComplex& complex_;
  const std::vector<int>& middle_;
};

void split_chains(ControlLattice& lattice, const CellComplex& complex, const std::vector<int>& middle) {
  const auto middle_between = [&](int a, int b) { return middle[index(complex.edge_between(a, b))]; };
  for (LatticeBone& bone : lattice.bones) {
    std::vector<int> chain;
    for (const int v : bone.vertices) {
      if (const int m = chain.empty() ? -1 : middle_between(chain.back(), v); m >= 0) chain.push_back(m);
      chain.push_back(v);
    }
    bone.vertices = std::move(chain);
  }
  std::vector<std::array<int, 2>> sharp;
  for (const std::array<int, 2>& edge : lattice.sharp_edges) {
    const int m = middle_between(edge[0], edge[1]);
    if (m < 0) {
      sharp.push_back(edge);
    } else {
      sharp.push_back({edge[0], m});
      sharp.push_back({m, edge[1]});
    }
  }
  lattice.sharp_edges = std::move(sharp);
}

}  // namespace

std::vector<char> edges_across_layer(const CellComplex& complex, int first) {
  const std::vector<std::vector<int>> faces = faces_around_edges(complex);
  std::vector<char> split(complex.edges.size(), 0);
  std::vector<int> stack{first};
  split[index(first)] = 1;
  while (!stack.empty()) {
    const int edge = stack.back();
    stack.pop_back();
    for (const int f : faces[index(edge)]) {
      const std::span<const int> around = complex.face_edges[index(f)];
      if (around.size() % 2 != 0) continue;
      const auto k = static_cast<std::size_t>(std::find(around.begin(), around.end(), edge) - around.begin());
      const int opposite = around[(k + around.size() / 2) % around.size()];
      if (std::exchange(split[index(opposite)], 1) == 0) stack.push_back(opposite);
    }
  }
  return split;
}

LatticeEdit split_edge(const ControlLattice& lattice, const std::array<int, 2>& edge) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  const std::vector<char> split = edges_across_layer(complex, require_edge(complex, edge));
  LatticeEdit edit{lattice, {}};
  const std::vector<int> middle = add_middles(edit.lattice, complex, split);
  const Splitter splitter(complex, middle);
  std::vector<CellFaces> kept, added;
  const std::vector<CellFaces> cells = cells_of(lattice);
  for (std::size_t c = 0; c < cells.size(); ++c) splitter.append(static_cast<int>(c), cells[c], kept, added);
  kept.insert(kept.end(), added.begin(), added.end());
  set_cells(edit.lattice, kept);
  split_chains(edit.lattice, complex, middle);
  require_legal(lattice, edit.lattice, cannot_split);
  for (std::size_t v = 0; v < lattice.positions.size(); ++v) edit.new_vertex.push_back(static_cast<int>(v));
  return edit;
}

std::array<int, 2> longest_edge_of_cell(const ControlLattice& lattice, int cell) {
  require_cell(lattice, cell);
  std::array<int, 2> longest{-1, -1};
  double length = -1;
  for (int f = lattice.cell_start[index(cell)]; f < lattice.cell_start[index(cell) + 1]; ++f) {
    const std::span<const int> face = lattice.face(index(f));
    for (std::size_t k = 0; k < face.size(); ++k) {
      const auto [a, b] = std::minmax(face[k], face[(k + 1) % face.size()]);
      const double far = distance(lattice.positions[index(a)], lattice.positions[index(b)]);
      if (far > length || (far == length && std::array{a, b} < longest)) length = far, longest = {a, b};
    }
  }
  return longest;
}

}  // namespace sinew
