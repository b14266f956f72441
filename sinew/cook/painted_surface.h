// The simulation surface of a method that obeys painted fields: with its paint, and the curves of the setting `along`.
#pragma once

#include <span>
#include <string>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/limb_curves.h"
#include "sinew/deform/setting.h"

namespace sinew {

// Parts as for simulation_surface(). `along`: the setting. Throws what simulation_surface(), limb_curves_of_setting()
// and apply_limb_curves() throw.
SimulationSurface painted_surface(const Character& character, bool color_stiffness, const std::string& along,
                                  std::span<const FieldInUse> in_use);

// The row `along` of a method's table of settings.
Setting along_setting(const Member<std::string>& along);

}  // namespace sinew
