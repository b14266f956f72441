// Fingerprints and comparison of settings.
#pragma once

#include "sinew/character/fingerprint.h"
#include "sinew/deform/setting.h"

namespace sinew {

// Adds key and value of each setting that changes a run (Recooks above `nothing`). Files count by their content.
void add_settings(Fingerprint& print, ConstSettings settings);

// Whether a setting has the same value in two objects.
bool same_value(const Setting& setting, ConstSettings a, ConstSettings b);

// The highest level that any difference between two objects of the same struct requires.
Recooks recooks_between(ConstSettings before, ConstSettings after);

}  // namespace sinew
