// What was done to a character while it ran, as a file (docs/file_formats.md, Takes).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/session/action.h"

namespace sinew {

// Numbers as they are, to the bit.
std::string take_json(const Take& take, ActionKinds kinds = action_kinds());

// `file` is for messages. Throws input_error naming file and action where a key is unknown, a value makes no sense, or
// times do not rise.
Take take_from_json(std::string_view text, const std::string& file, ActionKinds kinds = action_kinds());

Take read_take(const std::filesystem::path& path);

}  // namespace sinew
