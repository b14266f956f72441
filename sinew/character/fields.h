// Painted fields: values per surface vertex that vary a material in space (docs/settings.md, Paint). A field needs a
// row in this table and its use in the physics; files, the studio's brush, projects and `sinew info` follow from the
// row.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Effect of a painted value.
enum class FieldKind {
  multiplies,  // factor of a value from the settings
  replaces,    // used in place of a setting's value
  marks,       // true above 0.5
};

struct PaintedField {
  const char* name;       // in projects, the studio's messages and `sinew info`; the setting's key if it replaces one
  const char* title;      // for people
  const char* attribute;  // vertex attribute of a glTF primitive, a scalar
  FieldKind kind;
  double least, most;  // effective range: values are clamped to it
  // Value without effect. If it is below `least`, any value below `least` means the setting's own value.
  double neutral;
  const char* unit;    // unit of painted values; empty: a fraction or factor
  const char* effect;  // one sentence, for people

  constexpr bool takes_setting() const { return neutral < least; }
};

inline constexpr std::array<PaintedField, 5> painted_fields = {{
    {"stiffness", "Stiffness", "_SINEW_STIFFNESS", FieldKind::multiplies, 0.01, 100, 1, "",
     "Multiplies Young's modulus: 0.5 sags and swings about twice as far"},
    {"damping", "Damping", "_SINEW_DAMPING", FieldKind::multiplies, 0.01, 100, 1, "",
     "Multiplies the damping: below 1 rings longer"},
    {"rigid", "Rigid", "_SINEW_RIGID", FieldKind::marks, 0, 1, 0, "",
     "Above 0.5 it keeps its shape and goes with its bone; 0 is flesh"},
    {"density", "Density", "_SINEW_DENSITY", FieldKind::multiplies, 0.1, 10, 1, "",
     "Multiplies the density: 2 is twice as heavy, sags further and swings slower"},
    {"poisson", "Poisson's ratio", "_SINEW_POISSON", FieldKind::replaces, 0, 0.49, -1, "",
     "Poisson's ratio in place of the setting's: 0 keeps its width when stretched, 0.49 its volume"},
}};

// The lowest number that a file or a brush may paint.
constexpr double lowest_value(const PaintedField& field) { return field.takes_setting() ? field.neutral : field.least; }

// Index of the row with this name, or the number of rows if there is none.
constexpr std::size_t find_field(std::string_view name) {
  std::size_t row = 0;
  while (row < painted_fields.size() && painted_fields[row].name != name) ++row;
  return row;
}

// Index of a row for code that uses it; a name without a row does not compile.
consteval std::size_t field(std::string_view name) {
  const std::size_t row = find_field(name);
  if (row == painted_fields.size()) throw "no field has this name";
  return row;
}

// Values per vertex, by row; empty if a field is not painted.
using Fields = std::array<std::vector<double>, painted_fields.size()>;

// Names of the fields that have values, in the order of the table.
std::vector<std::string> names_of_painted(const Fields& fields);

// All names of the table, as words of a sentence.
std::string listed_fields();

// Whether a painted value has no effect.
constexpr bool is_neutral(const PaintedField& field, double value) {
  return field.takes_setting() ? value < field.least : value == field.neutral;
}

}  // namespace sinew
