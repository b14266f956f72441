#include "sinew/cook/hold_reach.h"

#include <algorithm>
#include <cmath>

#include "sinew/cook/prepare.h"

namespace sinew {
namespace {

constexpr double of_depth = 5, of_bone_distance = 0.7, most_of_height = 1.0 / 3;

// Metres from a surface vertex to its bone; infinite where its piece has none.
double distance_to_bone(const FleshScene& scene, const EmbeddedPoint& point) {
  if (point.tetrahedron < 0) return 0;
  const Tetrahedron& corner = scene.body->description.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
  double distance = 0;
  for (std::size_t k = 0; k < 4; ++k)
    if (point.weights[k] != 0) distance += point.weights[k] * scene.map.bone_distance[static_cast<std::size_t>(corner[k])];
  return distance;
}

}  // namespace

std::vector<double> hold_reach(const FleshScene& scene) {
  std::vector<double> reach(scene.map.depth.size());
  for (std::size_t s = 0; s < reach.size(); ++s) {
    const double distance = distance_to_bone(scene, scene.body->description.embedding.points[s]);
    reach[s] = std::min(std::max(of_depth * scene.map.depth[s], of_bone_distance * distance), most_of_height * scene.height);
  }
  return reach;
}

}  // namespace sinew
