// The property that a glTF animation channel moves, given by node index or by KHR_animation_pointer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sinew/character/clip.h"

namespace sinew {

struct NodeTarget {
  std::size_t node = 0;  // index in the file; may be out of range
  std::string path;      // "translation", "rotation", "scale" or "weights"
  bool operator==(const NodeTarget&) const = default;
};

// The node and property of a channel's `target`, in either form. Empty if the target is anything else: a light, a
// material, a camera, a part of a property, or invalid.
std::optional<NodeTarget> node_target(const nlohmann::json& target);

// The pointer of a channel's `target` in the form of KHR_animation_pointer. Null: it has none.
const std::string* animation_pointer(const nlohmann::json& target);

// A custom property of a node, /nodes/NUMBER/extras/...
struct CustomProperty {
  std::size_t node = 0;  // may be out of range
  std::string path;      // "/extras/...", valid as a JSON pointer
};
std::optional<CustomProperty> custom_property(const std::string& pointer);

// The `target` of a channel with this pointer.
nlohmann::json pointer_target(const std::string& pointer);
inline constexpr const char* pointer_extension = "KHR_animation_pointer";

// The name of a channel's property in glTF: "translation", "rotation", "scale" or "weights".
const char* name_of(ChannelPath path);

}  // namespace sinew
