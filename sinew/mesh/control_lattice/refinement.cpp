#include "sinew/mesh/control_lattice/refinement.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"

namespace sinew {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A side's corner: the edges that lead to it and from it.
struct Corner {
  int face = 0, incoming = 0, outgoing = 0;
};

[[noreturn]] void refuse(std::size_t cell, int vertex, std::size_t faces) {
  const std::string name = "cell " + std::to_string(cell) + " of the lattice";
  if (faces != 3)
    throw input_error(
        name + " has " + std::to_string(faces) + " faces at vertex " + std::to_string(vertex) +
        "; only cells with three edges at every vertex can be subdivided into hexahedra: split the cell.");
  throw input_error(name + ": its faces do not close around vertex " + std::to_string(vertex) +
                    "; give each face counter-clockwise seen from outside, with every edge in two faces.");
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
  const CellSides& cells = complex.cells;
  const RefinedVertices number = refined_vertices(complex);
  RefinedCells refined;
  refined.hexahedra.reserve(complex.cell_vertices.items.size());
  refined.parent.reserve(complex.cell_vertices.items.size());
  std::vector<std::vector<Corner>> corners;  // per vertex of the cell
  std::vector<int> local(at(cells.vertices), 0);
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    const std::span<const int> vertices = complex.cell_vertices[c];
    corners.resize(std::max(corners.size(), vertices.size()));
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      local[at(vertices[k])] = static_cast<int>(k);
      corners[k].clear();
    }
    for (std::size_t s = at(cells.cell_start[c]); s < at(cells.cell_start[c + 1]); ++s) {
      const std::span<const int> side = cells.side(s);
      for (std::size_t k = 0; k < side.size(); ++k) {
        const int before = side[k > 0 ? k - 1 : side.size() - 1], after = side[k + 1 < side.size() ? k + 1 : 0];
        corners[at(local[at(side[k])])].push_back(
            {complex.side_face[s], complex.edge_between(before, side[k]), complex.edge_between(side[k], after)});
      }
    }
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      const std::vector<Corner>& around = corners[k];
      if (around.size() != 3) refuse(c, vertices[k], around.size());
      // Seen from outside, the corner `b` lies across the edge that leads into the vertex, `a` across the other one.
      const auto across = [&](int Corner::*edge, int which) {
        return std::find_if(around.begin() + 1, around.end(), [&](const Corner& o) { return o.*edge == which; });
      };
      const Corner& first = around[0];
      const auto b = across(&Corner::outgoing, first.incoming), a = across(&Corner::incoming, first.outgoing);
      if (a == around.end() || b == around.end() || a == b || a->outgoing != b->incoming) refuse(c, vertices[k], 3);
      refined.hexahedra.push_back({vertices[k], number.edge + first.incoming, number.face + first.face,
                                   number.edge + first.outgoing, number.edge + a->outgoing, number.face + b->face,
                                   number.cell + static_cast<int>(c), number.face + a->face});
      refined.parent.push_back(static_cast<int>(c));
    }
  }
  return refined;
}

SharpFeatures refine_features(const SharpFeatures& features, const CellComplex& coarse, const CellComplex& fine) {
  SharpFeatures refined;
  refined.edge.assign(fine.edges.size(), 0);
  refined.vertex.assign(at(fine.cells.vertices), 0);
  std::copy(features.vertex.begin(), features.vertex.end(), refined.vertex.begin());
  const int first_edge = refined_vertices(coarse).edge;
  for (std::size_t e = 0; e < coarse.edges.size(); ++e) {
    if (!features.edge[e]) continue;
    for (int end : coarse.edges[e]) refined.edge[at(fine.edge_between(end, first_edge + static_cast<int>(e)))] = 1;
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
