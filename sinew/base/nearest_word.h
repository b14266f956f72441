// What somebody may have meant who wrote a word that there is none of.
#pragma once

#include <string>
#include <vector>

namespace sinew {

// The candidate that `word` begins, or differs least from in letters left out, added, changed or swapped with their
// neighbours; empty where all are farther than a third of the word's length.
std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace sinew
