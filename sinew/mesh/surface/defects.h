// Possible defects of a surface, with the indices of the elements concerned. Sinew accepts all of them; `sinew check`
// reports them.
#pragma once

#include <array>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct SurfaceDefects {
  std::vector<int> non_finite_vertices;    // a coordinate is infinite or not a number
  std::vector<int> unreferenced_vertices;  // no triangle refers to them
  std::vector<int> invalid_triangles;      // an index is out of range
  std::vector<int> degenerate_triangles;   // a repeated index, or no area (height below 1e-9 of the longest side)
  std::vector<std::array<int, 2>> duplicate_triangles;  // (triangle, earlier triangle of the same three vertices)
  std::vector<std::array<int, 2>> non_manifold_edges;   // vertex pairs with more than two triangles
  std::vector<std::array<int, 2>> inconsistent_edges;   // vertex pairs with the same direction in both triangles
  std::vector<std::vector<int>> boundary_loops;         // vertices around each hole or rim; edges with one triangle
  std::size_t boundary_edges = 0;
  // Triangle pairs, the smaller index first, whose interiors meet. Neighbours count only where they cross or fold onto
  // each other beyond their common vertices.
  std::vector<std::array<int, 2>> self_intersections;
  std::vector<int> island;  // per triangle, its connected component by shared vertices; -1: invalid triangle
  int islands = 0;

  bool none() const;  // ignores islands, of which there may be many
};

// `mesh` should be welded, or every seam is reported as a boundary. Invalid triangles and those with a vertex that is
// not finite are ignored in the later members of the list.
SurfaceDefects find_defects(const TriangleMesh& mesh);

}  // namespace sinew
