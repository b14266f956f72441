// Files of handles of the method `mixed`, and its setting `handles`, as JSON (docs/mixed_characters.md):
//
//   {"handles": [{"name": "foot", "kind": "frame", "place": [0, 0.1, 0], "radius": 0.1},
//                {"name": "tip", "place": [0, 1.9, 0], "keys": [{"time": 0}, {"time": 1, "move": [0.3, 0, 0]}]}]}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/deform/handle_settings.h"

namespace sinew {

// `file` is for messages. Throws input_error that names file, handle and key.
std::vector<HandleSettings> handles_from_json(std::string_view text, const std::string& file);

// The text that reads back as the same handles; empty if there are none.
std::string handles_json(const std::vector<HandleSettings>& handles);

// `setting`: the name of such a file, or such a text itself, which begins with a brace. Empty: no handles.
std::vector<HandleSettings> handles_of_setting(const std::string& setting);
// The file's name for messages, or that of the setting.
std::string handles_file(const std::string& setting);

// JSON Schema of such a text.
const char* handles_schema();

}  // namespace sinew
