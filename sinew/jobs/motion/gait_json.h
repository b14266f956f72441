// The numbers of a walk as JSON (docs/gait.schema.json).
#pragma once

#include <string>
#include <string_view>

#include "sinew/dynamics/gait.h"

namespace sinew {

std::string gait_json(const Gait& gait, double speed);

// Throws input_error, a sentence that names the file and the member, for what is no gait.
Gait gait_from_json(std::string_view text, const std::string& file);

}  // namespace sinew
