// The numbers of a walk as JSON (docs/gait.schema.json).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sinew/dynamics/gait.h"

namespace sinew {

struct GaitFile {
  Gait gait;
  std::optional<double> speed;  // at which it walked, m/s
};
std::string gait_json(const GaitFile& file);

// Throws input_error, a sentence that names the file and the member, for what is no gait.
GaitFile gait_from_json(std::string_view text, const std::string& file);

}  // namespace sinew
