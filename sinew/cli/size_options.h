// --height and --unit, of all verbs that read a character.
#pragma once

#include <optional>
#include <string>

#include "sinew/jobs/open_character.h"

namespace sinew::cli {

class OptionSet;

struct SizeOptions {
  std::optional<double> height;  // metres
  std::string unit_name;         // as given; empty where not

  void add_to(OptionSet& options);

  // Both, as open_character() takes them. Throws usage_error for a unit that there is none of.
  AskedSize asked() const { return {height, unit()}; }

  // Metres per unit of the file, where --unit is given. Throws usage_error for a unit that there is none of.
  std::optional<double> unit() const;
};

}  // namespace sinew::cli
