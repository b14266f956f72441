// Welding: vertices that stand at one position become one vertex. Files split vertices along texture
// and normal seams; simulation wants the surface whole.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct WeldOptions {
  // Two positions closer than this weld, in the unit of the positions. 0 welds only equal positions
  // (with -0 == 0). Chains of near vertices do not weld into one: each group lies within `tolerance`
  // of its first vertex.
  double tolerance = 0;
  // Asked for two vertices at one position: may they become one? Empty: always. It must be an
  // equivalence among the vertices of one position.
  std::function<bool(int first, int second)> equal;
};

struct WeldMap {
  std::vector<int> welded;  // per vertex, its welded vertex
  std::vector<int> source;  // per welded vertex, its first vertex; strictly increasing
};

// Vertices with a position that is not finite stay by themselves.
WeldMap weld(std::span<const Vec3> positions, const WeldOptions& options = {});

// Welded vertices in the order of their first vertex, at its position; triangles in their order, those
// that lost their area by welding included (two equal indices).
TriangleMesh apply_weld(const TriangleMesh& mesh, const WeldMap& map);

// Several parts side by side as one mesh: vertices of part i begin at vertex_offset[i], triangles at
// triangle_offset[i]; one more entry than parts.
struct JoinedMesh {
  TriangleMesh mesh;
  std::vector<int> vertex_offset, triangle_offset;
};
JoinedMesh join(std::span<const TriangleMesh* const> parts);

}  // namespace sinew
