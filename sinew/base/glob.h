// Name patterns: * matches any run of characters, ? any single one.
#pragma once

#include <string_view>

namespace sinew {

bool matches(std::string_view pattern, std::string_view name);

}  // namespace sinew
