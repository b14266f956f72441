#include "sinew/mesh/control_lattice/subdivision_masks.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/row_builder.h"

namespace sinew {
namespace {

// Row i has the `items` whose list contains i, ascending.
template <class Lists>
Rows transposed(std::size_t count, std::size_t items, const Lists& list) {
  Rows rows;
  rows.offsets.assign(count + 1, 0);
  for (std::size_t item = 0; item < items; ++item)
    for (int i : list(item)) ++rows.offsets[index(i) + 1];
  for (std::size_t i = 0; i < count; ++i) rows.offsets[i + 1] += rows.offsets[i];
  rows.items.resize(index(rows.offsets[count]));
  std::vector<int> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t item = 0; item < items; ++item)
    for (int i : list(item)) rows.items[index(next[index(i)]++)] = static_cast<int>(item);
  return rows;
}

// Sharp edges at each vertex.
Rows creases(const CellComplex& complex, const SharpFeatures& sharp) {
  return transposed(index(complex.cells.vertices), complex.edges.size(), [&](std::size_t e) {
    return sharp.edge[e] ? std::span<const int>(complex.edges[e]) : std::span<const int>();
  });
}

// Half of the vertex and half of the mean midpoint of two sharp edges: a cubic B-spline.
void add_crease_vertex(RowBuilder& rows, const CellComplex& complex, int vertex, std::span<const int> edges) {
  rows.add(vertex, 0.5);
  for (int e : edges) rows.add(complex.edges[index(e)], 0.125);
}

}  // namespace

SparseRows trilinear_rows(const CellComplex& complex) {
  RowBuilder rows(complex.cells.vertices);
  for (int v = 0; v < complex.cells.vertices; ++v) {
    rows.add(v, 1);
    rows.end_row();
  }
  const auto add_means = [&](std::size_t count, const auto& corners) {
    for (std::size_t i = 0; i < count; ++i) {
      rows.add_mean(corners[i], 1);
      rows.end_row();
    }
  };
  add_means(complex.edges.size(), complex.edges);
  add_means(complex.faces.size(), complex.faces);
  add_means(complex.cells.cells(), complex.cell_vertices);
  return rows.take();
}

SparseRows mlca_rows(const CellComplex& complex, const RefinedCells& refined, const SharpFeatures& sharp) {
  const SparseRows trilinear = trilinear_rows(complex);
  const RefinedVertices number = refined_vertices(complex);

  // Pieces of cells and of boundary faces, their centroids, and the pieces around each refined vertex.
  std::vector<std::array<int, 4>> pieces;
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    if (!complex.boundary_face[f]) continue;
    const std::span<const int> corners = complex.faces[f], edges = complex.face_edges[f];
    for (std::size_t k = 0; k < corners.size(); ++k)
      pieces.push_back({corners[k], number.edge + edges[k], number.face + static_cast<int>(f),
                        number.edge + edges[k > 0 ? k - 1 : edges.size() - 1]});
  }
  const auto centroids = [&](const auto& list) {
    RowBuilder rows(complex.cells.vertices);
    for (const auto& piece : list) {
      rows.add_mean_of_rows(trilinear, piece, 1);
      rows.end_row();
    }
    return rows.take();
  };
  const auto around = [&](const auto& list) {
    return transposed(index(number.count), list.size(), [&](std::size_t i) { return std::span<const int>(list[i]); });
  };
  const SparseRows solid_centroids = centroids(refined.hexahedra), boundary_centroids = centroids(pieces);
  const Rows solids = around(refined.hexahedra), boundary = around(pieces);
  const Rows crease = creases(complex, sharp);

  RowBuilder rows(complex.cells.vertices);
  for (int v = 0; v < number.count; ++v) {
    const bool old = v < number.edge;
    const std::size_t ends = old ? crease[index(v)].size() : 0;
    const bool on_sharp_edge = !old && v < number.face && sharp.edge[index(v - number.edge)];
    if (old && (sharp.vertex[index(v)] || ends == 1 || ends > 2))
      rows.add(v, 1);
    else if (ends == 2)
      add_crease_vertex(rows, complex, v, crease[index(v)]);
    else if (on_sharp_edge)
      rows.add_mean(complex.edges[index(v - number.edge)], 1);
    else if (!boundary[index(v)].empty())
      rows.add_mean_of_rows(boundary_centroids, boundary[index(v)], 1);
    else if (!solids[index(v)].empty())
      rows.add_mean_of_rows(solid_centroids, solids[index(v)], 1);
    else
      rows.add(v, 1);  // in no cell
    rows.end_row();
  }
  return rows.take();
}

SparseRows maccracken_joy_rows(const CellComplex& complex, const SharpFeatures& sharp) {
  const auto vertices = index(complex.cells.vertices);
  const auto boundary_only = [&](std::size_t f) {
    return complex.boundary_face[f] ? complex.faces[f] : std::span<const int>();
  };
  const auto edges_of = [&](std::size_t e) { return std::span<const int>(complex.edges[e]); };
  const Rows faces = transposed(vertices, complex.faces.size(), [&](std::size_t f) { return complex.faces[f]; });
  const Rows boundary_faces = transposed(vertices, complex.faces.size(), boundary_only);
  const Rows edges = transposed(vertices, complex.edges.size(), edges_of);
  const Rows boundary_edges = transposed(vertices, complex.edges.size(), [&](std::size_t e) {
    return complex.boundary_edge[e] ? edges_of(e) : std::span<const int>();
  });
  const Rows cells =
      transposed(vertices, complex.cells.cells(), [&](std::size_t c) { return complex.cell_vertices[c]; });
  const Rows edge_faces =
      transposed(complex.edges.size(), complex.faces.size(), [&](std::size_t f) { return complex.face_edges[f]; });
  const Rows crease = creases(complex, sharp);

  RowBuilder rows(complex.cells.vertices);
  // A weight times the mean of the centroids of `which`.
  const auto add_centroids = [&](const auto& corners, std::span<const int> which, double weight) {
    for (int i : which) rows.add_mean(corners[index(i)], weight / static_cast<double>(which.size()));
  };

  for (std::size_t v = 0; v < vertices; ++v) {
    const int vertex = static_cast<int>(v);
    const std::size_t ends = crease[v].size();
    if (sharp.vertex[v] || ends > 2 || edges[v].empty()) {
      rows.add(vertex, 1);
    } else if (ends == 2) {
      add_crease_vertex(rows, complex, vertex, crease[v]);
    } else if (complex.boundary_vertex[v]) {
      const auto n = static_cast<double>(boundary_edges[v].size());
      add_centroids(complex.faces, boundary_faces[v], 1 / n);
      add_centroids(complex.edges, boundary_edges[v], 2 / n);
      rows.add(vertex, (n - 3) / n);
    } else {
      add_centroids(complex.cell_vertices, cells[v], 1.0 / 8);
      add_centroids(complex.faces, faces[v], 3.0 / 8);
      add_centroids(complex.edges, edges[v], 3.0 / 8);
      rows.add(vertex, 1.0 / 8);
    }
    rows.end_row();
  }

  std::vector<int> around;
  for (std::size_t e = 0; e < complex.edges.size(); ++e) {
    const std::span<const int> ends = complex.edges[e];
    if (sharp.edge[e]) {
      rows.add_mean(ends, 1);
    } else if (complex.boundary_edge[e]) {
      around.clear();
      for (int f : edge_faces[e])
        if (complex.boundary_face[index(f)]) around.push_back(f);
      rows.add_mean(ends, 0.5);
      add_centroids(complex.faces, around, 0.5);
    } else {
      around.clear();
      for (int f : edge_faces[e])
        for (int s : complex.face_sides[index(f)]) around.push_back(complex.side_cell[index(s)]);
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());
      const auto n = static_cast<double>(edge_faces[e].size());
      add_centroids(complex.cell_vertices, around, 1 / n);
      add_centroids(complex.faces, edge_faces[e], 2 / n);
      rows.add_mean(ends, (n - 3) / n);
    }
    rows.end_row();
  }

  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    rows.add_mean(complex.faces[f], complex.boundary_face[f] ? 1 : 0.5);
    if (!complex.boundary_face[f]) {
      around.clear();
      for (int s : complex.face_sides[f]) around.push_back(complex.side_cell[index(s)]);
      add_centroids(complex.cell_vertices, around, 0.5);
    }
    rows.end_row();
  }

  for (std::size_t c = 0; c < complex.cells.cells(); ++c) {
    rows.add_mean(complex.cell_vertices[c], 1);
    rows.end_row();
  }
  return rows.take();
}

}  // namespace sinew
