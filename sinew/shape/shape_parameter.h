// Rows of the tables that describe the parameters of templates and guides: sliders, files, help and optimisers go over
// them. The parameters of a rig, eta, are the values of its template's rows followed by those of its guide's.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "sinew/deform/setting.h"

namespace sinew {

struct ShapeParameter {
  const char* name = "";  // in files, and as an option of `sinew shape add`
  Unit unit{};            // empty: a plain number
  double usual = 0;
  Range range{};
  const char* help = "";  // a sentence without its full stop
};

namespace units {
inline constexpr Unit force_density{"newtons per cubic metre", "N/m³"}, degrees{"degrees", "°"};
}  // namespace units

// Index of the row with this name, or the number of rows.
constexpr std::size_t find_parameter(std::span<const ShapeParameter> rows, std::string_view name) {
  std::size_t row = 0;
  while (row < rows.size() && rows[row].name != name) ++row;
  return row;
}

}  // namespace sinew
