#include "sinew/cli/size_options.h"

#include "sinew/character/size.h"
#include "sinew/cli/options.h"

namespace sinew::cli {

void SizeOptions::add_to(OptionSet& options) {
  options.add("--height METRES", height, "1.8", "Height of the character, where its size is guessed wrong");
  options.add("--unit UNIT", unit_name, "Or the length of the file's unit: m, cm, mm, in, ft or a number of metres")
      .advanced();
}

std::optional<double> SizeOptions::unit() const {
  return unit_name.empty() ? std::nullopt : std::optional(parse_unit(unit_name));
}

}  // namespace sinew::cli
