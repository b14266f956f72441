#include "sinew/gltf/animation_target.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

namespace sinew {
namespace {

using Json = nlohmann::json;

constexpr std::string_view nodes_prefix = "/nodes/";

bool is_node_property(std::string_view path) {
  constexpr std::array<std::string_view, 4> properties{"translation", "rotation", "scale", "weights"};
  return std::find(properties.begin(), properties.end(), path) != properties.end();
}

const std::string* text_in(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get_ptr<const std::string*>() : nullptr;
}

// "/nodes/NUMBER/PROPERTY", without judging the property.
std::optional<NodeTarget> node_of_pointer(std::string_view pointer) {
  if (!pointer.starts_with(nodes_prefix)) return std::nullopt;
  pointer.remove_prefix(nodes_prefix.size());
  NodeTarget target;
  const auto [end, status] = std::from_chars(pointer.data(), pointer.data() + pointer.size(), target.node);
  if (status != std::errc{} || end == pointer.data() + pointer.size() || *end != '/') return std::nullopt;
  target.path = pointer.substr(static_cast<std::size_t>(end + 1 - pointer.data()));
  return target;
}

std::optional<NodeTarget> target_of_pointer(std::string_view pointer) {
  std::optional<NodeTarget> target = node_of_pointer(pointer);
  return target && is_node_property(target->path) ? target : std::nullopt;
}

}  // namespace

const std::string* animation_pointer(const Json& target) {
  const std::string* path = text_in(target, "path");
  const auto extensions = target.find("extensions");
  if (!path || *path != "pointer" || extensions == target.end() || !extensions->is_object()) return nullptr;
  const auto extension = extensions->find(pointer_extension);
  return extension == extensions->end() ? nullptr : text_in(*extension, "pointer");
}

std::optional<NodeTarget> node_target(const Json& target) {
  const std::string* path = text_in(target, "path");
  if (!path) return std::nullopt;
  if (*path == "pointer") {
    const std::string* pointer = animation_pointer(target);
    return pointer ? target_of_pointer(*pointer) : std::nullopt;
  }
  const auto node = target.find("node");
  if (!is_node_property(*path) || node == target.end() || !node->is_number()) return std::nullopt;
  const auto number = node->get<double>();  // 3.0 is an index too
  if (!(number >= 0 && number < 1e9 && number == std::floor(number))) return std::nullopt;
  return NodeTarget{static_cast<std::size_t>(number), *path};
}

std::optional<CustomProperty> custom_property(const std::string& pointer) {
  const std::optional<NodeTarget> target = node_of_pointer(pointer);
  if (!target || !target->path.starts_with("extras/")) return std::nullopt;
  try {
    const Json::json_pointer valid("/" + target->path);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  return CustomProperty{target->node, "/" + target->path};
}

Json pointer_target(const std::string& pointer) {
  return {{"path", "pointer"}, {"extensions", {{pointer_extension, {{"pointer", pointer}}}}}};
}

const char* name_of(ChannelPath path) {
  switch (path) {
    case ChannelPath::translation:
      return "translation";
    case ChannelPath::rotation:
      return "rotation";
    case ChannelPath::scale:
      return "scale";
    case ChannelPath::weights:
      break;
  }
  return "weights";
}

}  // namespace sinew
