// Patterns over names: * stands for any run of characters, ? for any one.
#pragma once

#include <string_view>

namespace sinew {

bool matches(std::string_view pattern, std::string_view name);

}  // namespace sinew
