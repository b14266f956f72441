// What is said to pages, and kept: JSON whose keys stay in order. For sources only.
#pragma once

#include <nlohmann/json.hpp>

namespace sinew::studio {

using PageJson = nlohmann::ordered_json;

}  // namespace sinew::studio
