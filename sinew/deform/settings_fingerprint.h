// Fingerprints of settings.
#pragma once

#include "sinew/character/fingerprint.h"
#include "sinew/deform/setting.h"

namespace sinew {

// Adds key and value of each setting of level `least` and above; without a level, of each that changes a run. Files
// count by their content.
void add_settings(Fingerprint& print, ConstSettings settings, Recooks least = Recooks::run);

// Whether a setting has the same value in two objects.
bool same_value(const Setting& setting, ConstSettings a, ConstSettings b);

}  // namespace sinew
