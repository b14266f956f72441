#include "sinew/cook/flesh/reach_of_flesh.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double held_depths = 5, pushed_depths = 1.5, of_bone_distance = 0.7, most_of_height = 1.0 / 3;

// Metres from a surface vertex to its bone; infinite if its piece has none.
double distance_to_bone(const ReachOfFlesh& flesh, const EmbeddedPoint& point) {
  if (point.tetrahedron < 0) return 0;
  const Tetrahedron& corner = flesh.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
  double distance = 0;
  for (std::size_t k = 0; k < 4; ++k)
    if (point.weights[k] != 0)
      distance += point.weights[k] * flesh.map.bone_distance[static_cast<std::size_t>(corner[k])];
  return distance;
}

std::vector<double> reach_by_depth(const ReachOfFlesh& flesh, double depths) {
  std::vector<double> reach(flesh.map.depth.size());
  for (std::size_t s = 0; s < reach.size(); ++s) {
    const double distance = distance_to_bone(flesh, flesh.embedding.points[s]);
    reach[s] =
        std::min(std::max(depths * flesh.map.depth[s], of_bone_distance * distance), most_of_height * flesh.height);
  }
  return reach;
}

}  // namespace

std::vector<double> hold_reach(const ReachOfFlesh& flesh) { return reach_by_depth(flesh, held_depths); }

std::vector<double> push_reach(const ReachOfFlesh& flesh) { return reach_by_depth(flesh, pushed_depths); }

}  // namespace sinew
