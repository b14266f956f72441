// The setting `along`: painted fields as curves along limbs, as JSON (docs/settings.md, Along a limb):
//
//   {"curves": [{"field": "stiffness", "from": "thigh.L", "to": "foot.L", "keys": [[0, 0.5], [0.8, 2, 0]]}]}
//
// A key is [distance, value], [distance, value, slope] or [distance, value, slope before, slope after], where distance
// is 0 at the root of the chain of bones and 1 at its tip.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/deform/limb_curves.h"

namespace sinew {

// `file` is for messages. Throws input_error that names file, curve and key.
std::vector<LimbCurve> limb_curves_from_json(std::string_view text, const std::string& file);

// The text that reads back as the same curves; empty if there are none.
std::string limb_curves_json(const std::vector<LimbCurve>& curves);

// `setting`: the name of such a file, or such a text itself, which begins with a brace. Empty: no curves.
std::vector<LimbCurve> limb_curves_of_setting(const std::string& setting);
// The file's name for messages, or that of the setting.
std::string limb_curves_file(const std::string& setting);

// JSON Schema of such a text.
const char* limb_curves_schema();

}  // namespace sinew
