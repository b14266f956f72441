// Abstract controls in files of force rigs and of muscles' activation. To be included by sources only, since it
// includes a JSON library.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/files/settings_fields.h"
#include "sinew/files/strict_json.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

// Takes the list "controls", which may be absent. Throws input_error naming `file`, the control and a remedy.
std::vector<AbstractControl> take_controls(SettingsFields& fields, const std::string& file);

// The list as take_controls() takes it.
SettingsJson controls_json(std::span<const AbstractControl> controls);

}  // namespace sinew
