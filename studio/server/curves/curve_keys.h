// Keys of curves as pages have them (docs/studio_protocol.md, Curves), and their edits in a project.
#pragma once

#include <span>
#include <string>

#include "sinew/deform/fixed_keys.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// A list of {"parameter", "ease", "keys"}.
PageJson keys_state(std::span<const FixedStretch> stretches);

// Replaces all stretches of a parameter in a clip by `stretches`, JSON as a page sends it. Throws input_error for keys
// that cannot be read.
void replace_stretches(const std::string& clip, const std::string& parameter, const std::string& stretches,
                       FixedKeys& keys);

}  // namespace sinew::studio
