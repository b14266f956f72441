// The setting `keys` of `rigspace`: keys that fix controls over the time of clips, as JSON (docs/rig_space.md):
//
//   {"clips": {"stomp": [{"parameter": "belly.rotation.x", "ease": 0.1, "keys": [[0.5, 0.2], [0.7, 0.3, 0.0, 1.5]]}]}}
//
// A key is [seconds, value], [seconds, value, slope] or [seconds, value, slope before, slope after].
#pragma once

#include <string>
#include <string_view>

#include "sinew/deform/fixed_keys.h"

namespace sinew {

// `file` is for messages. Throws input_error that names file, clip, stretch and key.
FixedKeys fixed_keys_from_json(std::string_view text, const std::string& file);

// The text that reads back as the same keys; empty if there are none.
std::string fixed_keys_json(const FixedKeys& keys);

// `setting`: the name of such a file, or such a text itself, which begins with a brace. Empty: no keys.
FixedKeys fixed_keys_of_setting(const std::string& setting);

// JSON Schema of such a text.
const char* fixed_keys_schema();

}  // namespace sinew
