// Suggestion for a misspelt word.
#pragma once

#include <string>
#include <vector>

namespace sinew {

// The candidate that starts with `word`, or else the one with the least edit distance (edit_distance.h). Empty where
// every distance is more than a third of the word's length.
std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace sinew
