#include "sinew/mesh/control_lattice/refinement.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

// A side's corner: the edges that lead to it and from it.
struct Corner {
  int face = 0, incoming = 0, outgoing = 0;
};

std::string defect_at_vertex(std::size_t cell, int vertex, std::size_t faces) {
  const std::string name = "cell " + std::to_string(cell) + " of the lattice";
  if (faces != 3)
    return name + " has " + std::to_string(faces) + " faces at vertex " + std::to_string(vertex) +
           "; only cells with three edges at every vertex can be subdivided into hexahedra: split the cell.";
  return name + ": its faces do not close around vertex " + std::to_string(vertex) +
         "; give each face counter-clockwise seen from outside, with every edge in two faces.";
}

// The corners of the sides of a cell, grouped by the cell's vertices.
class CornersByVertex {
 public:
  explicit CornersByVertex(const CellComplex& complex) : complex_(complex) {}

  void gather(std::size_t cell) {
    const CellSides& cells = complex_.cells;
    const std::span<const int> vertices = complex_.cell_vertices[cell];
    corners_.resize(std::max(corners_.size(), vertices.size()));
    for (std::size_t k = 0; k < vertices.size(); ++k) corners_[k].clear();
    for (std::size_t s = index(cells.cell_start[cell]); s < index(cells.cell_start[cell + 1]); ++s) {
      const std::span<const int> side = cells.side(s);
      for (std::size_t k = 0; k < side.size(); ++k) {
        const int before = side[k > 0 ? k - 1 : side.size() - 1], after = side[k + 1 < side.size() ? k + 1 : 0];
        const auto local = std::find(vertices.begin(), vertices.end(), side[k]) - vertices.begin();
        corners_[static_cast<std::size_t>(local)].push_back(
            {complex_.side_face[s], complex_.edge_between(before, side[k]), complex_.edge_between(side[k], after)});
      }
    }
  }
  const std::vector<Corner>& operator[](std::size_t k) const { return corners_[k]; }

 private:
  const CellComplex& complex_;
  std::vector<std::vector<Corner>> corners_;
};

// Three corners as seen from outside: from `first`, `left` is across the edge that leads into the vertex, `right`
// across the one that leads away.
struct ThreeCorners {
  const Corner *first = nullptr, *left = nullptr, *right = nullptr;
};

// Empty if they do not close around the vertex.
ThreeCorners around(const std::vector<Corner>& corners) {
  if (corners.size() != 3) return {};
  ThreeCorners three{&corners[0], nullptr, nullptr};
  for (std::size_t k : {1u, 2u}) {
    if (corners[k].outgoing == corners[0].incoming) three.left = &corners[k];
    if (corners[k].incoming == corners[0].outgoing) three.right = &corners[k];
  }
  const bool closes =
      three.left && three.right && three.left != three.right && three.right->outgoing == three.left->incoming;
  return closes ? three : ThreeCorners{};
}

}  // namespace

RefinedVertices refined_vertices(const CellComplex& complex) {
  RefinedVertices numbers;
  numbers.edge = complex.cells.vertices;
  numbers.face = numbers.edge + static_cast<int>(complex.edges.size());
  numbers.cell = numbers.face + static_cast<int>(complex.faces.size());
  numbers.count = numbers.cell + static_cast<int>(complex.cells.cells());
  return numbers;
}

RefinedCells refine_cells(const CellComplex& complex) {
  const RefinedVertices number = refined_vertices(complex);
  RefinedCells refined;
  refined.hexahedra.reserve(complex.cell_vertices.items.size());
  refined.parent.reserve(complex.cell_vertices.items.size());
  CornersByVertex corners(complex);
  for (std::size_t c = 0; c < complex.cells.cells(); ++c) {
    const std::span<const int> vertices = complex.cell_vertices[c];
    corners.gather(c);
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      const auto [first, left, right] = around(corners[k]);
      if (!first) throw input_error(defect_at_vertex(c, vertices[k], corners[k].size()));
      refined.hexahedra.push_back({vertices[k], number.edge + first->incoming, number.face + first->face,
                                   number.edge + first->outgoing, number.edge + right->outgoing,
                                   number.face + left->face, number.cell + static_cast<int>(c),
                                   number.face + right->face});
      refined.parent.push_back(static_cast<int>(c));
    }
  }
  return refined;
}

std::string defect_of_cell(const CellComplex& complex, std::size_t cell) {
  const std::span<const int> vertices = complex.cell_vertices[cell];
  CornersByVertex corners(complex);
  corners.gather(cell);
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (!around(corners[k]).first) return defect_at_vertex(cell, vertices[k], corners[k].size());
  // Euler's formula, with three half edges at every vertex.
  const auto sides = index(complex.cells.cell_start[cell + 1] - complex.cells.cell_start[cell]);
  if (2 * sides != 4 + vertices.size())
    return "cell " + std::to_string(cell) + " of the lattice is not one closed surface without holes; split the cell.";
  return {};
}

SharpFeatures refine_features(const SharpFeatures& features, const CellComplex& coarse, const CellComplex& fine) {
  SharpFeatures refined;
  refined.edge.assign(fine.edges.size(), 0);
  refined.vertex.assign(index(fine.cells.vertices), 0);
  std::copy(features.vertex.begin(), features.vertex.end(), refined.vertex.begin());
  const int first_edge = refined_vertices(coarse).edge;
  for (std::size_t e = 0; e < coarse.edges.size(); ++e) {
    if (!features.edge[e]) continue;
    for (int end : coarse.edges[e]) refined.edge[index(fine.edge_between(end, first_edge + static_cast<int>(e)))] = 1;
  }
  return refined;
}

std::vector<int> refine_chain(const std::vector<int>& chain, const CellComplex& complex) {
  const int first_edge = refined_vertices(complex).edge;
  std::vector<int> refined;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    if (k > 0) refined.push_back(first_edge + complex.edge_between(chain[k - 1], chain[k]));
    refined.push_back(chain[k]);
  }
  return refined;
}

}  // namespace sinew
