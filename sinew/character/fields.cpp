#include "sinew/character/fields.h"

namespace sinew {

std::vector<std::string> names_of_painted(const Fields& fields) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (!fields[f].empty()) names.emplace_back(painted_fields[f].name);
  return names;
}

std::string listed_fields() {
  std::string text;
  for (std::size_t f = 0; f < body_fields; ++f)
    text += (f == 0 ? "" : f + 1 < body_fields ? ", " : " and ") + std::string(painted_fields[f].name);
  return text;
}

}  // namespace sinew
