// Edit distance between two words.
#pragma once

#include <cstddef>
#include <string_view>

namespace sinew {

// Least number of edits that turn one word into the other: a letter removed, added or changed, or two neighbours
// swapped (each letter at most once). Time and memory grow with the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace sinew
