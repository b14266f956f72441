#include "sinew/character/fields.h"

namespace sinew {

std::vector<std::string> names_of_painted(const Fields& fields) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (!fields[f].empty()) names.emplace_back(painted_fields[f].name);
  return names;
}

std::string listed_fields() {
  std::vector<std::string> names;
  for (const PaintedField& field : painted_fields)
    if (acts_in_scenes(field)) names.emplace_back(field.name);
  std::string text;
  for (std::size_t f = 0; f < names.size(); ++f)
    text += (f == 0 ? "" : f + 1 < names.size() ? ", " : " and ") + names[f];
  return text;
}

}  // namespace sinew
