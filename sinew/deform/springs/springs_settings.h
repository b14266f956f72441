// Settings of the method `springs`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/character/skinning.h"
#include "sinew/deform/acting_settings.h"
#include "sinew/deform/setting.h"
#include "sinew/deform/springs/spring_chain.h"

namespace sinew {

struct SpringsSettings {
  std::vector<std::string> swing;  // name patterns of the joints that swing
  SpringForces forces;
  std::vector<ColliderSettings> colliders;
  std::optional<double> ground;                  // height of a ground plane, metres
  SkinningKind skinning = SkinningKind::linear;  // how bones pose the skin, as the rig has them and as they swing

  static SettingsTable describe();
};

// Returns the joints that swing by default: those that only move flesh, or else the last ones of all chains.
std::vector<std::string> joints_that_may_swing(const std::vector<Bone>& bones);

}  // namespace sinew
