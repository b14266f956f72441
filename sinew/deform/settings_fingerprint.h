// Settings as part of what tells a run from every other, and what they differ in.
#pragma once

#include "sinew/character/fingerprint.h"
#include "sinew/deform/setting.h"

namespace sinew {

// All that change a run, each by its key and value: where Recooks is `nothing` none. Files count by what is in them.
void add_settings(Fingerprint& print, const Settings& settings);

// Whether two descriptions of the same setting have the same value.
bool same_value(const Setting& a, const Setting& b);

// What has to be made anew from one to the other, two descriptions of the same struct: the most that any difference
// takes.
Recooks recooks_between(const Settings& before, const Settings& after);

}  // namespace sinew
