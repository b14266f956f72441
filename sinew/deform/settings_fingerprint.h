// Fingerprints and comparison of settings.
#pragma once

#include "sinew/character/fingerprint.h"
#include "sinew/deform/setting.h"

namespace sinew {

// Adds key and value of each setting that changes a run (Recooks above `nothing`). Files count by their content.
void add_settings(Fingerprint& print, const Settings& settings);

// Whether two descriptions of the same setting have the same value.
bool same_value(const Setting& a, const Setting& b);

// The highest level that any difference between two values of the same struct requires.
Recooks recooks_between(const Settings& before, const Settings& after);

}  // namespace sinew
