// The setting `keys`: stiffness, damping and gravity over the time of clips, as JSON (docs/environment.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/deform/tissue_keys.h"

namespace sinew {

// `file` is for messages. Throws input_error that names file, clip and key.
TissueKeys keys_from_json(std::string_view text, const std::string& file);

// `setting`: the name of such a file, or such a text itself, which begins with a brace. Empty: no keys.
TissueKeys keys_of_setting(const std::string& setting);
// The file's name for messages, or that of the setting.
std::string keys_file(const std::string& setting);

// Throws input_error that begins with `file` unless the clip is one of the character's, whose file is `character`.
void check_clip_name(const std::string& clip, const std::vector<std::string>& clips, const std::string& character,
                     const std::string& file);

// JSON Schema of such a text.
const char* keys_schema();

}  // namespace sinew
