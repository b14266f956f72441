// Reads and writes takes as JSON files (docs/file_formats.md, Takes).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/session/action.h"

namespace sinew {

// Writes numbers so that they read back bitwise equal.
std::string take_json(const Take& take, ActionKinds kinds = action_kinds());

// `file` is for messages. Throws input_error naming file and action for unknown keys, invalid values, and times that do
// not ascend.
Take take_from_json(std::string_view text, const std::string& file, ActionKinds kinds = action_kinds());

Take read_take(const std::filesystem::path& path);

}  // namespace sinew
