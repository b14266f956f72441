#include "sinew/gltf/read/property_defaults.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string_view>

namespace sinew {
namespace {

using Json = nlohmann::json;

// `object`: the tokens of the pointer to the object that holds the property, "*" for a number; a leading "..." for any
// tokens.
struct PropertyDefault {
  std::string_view object, name;
  std::vector<double> values;
};

const std::vector<PropertyDefault>& property_defaults() {
  constexpr double pi = std::numbers::pi;
  static const std::vector<PropertyDefault> table{
      {"/materials/*", "alphaCutoff", {0.5}},
      {"/materials/*", "emissiveFactor", {0, 0, 0}},
      {"/materials/*/normalTexture", "scale", {1}},
      {"/materials/*/occlusionTexture", "strength", {1}},
      {"/materials/*/pbrMetallicRoughness", "baseColorFactor", {1, 1, 1, 1}},
      {"/materials/*/pbrMetallicRoughness", "metallicFactor", {1}},
      {"/materials/*/pbrMetallicRoughness", "roughnessFactor", {1}},
      {".../extensions/KHR_texture_transform", "offset", {0, 0}},
      {".../extensions/KHR_texture_transform", "rotation", {0}},
      {".../extensions/KHR_texture_transform", "scale", {1, 1}},
      {"/extensions/KHR_lights_punctual/lights/*", "color", {1, 1, 1}},
      {"/extensions/KHR_lights_punctual/lights/*", "intensity", {1}},
      {"/extensions/KHR_lights_punctual/lights/*/spot", "innerConeAngle", {0}},
      {"/extensions/KHR_lights_punctual/lights/*/spot", "outerConeAngle", {pi / 4}},
      {"/materials/*/extensions/KHR_materials_anisotropy", "anisotropyStrength", {0}},
      {"/materials/*/extensions/KHR_materials_anisotropy", "anisotropyRotation", {0}},
      {"/materials/*/extensions/KHR_materials_clearcoat", "clearcoatFactor", {0}},
      {"/materials/*/extensions/KHR_materials_clearcoat", "clearcoatRoughnessFactor", {0}},
      {"/materials/*/extensions/KHR_materials_clearcoat/clearcoatNormalTexture", "scale", {1}},
      {"/materials/*/extensions/KHR_materials_diffuse_transmission", "diffuseTransmissionFactor", {0}},
      {"/materials/*/extensions/KHR_materials_diffuse_transmission", "diffuseTransmissionColorFactor", {1, 1, 1}},
      {"/materials/*/extensions/KHR_materials_dispersion", "dispersion", {0}},
      {"/materials/*/extensions/KHR_materials_emissive_strength", "emissiveStrength", {1}},
      {"/materials/*/extensions/KHR_materials_ior", "ior", {1.5}},
      {"/materials/*/extensions/KHR_materials_iridescence", "iridescenceFactor", {0}},
      {"/materials/*/extensions/KHR_materials_iridescence", "iridescenceIor", {1.3}},
      {"/materials/*/extensions/KHR_materials_iridescence", "iridescenceThicknessMinimum", {100}},
      {"/materials/*/extensions/KHR_materials_iridescence", "iridescenceThicknessMaximum", {400}},
      {"/materials/*/extensions/KHR_materials_sheen", "sheenColorFactor", {0, 0, 0}},
      {"/materials/*/extensions/KHR_materials_sheen", "sheenRoughnessFactor", {0}},
      {"/materials/*/extensions/KHR_materials_specular", "specularFactor", {1}},
      {"/materials/*/extensions/KHR_materials_specular", "specularColorFactor", {1, 1, 1}},
      {"/materials/*/extensions/KHR_materials_transmission", "transmissionFactor", {0}},
      {"/materials/*/extensions/KHR_materials_volume", "thicknessFactor", {0}},
      {"/materials/*/extensions/KHR_materials_volume", "attenuationColor", {1, 1, 1}}};
  return table;
}

std::vector<std::string_view> tokens_of(std::string_view pointer) {
  std::vector<std::string_view> tokens;
  while (!pointer.empty() && pointer.front() == '/') {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    tokens.push_back(pointer.substr(0, end));
    pointer.remove_prefix(end);
  }
  return tokens;
}

bool is_number(std::string_view token) {
  return !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_of_form(std::string_view object, std::string_view form) {
  const std::string_view any = "...";
  const bool anywhere = form.starts_with(any);
  if (anywhere) form.remove_prefix(any.size());
  const std::vector<std::string_view> tokens = tokens_of(object), wanted = tokens_of(form);
  if (tokens.size() < wanted.size() || (!anywhere && tokens.size() > wanted.size())) return false;
  return std::equal(wanted.rbegin(), wanted.rend(), tokens.rbegin(), [](std::string_view want, std::string_view token) {
    return want == "*" ? is_number(token) : want == token;
  });
}

const Json* value_at(const Json& root, std::string_view pointer) {
  try {
    return &root.at(Json::json_pointer(std::string(pointer)));
  } catch (const Json::exception&) {
    return nullptr;
  }
}

// Weights of a node are those of its mesh, or zeros.
std::vector<double> default_weights(const Json& root, const Json& object) {
  const Json* mesh = &object;
  if (object.contains("mesh") && object["mesh"].is_number_unsigned())
    mesh = value_at(root, "/meshes/" + std::to_string(object["mesh"].get<std::size_t>()));
  if (!mesh) return {};
  const Json* targets = value_at(*mesh, "/primitives/0/targets");
  if (!targets || !targets->is_array()) return {};
  std::vector<double> weights(targets->size(), 0.0);
  const Json* given = value_at(*mesh, "/weights");
  for (std::size_t k = 0; given && given->is_array() && k < std::min(weights.size(), given->size()); ++k)
    if ((*given)[k].is_number()) weights[k] = (*given)[k].get<double>();
  return weights;
}

bool holds(const Json& root, std::string_view object) {
  constexpr std::string_view metallic = "/pbrMetallicRoughness";
  if (!value_at(root, object) && object.ends_with(metallic)) object.remove_suffix(metallic.size());
  const Json* value = value_at(root, object);
  return value && value->is_object();
}

}  // namespace

std::vector<double> default_of_property(const Json& root, const std::string& pointer) {
  const std::size_t slash = pointer.rfind('/');
  if (slash == std::string::npos) return {};
  const std::string_view all = pointer, object = all.substr(0, slash), name = all.substr(slash + 1);
  constexpr std::string_view weights = "/weights";
  for (const std::string_view form : {"/meshes/*", "/nodes/*"}) {
    const bool is_element = is_number(name) && object.ends_with(weights);
    const std::string_view of = is_element ? object.substr(0, object.size() - weights.size()) : object;
    if ((!is_element && name != weights.substr(1)) || !is_of_form(of, form)) continue;
    const Json* holder = value_at(root, of);
    if (!holder || !holder->is_object()) return {};
    const std::vector<double> found = default_weights(root, *holder);
    if (!is_element) return found;
    const std::size_t k = name.size() < 9 ? std::stoul(std::string(name)) : found.size();
    return k < found.size() ? std::vector<double>{found[k]} : std::vector<double>{};
  }
  for (const PropertyDefault& each : property_defaults())
    if (each.name == name && is_of_form(object, each.object))
      return holds(root, object) ? each.values : std::vector<double>{};
  return {};
}

}  // namespace sinew
