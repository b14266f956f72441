// Fingerprints of settings.
#pragma once

#include "sinew/character/fingerprint.h"
#include "sinew/deform/setting.h"

namespace sinew {

// Adds key and value of each setting of level `least` and above; without a level, of each that changes a run. Files
// count by their content.
void add_settings(Fingerprint& print, const Settings& settings, Recooks least = Recooks::run);

// Whether two descriptions of the same setting have the same value.
bool same_value(const Setting& a, const Setting& b);

}  // namespace sinew
