#include "sinew/rig/bone_distance.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"

namespace sinew {

Vec3 nearest_point(const Bone& bone, const Vec3& point) {
  Vec3 nearest = point;
  double least = HUGE_VAL;
  for (const BoneSegment& s : bone.segments) {
    const Vec3 along = s.tail - s.head;
    const double square = squared_norm(along);
    const double t = square > 0 ? std::clamp(dot(point - s.head, along) / square, 0.0, 1.0) : 0;
    const Vec3 here = s.head + t * along;
    if (const double away = distance(point, here); away < least) least = away, nearest = here;
  }
  return nearest;
}

double distance_to_bones(const SimulationSurface& surface, const Influences& influences, const Vec3& point) {
  double sum = 0;
  for (std::size_t k = 0; k < index(influences.count); ++k)
    sum += influences.weight[k] * distance(point, nearest_point(surface.bones[index(influences.joint[k])], point));
  return sum;
}

}  // namespace sinew
