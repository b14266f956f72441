// The surface points that a mixed body carries: where contacts and point forces act on it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/base/threads/scratch.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Each is a barycentric combination of the corners of one tetrahedron.
struct SurfacePoints {
  std::vector<std::array<int, 4>> vertex;     // of the body
  std::vector<std::array<double, 4>> weight;  // sum 1

  std::size_t size() const { return vertex.size(); }
};

// Points without a tetrahedron (-1) are left out; `index`, if given, gets the index into `embedding` of each point that
// is not. Throws usage_error for tetrahedra that the mesh does not have.
SurfacePoints surface_points(const TetrahedralMesh& mesh, std::span<const EmbeddedPoint> embedding,
                             std::vector<int>* index = nullptr);

// Where the points are for positions (metres) of the body's vertices.
ScratchVector<Vec3> positions_of(const SurfacePoints& points, std::span<const Vec3> vertices);

}  // namespace sinew
