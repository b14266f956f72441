#include "sinew/gltf/write/write_draco.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

namespace sinew {
namespace {

using Json = nlohmann::json;
constexpr const char* extension_name = "KHR_draco_mesh_compression";

template <class T>
void put(std::byte* place, double value) {
  const T stored = static_cast<T>(value);
  std::memcpy(place, &stored, sizeof stored);
}

double raw_limit(ComponentType type) {
  switch (type) {
    case ComponentType::i8:
      return 127;
    case ComponentType::u8:
      return 255;
    case ComponentType::i16:
      return 32767;
    case ComponentType::u16:
      return 65535;
    case ComponentType::u32:
    case ComponentType::f32:
      return 1;
  }
  return 1;
}

void store(std::byte* place, double value, const AccessorFormat& format) {
  if (format.normalized) value *= raw_limit(format.type);
  if (format.type != ComponentType::f32) value = std::round(value);
  switch (format.type) {
    case ComponentType::i8:
      return put<std::int8_t>(place, value);
    case ComponentType::u8:
      return put<std::uint8_t>(place, value);
    case ComponentType::i16:
      return put<std::int16_t>(place, value);
    case ComponentType::u16:
      return put<std::uint16_t>(place, value);
    case ComponentType::u32:
      return put<std::uint32_t>(place, value);
    case ComponentType::f32:
      return put<float>(place, value);
  }
}

// Elements of vertex attributes start at multiples of four bytes (glTF 2.0 section 3.6.2.4).
std::size_t vertex_stride(const AccessorFormat& format) {
  return (component_size(format.type) * static_cast<std::size_t>(format.components()) + 3) / 4 * 4;
}

std::vector<std::byte> packed(const AccessorValues& values, std::size_t stride) {
  const std::size_t size = component_size(values.format.type);
  std::vector<std::byte> bytes(values.format.count * stride);
  for (std::size_t i = 0; i < values.format.count; ++i) {
    const std::span<const double> element = values.element(i);
    for (std::size_t c = 0; c < element.size(); ++c)
      store(bytes.data() + i * stride + c * size, element[c], values.format);
  }
  return bytes;
}

void set_bounds(Json& accessor, const AccessorValues& values) {
  std::vector<double> low, high;
  for (std::size_t c = 0; c < static_cast<std::size_t>(values.format.components()); ++c) {
    double least = INFINITY, most = -INFINITY;
    for (std::size_t i = 0; i < values.format.count; ++i) {
      // Bounds of floats must be those of the stored floats.
      double value = values.element(i)[c];
      if (values.format.type == ComponentType::f32) value = static_cast<double>(static_cast<float>(value));
      if (values.format.normalized) value = std::round(value * raw_limit(values.format.type));
      least = std::min(least, value);
      most = std::max(most, value);
    }
    low.push_back(least);
    high.push_back(most);
  }
  accessor["min"] = low;
  accessor["max"] = high;
}

// Cleans one vertex: a joint occurs once, joints without weight become joint 0, weights sum to one.
void tidy_influences(std::vector<double*>& joints, std::vector<double*>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!(*weights[i] > 0)) *weights[i] = 0;
    for (std::size_t earlier = 0; earlier < i; ++earlier)
      if (*weights[i] > 0 && *weights[earlier] > 0 && *joints[earlier] == *joints[i]) {
        *weights[earlier] += *weights[i];
        *weights[i] = 0;
      }
    if (*weights[i] == 0) *joints[i] = 0;
  }
  for (const double* weight : weights) sum += *weight;
  if (!(sum > 0) || !std::isfinite(sum)) return;
  for (double* weight : weights) *weight /= sum;
}

void tidy_influences(std::map<std::string, AccessorValues>& attributes, std::size_t points) {
  std::vector<AccessorValues*> joint_sets, weight_sets;
  for (int set = 0;; ++set) {
    const auto joints = attributes.find("JOINTS_" + std::to_string(set));
    const auto weights = attributes.find("WEIGHTS_" + std::to_string(set));
    if (joints == attributes.end() || weights == attributes.end()) break;
    if (joints->second.format.components() != 4 || weights->second.format.components() != 4) return;
    weights->second.format.type = ComponentType::f32;
    weights->second.format.normalized = false;
    joint_sets.push_back(&joints->second);
    weight_sets.push_back(&weights->second);
  }
  for (std::size_t point = 0; point < points; ++point) {
    std::vector<double*> joints, weights;
    for (std::size_t set = 0; set < joint_sets.size(); ++set)
      for (std::size_t c = 0; c < 4; ++c) {
        joints.push_back(&joint_sets[set]->values[point * 4 + c]);
        weights.push_back(&weight_sets[set]->values[point * 4 + c]);
      }
    tidy_influences(joints, weights);
  }
}

bool uses_extension(const Json& json) {
  if (!json.contains("meshes")) return false;
  for (const Json& mesh : json["meshes"])
    for (const Json& primitive : mesh["primitives"])
      if (primitive.contains("extensions") && primitive["extensions"].contains(extension_name)) return true;
  return false;
}

void drop_from_list(Json& json, const char* key) {
  if (!json.contains(key)) return;
  Json kept = Json::array();
  for (const Json& name : json[key])
    if (name != extension_name) kept.push_back(name);
  if (kept.empty())
    json.erase(key);
  else
    json[key] = std::move(kept);
}

}  // namespace

// An accessor without data of its own is filled; one with its own data stays.
std::size_t DracoRemover::own_accessor(std::size_t accessor) {
  Json& accessors = edit_->json()["accessors"];
  if (!accessors[accessor].contains("bufferView") && !accessors[accessor].contains("sparse")) return accessor;
  Json copy = accessors[accessor];
  for (const char* key : {"bufferView", "byteOffset", "sparse"}) copy.erase(key);
  accessors.push_back(std::move(copy));
  return accessors.size() - 1;
}

std::size_t DracoRemover::fill(std::size_t accessor, const AccessorFormat& format, std::size_t view) {
  const std::size_t target = own_accessor(accessor);
  Json& json = edit_->json()["accessors"][target];
  json["bufferView"] = view;
  json["count"] = format.count;
  json["componentType"] = static_cast<int>(format.type);
  for (const char* key : {"normalized", "min", "max"}) json.erase(key);
  if (format.normalized) json["normalized"] = true;
  return target;
}

std::size_t DracoRemover::write_attribute(const std::string& name, std::size_t accessor, const AccessorValues& values) {
  const std::size_t stride = vertex_stride(values.format);
  const std::size_t view = edit_->add_view(packed(values, stride), stride, array_buffer_target);
  const std::size_t target = fill(accessor, values.format, view);
  if (name == "POSITION") set_bounds(edit_->json()["accessors"][target], values);
  return target;
}

std::size_t DracoRemover::write_indices(std::size_t accessor, const DracoPrimitive& decoded) {
  AccessorValues indices;
  indices.format = {decoded.triangles.size() * 3, decoded.points < 65536 ? ComponentType::u16 : ComponentType::u32,
                    false, 1, 1};
  for (const Triangle& triangle : decoded.triangles)
    indices.values.insert(indices.values.end(), triangle.begin(), triangle.end());
  const std::vector<std::byte> bytes = packed(indices, component_size(indices.format.type));
  return fill(accessor, indices.format, edit_->add_view(bytes, 0, element_array_buffer_target));
}

void DracoRemover::remove(std::size_t mesh, std::size_t primitive) {
  const std::string place = "meshes[" + std::to_string(mesh) + "].primitives[" + std::to_string(primitive) + "]";
  Json& meshes = edit_->json()["meshes"];
  if (!meshes[mesh]["primitives"][primitive].contains("extensions")) return;
  if (!meshes[mesh]["primitives"][primitive]["extensions"].contains(extension_name)) return;
  const Json extension = meshes[mesh]["primitives"][primitive]["extensions"][extension_name];
  const JsonView view(reader_->file(), extension, place + ".extensions." + extension_name);
  Json& json = meshes[mesh]["primitives"][primitive];

  const std::size_t stream =
      view.at("bufferView").to_index(edit_->document().json->at("bufferViews").size(), "buffer view");
  std::map<std::string, DracoAttribute> wanted;
  for (const auto& [name, id] : view.at("attributes").members()) {
    if (!json["attributes"].contains(name)) continue;
    const auto accessor = json["attributes"][name].get<std::size_t>();
    wanted[name] = {static_cast<std::uint32_t>(id.to_integer()), reader_->format(accessor)};
  }
  DracoPrimitive decoded = decode_draco(reader_->buffer_view(stream), wanted, view);
  tidy_influences(decoded.attributes, decoded.points);
  // Several primitives may share one stream.
  const auto once = [&](const std::string& name, const auto& write) {
    const auto [entry, is_new] = written_.try_emplace({stream, name}, 0);
    if (is_new) entry->second = write();
    return entry->second;
  };
  for (const auto& attribute : decoded.attributes) {
    const std::string& name = attribute.first;
    const auto accessor = json["attributes"][name].get<std::size_t>();
    json["attributes"][name] = once(name, [&] { return write_attribute(name, accessor, attribute.second); });
  }
  if (!json.contains("indices")) {
    edit_->json()["accessors"].push_back(Json{{"type", "SCALAR"}});
    json["indices"] = edit_->json()["accessors"].size() - 1;
  }
  const auto accessor = json["indices"].get<std::size_t>();
  json["indices"] = once("indices", [&] { return write_indices(accessor, decoded); });
  json["mode"] = 4;
  json["extensions"].erase(extension_name);
  if (json["extensions"].empty()) json.erase("extensions");
}

void DracoRemover::finish() {
  if (uses_extension(edit_->json())) return;
  drop_from_list(edit_->json(), "extensionsUsed");
  drop_from_list(edit_->json(), "extensionsRequired");
}

}  // namespace sinew
