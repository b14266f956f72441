#include "sinew/mesh/surface_centroid.h"

#include <cmath>

#include "sinew/base/index.h"

namespace sinew {

Vec3 surface_centroid(const TriangleMesh& mesh, std::span<const Vec3> positions) {
  constexpr double least_filled = 1e-3;  // of the cube of the largest distance from the mean
  Vec3 mean;
  for (const Vec3& x : positions) mean += x / static_cast<double>(positions.size());
  double reach = 0, volume = 0;
  for (const Vec3& x : positions) reach = std::max(reach, distance(x, mean));
  Vec3 moment;
  for (const Triangle& t : mesh.triangles) {  // tetrahedra over the mean
    const Vec3 a = positions[index(t[0])] - mean, b = positions[index(t[1])] - mean, c = positions[index(t[2])] - mean;
    const double part = dot(a, cross(b, c)) / 6;
    volume += part;
    moment += part * (a + b + c) / 4;
  }
  return std::abs(volume) > least_filled * reach * reach * reach ? mean + moment / volume : mean;
}

}  // namespace sinew
