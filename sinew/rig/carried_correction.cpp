#include "sinew/rig/carried_correction.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/rig/bone_distance.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {

SparseRows carried_correction(const SimulationSurface& surface, std::span<const Vec3> points) {
  if (!corrects_skin(surface.skinning.kind)) return {};
  const BoundingVolumeHierarchy tree(surface.rest);
  std::vector<std::array<std::pair<int, double>, 3>> rows(points.size());
  parallel_for(points.size(), 64, [&](std::size_t i) {
    const ClosestPoint near = tree.closest_point(points[i]);
    const Triangle& corners = surface.rest.triangles[index(near.triangle)];
    Influences on;
    double most = -1;
    for (std::size_t k = 0; k < 3; ++k)
      if (near.barycentric[k] > most) most = near.barycentric[k], on = surface.influences[index(corners[k])];
    const double at_skin = distance_to_bones(surface, on, near.point), here = distance_to_bones(surface, on, points[i]);
    const double share = at_skin > 0 ? std::min(1.0, here / at_skin) : 0;
    for (std::size_t k = 0; k < 3; ++k) rows[i][k] = {corners[k], share * near.barycentric[k]};
    std::sort(rows[i].begin(), rows[i].end());
  });
  SparseRows result;
  result.columns = static_cast<int>(surface.rest.positions.size());
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      result.column.push_back(column);
      result.value.push_back(value);
    }
    result.start.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

}  // namespace sinew
