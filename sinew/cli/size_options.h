// The options --height and --unit of all verbs that read a character.
#pragma once

#include <optional>
#include <string>

#include "sinew/jobs/open_character.h"

namespace sinew::cli {

class OptionSet;

struct SizeOptions {
  std::optional<double> height;  // metres
  std::string unit_name;         // as the user wrote it; empty if absent

  void add_to(OptionSet& options);

  // Both options, for open_character(). Throws usage_error for an unknown unit.
  SizeRequest asked() const { return {height, unit()}; }

  // Metres per file unit, if --unit is given. Throws usage_error for an unknown unit.
  std::optional<double> unit() const;
};

}  // namespace sinew::cli
