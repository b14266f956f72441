// Numbers and lists in sentences for people.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sinew {

// "0.281"
std::string short_number(double value, int digits = 3);
// "0.281 %" for 0.00281
std::string short_percent(double share, int digits = 3);
// "a, b and c"; beyond `most`: "a, b and 3 more".
std::string listed(std::span<const std::string> words, std::size_t most = 12);

}  // namespace sinew
