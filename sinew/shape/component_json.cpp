#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/files/settings_fields.h"
#include "sinew/files/strict_json.h"
#include "sinew/shape/component.h"

namespace sinew {
namespace {

constexpr int digits = 1000000;  // displacements are kept to millionths of the radius

double rounded(double value) { return std::round(value * digits) / digits; }

Vec3 vector_from(SettingsFields& fields, const SettingsJson& json) {
  if (!json.is_array() || json.size() != 3 || !json[0].is_number() || !json[1].is_number() || !json[2].is_number())
    throw fields.wrong("displacement", "must be a list of [across, normal, up]");
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

}  // namespace

std::string component_json(const ShapeComponent& component) {
  std::string text = "{\n  \"version\": 1,\n  \"name\": " + SettingsJson(component.name).dump() +
                     ",\n  \"from\": " + SettingsJson(component.from).dump() +
                     ",\n  \"radius\": " + SettingsJson(component.radius).dump() +
                     ",\n  \"height\": " + SettingsJson(component.height).dump() + ",\n  \"displacement\": [";
  for (std::size_t k = 0; k < component.displacement.size(); ++k) {
    const Vec3& by = component.displacement[k];
    text += (k ? ",\n    " : "\n    ") + SettingsJson{rounded(by.x), rounded(by.y), rounded(by.z)}.dump();
  }
  return text + "\n  ]\n}\n";
}

ShapeComponent component_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_strict_json(text, file, "correct the line");
  SettingsFields fields(json, file, "");
  fields.take("$schema");
  fields.take("comment");
  int version = 0;
  fields.read("version", version);
  if (version != 1) throw input_error(file + ": is no component of this version of Sinew; \"version\" must be 1.");
  ShapeComponent component;
  fields.read("name", component.name);
  fields.read("from", component.from);
  if (!fields.read("radius", component.radius) || !(component.radius > 0))
    throw fields.wrong("radius", "must be given and positive, in metres");
  if (!fields.read("height", component.height) || !(component.height > 0))
    throw fields.wrong("height", "must be given and positive, in metres");
  constexpr std::size_t points = static_cast<std::size_t>(ShapeComponent::side) * ShapeComponent::side;
  const SettingsJson* list = fields.take("displacement");
  if (!list || !list->is_array() || list->size() != points)
    throw fields.wrong("displacement", "must be a list of " + std::to_string(points) + " displacements");
  for (const SettingsJson& each : *list) component.displacement.push_back(vector_from(fields, each));
  fields.finish();
  return component;
}

}  // namespace sinew
