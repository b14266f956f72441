// JSON with ordered keys, for messages to pages and for project files. To be included by sources only.
#pragma once

#include <nlohmann/json.hpp>

namespace sinew::studio {

using PageJson = nlohmann::ordered_json;

}  // namespace sinew::studio
