#include "sinew/mesh/rigid_fit.h"

#include <cstddef>

#include "sinew/linalg/rotation.h"

namespace sinew {

RigidMotion rigid_fit(const RigidGroup& group, std::span<const Vec3> positions, std::span<const Vec3> displacement,
                      double steadying) {
  RigidMotion motion;
  for (std::size_t k = 0; k < group.vertices.size(); ++k) {
    const auto v = static_cast<std::size_t>(group.vertices[k]);
    motion.centre += group.weight[k] * positions[v];
    motion.translation += group.weight[k] * displacement[v];
  }
  Mat3 spread = Mat3::zero();
  for (std::size_t k = 0; k < group.vertices.size(); ++k) {
    const auto v = static_cast<std::size_t>(group.vertices[k]);
    const Vec3 arm = positions[v] - motion.centre;
    spread += outer(arm + displacement[v] - motion.translation, arm) * group.weight[k];
  }
  if (steadying > 0) spread += Mat3::diagonal({steadying, steadying, steadying});
  motion.rotation = closest_rotation(spread);
  return motion;
}

}  // namespace sinew
