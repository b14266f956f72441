#include "studio/server/live/springs_settings.h"

#include <algorithm>

#include "studio/server/cook/method_settings.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

std::string springs_settings(const SimulationSurface& surface) {
  PageJson joints = PageJson::array();
  for (const Bone& bone : surface.bones)
    if (bone.helper) joints.push_back(bone.name);
  const bool by_helpers = !joints.empty();
  for (std::size_t b = 0; !by_helpers && b < surface.bones.size(); ++b) {
    const bool last = std::none_of(surface.bones.begin(), surface.bones.end(),
                                   [&](const Bone& other) { return other.parent == static_cast<int>(b); });
    if (last && surface.bones[b].parent >= 0) joints.push_back(surface.bones[b].name);
  }
  return with_value("springs", "", "swing", joints.dump());
}

}  // namespace sinew::studio
