#include "sinew/deform/springs/springs_settings.h"

#include <algorithm>

#include "sinew/deform/skinning_setting.h"

namespace sinew {

// clang-format off
SettingsTable SpringsSettings::describe() {
  constexpr OnCommandLine rare = OnCommandLine::rare;
  return {
      {.key = "swing", .value = &SpringsSettings::swing, .help = "Joints that swing: 'belly*,ear*,tail*'",
       .option = rare},
      {.key = "stiffness", .value = Member(&SpringsSettings::forces, &SpringForces::stiffness),
       .help = "How strongly springs draw to the rig, usually up to 4",
       .range = between(0, 100), .option = rare},
      {.key = "drag", .value = Member(&SpringsSettings::forces, &SpringForces::drag),
       .help = "Share of its velocity that a spring loses in a step of 1/60 s", .range = between(0, 1), .option = rare,
       .takes = "SHARE"},
      {.key = "fall", .value = Member(&SpringsSettings::forces, &SpringForces::gravity),
       .help = "How strongly springs fall, usually up to 2", .range = between(-100, 100), .option = rare},
      {.key = "spring_radius", .value = Member(&SpringsSettings::forces, &SpringForces::radius),
       .help = "Of the tails, which keep out of colliders", .range = between(0, 100), .unit = units::metres,
       .option = rare},
      colliders_setting(list(&SpringsSettings::colliders)),
      ground_setting(&SpringsSettings::ground),
      skinning_setting(&SpringsSettings::skinning, Recooks::everything),
  };
}
// clang-format on

std::vector<std::string> joints_that_may_swing(const std::vector<Bone>& bones) {
  std::vector<std::string> joints;
  for (const Bone& bone : bones)
    if (bone.helper) joints.push_back(bone.name);
  const bool by_helpers = !joints.empty();
  for (std::size_t b = 0; !by_helpers && b < bones.size(); ++b) {
    const bool last = std::none_of(bones.begin(), bones.end(),
                                   [&](const Bone& other) { return other.parent == static_cast<int>(b); });
    if (last && bones[b].parent >= 0) joints.push_back(bones[b].name);
  }
  return joints;
}

}  // namespace sinew
