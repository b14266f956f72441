// Everything that may be wrong with a surface, with the numbers of the elements concerned. Sinew works
// with all of it; `sinew check` reports it.
#pragma once

#include <array>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct SurfaceDefects {
  std::vector<int> non_finite_vertices;    // a coordinate is infinite or not a number
  std::vector<int> unreferenced_vertices;  // no triangle names them
  std::vector<int> invalid_triangles;      // an index is out of range
  std::vector<int> degenerate_triangles;   // an index twice, or no area (height below 1e-9 of the longest side)
  std::vector<std::array<int, 2>> duplicate_triangles;  // (triangle, earlier triangle of the same three vertices)
  std::vector<std::array<int, 2>> non_manifold_edges;   // vertex pairs with more than two triangles
  std::vector<std::array<int, 2>> inconsistent_edges;   // vertex pairs whose two triangles run the same way along them
  std::vector<std::vector<int>> boundary_loops;         // vertices around each hole or rim; edges with one triangle
  std::size_t boundary_edges = 0;
  // Triangle pairs, the smaller number first, whose interiors meet; neighbours only where they cross
  // or fold onto each other beyond what they share.
  std::vector<std::array<int, 2>> self_intersections;
  std::vector<int> island;  // per triangle, its connected component by shared vertices; -1: not valid
  int islands = 0;

  bool none() const;  // apart from islands, of which there may be many
};

// `mesh` should be welded, or every seam shows up as a rim. Triangles that are invalid, or have a
// vertex that is not finite, take no part in what follows them in the list.
SurfaceDefects find_defects(const TriangleMesh& mesh);

}  // namespace sinew
