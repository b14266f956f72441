#include "sinew/mesh/surface/vertex_areas.h"

#include <cstddef>

#include "sinew/mesh/triangle_geometry.h"

namespace sinew {

std::vector<double> vertex_areas(const TriangleMesh& mesh) {
  std::vector<double> area(mesh.positions.size(), 0.0);
  for (const Triangle& t : mesh.triangles) {
    const auto at = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(t[k])]; };
    const double third = norm(cross(at(1) - at(0), at(2) - at(0))) / 6;
    for (int v : t) area[static_cast<std::size_t>(v)] += third;
  }
  return area;
}

std::vector<Vec3> vertex_area_vectors(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  std::vector<Vec3> sum(positions.size());
  for (const Triangle& t : triangles) {
    const auto at = [&](std::size_t k) -> const Vec3& { return positions[static_cast<std::size_t>(t[k])]; };
    const Vec3 area = area_vector(at(0), at(1), at(2));
    for (const int v : t) sum[static_cast<std::size_t>(v)] += area;
  }
  return sum;
}

}  // namespace sinew
