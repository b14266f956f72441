// Settings as part of what tells a run from every other.
#pragma once

#include "sinew/character/fingerprint.h"
#include "sinew/deform/setting.h"

namespace sinew {

// All that change a run, each by its key and value: where Recooks is `nothing` none. Files count by what is in them.
void add_settings(Fingerprint& print, const Settings& settings);

// Whether two descriptions of the same setting have the same value.
bool same_value(const Setting& a, const Setting& b);

}  // namespace sinew
