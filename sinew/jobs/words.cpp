#include "sinew/jobs/words.h"

#include <algorithm>
#include <cstdio>

namespace sinew {

std::string short_number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string short_percent(double share, int digits) { return short_number(100 * share, digits) + " %"; }

std::string listed(std::span<const std::string> words, std::size_t most) {
  const bool all = words.size() <= most;
  const std::size_t named = std::min(most, words.size());
  std::string text;
  for (std::size_t k = 0; k < named; ++k) text += (k == 0 ? "" : all && k + 1 == named ? " and " : ", ") + words[k];
  return all ? text : text + " and " + std::to_string(words.size() - named) + " more";
}

}  // namespace sinew
