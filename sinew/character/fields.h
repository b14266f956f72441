// Painted fields: values per surface vertex that vary a body's material or a learned model's parameters in space
// (docs/settings.md, Paint). A field needs a row in this table and its use in the physics; files, `sinew info` and
// `sinew check` follow from the row, and where it acts on what plays also the studio's brush, projects, and curves
// along limbs (deform/limb_curves.h).
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
  replaces,    // used in place of a setting's or the model's value
  marks,       // true above 0.5
};

// The reader of a field.
enum class FieldUse {
  body,   // methods that move a body: its material
  fit,    // `sinew fit`: parameters of the model that it learns
  model,  // the method `surface`: factors of a learned model's parameters
};

struct PaintedField {
  const char* name;       // in projects, the studio's messages and `sinew info`; the setting's key if it replaces one
  const char* title;      // for people
  const char* attribute;  // vertex attribute of a glTF primitive, a scalar
  FieldKind kind;
  double least, most;  // effective range: a body's values are clamped to it, a model's beyond it are refused
  // Value without effect. If it is below `least`, any value below `least` means the setting's or the model's own value.
  double neutral;
  const char* unit;    // unit of painted values; empty: a fraction or factor
  const char* effect;  // one sentence, for people
  FieldUse use = FieldUse::body;

  constexpr bool takes_setting() const { return neutral < least; }
};

inline constexpr std::array<PaintedField, 20> painted_fields = {{
    // Fields of a body's material.
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
    {"give", "Give", "_SINEW_GIVE", FieldKind::replaces, 0, 1, -1, "",
     "How readily it gives way where skinning keeps volumes: 0 stays as skinned"},
    // Regions of the blended linearisation (cook/lattice/painted_regions.h).
    {"region_1", "Region 1", "_SINEW_REGION_1", FieldKind::replaces, 0, 1, 0, "",
     "Share that is made linear in the frame of the first region's bone"},
    {"region_2", "Region 2", "_SINEW_REGION_2", FieldKind::replaces, 0, 1, 0, "",
     "Share that is made linear in the frame of the second region's bone"},
    {"region_3", "Region 3", "_SINEW_REGION_3", FieldKind::replaces, 0, 1, 0, "",
     "Share that is made linear in the frame of the third region's bone"},
    {"region_4", "Region 4", "_SINEW_REGION_4", FieldKind::replaces, 0, 1, 0, "",
     "Share that is made linear in the frame of the fourth region's bone"},
    // Parameters of a learned model (VertexParameters, in their order).
    {"alpha", "Alpha", "_SINEW_ALPHA", FieldKind::replaces, 0, 1, -1, "", "Pull towards the goal", FieldUse::fit},
    {"beta", "Beta", "_SINEW_BETA", FieldKind::replaces, 0, 1, -1, "", "Pull towards the shape of the neighbourhood",
     FieldUse::fit},
    {"gamma", "Gamma", "_SINEW_GAMMA", FieldKind::replaces, 0, 1, -1, "", "Pull towards its distance from the bones",
     FieldUse::fit},
    {"lambda", "Lambda", "_SINEW_LAMBDA", FieldKind::replaces, 0, 0.5, -1, "",
     "Damping towards the neighbours' velocity", FieldUse::fit},
    {"delta", "Delta", "_SINEW_DELTA", FieldKind::replaces, 0, 1, -1, "", "Damping towards the goal's velocity",
     FieldUse::fit},
    // Their factors in a model that plays, in the same order.
    {"alpha_factor", "Pull to the pose", "_SINEW_ALPHA_FACTOR", FieldKind::multiplies, 0.01, 100, 1, "",
     "Multiplies the model's alpha: below 1 it swings farther and slower", FieldUse::model},
    {"beta_factor", "Pull to the shape", "_SINEW_BETA_FACTOR", FieldKind::multiplies, 0.01, 100, 1, "",
     "Multiplies the model's beta: above 1 it dents less", FieldUse::model},
    {"gamma_factor", "Pull to the bones", "_SINEW_GAMMA_FACTOR", FieldKind::multiplies, 0.01, 100, 1, "",
     "Multiplies the model's gamma: above 1 it keeps its distance from the bones", FieldUse::model},
    {"lambda_factor", "Drag", "_SINEW_LAMBDA_FACTOR", FieldKind::multiplies, 0.01, 100, 1, "",
     "Multiplies the model's lambda: above 1 neighbours move together", FieldUse::model},
    {"delta_factor", "Damping of the model", "_SINEW_DELTA_FACTOR", FieldKind::multiplies, 0.01, 100, 1, "",
     "Multiplies the model's delta: below 1 it swings longer", FieldUse::model},
}};

// Rows of a body's material, the first ones; those of `sinew fit` and of models that play follow.
inline constexpr std::size_t body_fields = 10, fit_fields = 5, model_fields = 5;

// Regions that can be painted; their rows follow each other, the last of a body.
inline constexpr std::size_t region_fields = 4;

// Whether a field acts on what plays, so that simulation surfaces have it and a brush paints it.
constexpr bool acts_in_scenes(const PaintedField& field) { return field.use != FieldUse::fit; }

// The lowest number that a file or a brush may paint.
constexpr double lowest_value(const PaintedField& field) { return field.takes_setting() ? field.neutral : field.least; }

// Index of the row with this name, or the number of rows if there is none.
constexpr std::size_t find_field(std::string_view name) {
  std::size_t row = 0;
  while (row < painted_fields.size() && painted_fields[row].name != name) ++row;
  return row;
}

// Whether there is such a row, whose field acts on what plays.
constexpr bool is_scene_field(std::string_view name) {
  const std::size_t row = find_field(name);
  return row < painted_fields.size() && acts_in_scenes(painted_fields[row]);
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

// Names of the fields that act on what plays, as words of a sentence.
std::string listed_fields();

// Whether a painted value is beyond the range.
constexpr bool is_out_of_range(const PaintedField& field, double value) {
  return value > field.most || (value < field.least && !field.takes_setting());
}

// Whether a painted value has no effect.
constexpr bool is_neutral(const PaintedField& field, double value) {
  return field.takes_setting() ? value < field.least : value == field.neutral;
}

}  // namespace sinew
