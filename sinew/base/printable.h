// Text from a file, as it can be shown safely.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

// Control characters, which a terminal would obey and of which the zero ends a text early, as \x1b and the like; bytes
// that are not UTF-8 as question marks. What is printable already stays as it is.
std::string printable(std::string_view text);

}  // namespace sinew
