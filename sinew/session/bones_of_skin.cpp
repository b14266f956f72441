#include "sinew/session/bones_of_skin.h"

#include <cstddef>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {

double weight_of(const SimulationSurface& surface, const SurfacePoint& point, int bone) {
  double weight = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (point.vertex[k] < 0) break;
    const Influences& influences = surface.influences[static_cast<std::size_t>(point.vertex[k])];
    for (int i = 0; i < influences.count; ++i)
      if (influences.joint[static_cast<std::size_t>(i)] == bone)
        weight += point.weight[k] * influences.weight[static_cast<std::size_t>(i)];
  }
  return weight;
}

int most_followed_bone(const SimulationSurface& surface, const SurfacePoint& point) {
  if (surface.bones.empty()) throw usage_error("The skin follows no bone; give the character a rig with skin weights.");
  int most = 0;
  for (int bone = 1; bone < static_cast<int>(surface.bones.size()); ++bone)
    if (weight_of(surface, point, bone) > weight_of(surface, point, most)) most = bone;
  return most;
}

}  // namespace sinew
