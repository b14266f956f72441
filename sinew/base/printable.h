// Text from a file made safe to print.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

// Writes control characters as escapes such as \x1b (a terminal would obey them, and a zero would end the text early)
// and bytes that are not UTF-8 as question marks. Printable text is returned unchanged.
std::string printable(std::string_view text);

}  // namespace sinew
