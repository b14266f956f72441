// How far two words are apart.
#pragma once

#include <cstddef>
#include <string_view>

namespace sinew {

// The least number of letters to leave out, add, change, or swap with their neighbour (each at most once) to make one
// word from the other. Takes time and memory of the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace sinew
