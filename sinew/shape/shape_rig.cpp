#include "sinew/shape/shape_rig.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// Difference of heights from which a character is another one.
constexpr double other_height = 0.05;

std::string described(const ShapedCharacter& character) {
  char height[32];
  std::snprintf(height, sizeof height, "%.3g", character.height);
  return character.name + " (" + height + " m high, " + std::to_string(character.bones) + " bones)";
}

}  // namespace

std::vector<ShapeParameter> parameters_of(const ShapeRig& rig) {
  const std::span<const ShapeParameter> own = parameters_of(rig.kind);
  std::vector<ShapeParameter> rows(own.begin(), own.end());
  if (!has_guide(rig.kind)) return rows;
  const std::span<const ShapeParameter> of_guide = parameters_of(rig.guide.kind);
  rows.insert(rows.end(), of_guide.begin(), of_guide.end());
  return rows;
}

std::vector<double> usual_parameters(const ShapeRig& rig) {
  std::vector<double> eta;
  for (const ShapeParameter& row : parameters_of(rig)) eta.push_back(row.usual);
  return eta;
}

ShapedCharacter shaped_character(const std::string& name, const SimulationSurface& surface) {
  return {name, standing_height(surface), static_cast<int>(surface.bones.size())};
}

void check_character(const ShapeFile& file, const std::string& name, const SimulationSurface& surface) {
  const ShapedCharacter here = shaped_character(name, surface);
  const ShapedCharacter& made_for = file.character;
  if (made_for.bones != here.bones || !(std::abs(made_for.height - here.height) <= other_height * here.height))
    throw input_error(file.file + ": its rigs are for " + described(made_for) + ", not for " + described(here) +
                      "; carry them over by `sinew shape transfer`, or make them anew by `sinew shape add`.");
  const auto vertices = static_cast<int>(surface.rest.positions.size());
  for (const ShapeRig& rig : file.rigs) {
    if (has_guide(rig.kind) && rig.guide.kind == GuideKind::bone &&
        std::none_of(surface.bones.begin(), surface.bones.end(),
                     [&](const Bone& bone) { return bone.name == rig.guide.bone; }))
      throw input_error(file.file + ": rig '" + rig.name + "': " + name + " has no bone '" + rig.guide.bone +
                        "' that carries skin; `sinew info` lists the joints.");
    for (const ShapeSample& sample : rig.samples)
      if (!sample.forces.empty() && sample.forces.back().vertex >= vertices)
        throw input_error(file.file + ": rig '" + rig.name + "' pulls vertex " +
                          std::to_string(sample.forces.back().vertex) + ", but the skin of " + name + " has " +
                          std::to_string(vertices) +
                          " vertices; its mesh has changed since, so fit or transfer the rig again.");
  }
}

}  // namespace sinew
