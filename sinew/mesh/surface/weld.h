// Welding: merges vertices at the same position. Files split vertices along texture and normal seams, while simulation
// needs a connected surface.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct WeldOptions {
  // Positions closer than this are merged, in the unit of the positions. 0 merges only equal positions (with -0 == 0).
  // Chains of near vertices do not collapse into one: each group lies within `tolerance` of its first vertex.
  double tolerance = 0;
  // Returns whether two vertices at one position may be merged; empty: always. Must be an equivalence relation among
  // the vertices of one position.
  std::function<bool(int first, int second)> equal;
};

// Correspondence between vertices and welded vertices.
struct WeldMap {
  std::vector<int> welded;  // per vertex, its welded vertex
  std::vector<int> source;  // per welded vertex, its first vertex; strictly increasing
};

// Vertices with a position that is not finite are not merged.
WeldMap weld(std::span<const Vec3> positions, const WeldOptions& options = {});

// Welded vertices are in the order of their first vertex, at its position. Triangles keep their order; those that lost
// their area (two equal indices) are included.
TriangleMesh apply_weld(const TriangleMesh& mesh, const WeldMap& map);

// Several parts concatenated into one mesh: the vertices of part i begin at vertex_offset[i], its triangles at
// triangle_offset[i]; both have one more entry than there are parts.
struct JoinedMesh {
  TriangleMesh mesh;
  std::vector<int> vertex_offset, triangle_offset;
};
JoinedMesh join(std::span<const TriangleMesh* const> parts);

}  // namespace sinew
