// Surface points carried by a body of tetrahedra, at which contacts and loads act.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/base/threads/scratch.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Each point is a barycentric combination of the corners of one tetrahedron.
struct SurfacePoints {
  std::vector<std::array<int, 4>> vertex;     // vertices of the body
  std::vector<std::array<double, 4>> weight;  // sum 1

  std::size_t size() const { return vertex.size(); }
};

// Leaves out points without a tetrahedron (-1); `index`, if given, receives the index into `embedding` of each other
// point. Throws usage_error for tetrahedra that the mesh does not have.
SurfacePoints surface_points(const TetrahedralMesh& mesh, std::span<const EmbeddedPoint> embedding,
                             std::vector<int>* index = nullptr);

// Positions of the points for given positions (metres) of the body's vertices.
ScratchVector<Vec3> positions_of(const SurfacePoints& points, std::span<const Vec3> vertices);

}  // namespace sinew
