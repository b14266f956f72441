// Reflexes of a walk as JSON (docs/reflexes.schema.json).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sinew/dynamics/striding/reflexes.h"

namespace sinew {

struct ReflexFile {
  Reflexes reflexes{};
  std::optional<double> speed{};  // at which they walked, m/s
};
std::string reflexes_json(const ReflexFile& file);

// Throws input_error, a sentence that names the file and the member, for what is no such file.
ReflexFile reflexes_from_json(std::string_view text, const std::string& file);

}  // namespace sinew
