#include "sinew/base/nearest_word.h"

#include <algorithm>
#include <cstddef>

#include "sinew/base/edit_distance.h"

namespace sinew {

std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t shortest_beginning = 3;  // without dashes; a shorter prefix says little
  constexpr std::size_t longest = 64;            // no name is as long
  if (word.size() > longest) return "";
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  std::string nearest;
  std::size_t least = (word.size() - dashes) / 3 + 1;
  for (const std::string& candidate : candidates) {
    if (word.size() >= dashes + shortest_beginning && candidate.starts_with(word)) return candidate;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace sinew
