#include "sinew/contact/surface_points.h"

#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {

SurfacePoints surface_points(const TetrahedralMesh& mesh, std::span<const EmbeddedPoint> embedding,
                             std::vector<int>* index) {
  SurfacePoints points;
  if (index) index->clear();
  for (std::size_t k = 0; k < embedding.size(); ++k) {
    const int t = embedding[k].tetrahedron;
    if (t == -1) continue;
    if (t < 0 || static_cast<std::size_t>(t) >= mesh.tetrahedra.size())
      throw usage_error("surface point " + std::to_string(k) + " is in tetrahedron " + std::to_string(t) +
                        ", which the body does not have; embed the surface in this body.");
    points.vertex.push_back(mesh.tetrahedra[static_cast<std::size_t>(t)]);
    points.weight.push_back(embedding[k].weights);
    if (index) index->push_back(static_cast<int>(k));
  }
  return points;
}

ScratchVector<Vec3> positions_of(const SurfacePoints& points, std::span<const Vec3> vertices) {
  ScratchVector<Vec3> positions(points.size());
  parallel_for(points.size(), 2048, [&](std::size_t k) {
    for (std::size_t c = 0; c < 4; ++c)
      positions[k] += vertices[static_cast<std::size_t>(points.vertex[k][c])] * points.weight[k][c];
  });
  return positions;
}

}  // namespace sinew
