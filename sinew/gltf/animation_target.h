// What a channel of a glTF animation moves: a property of a node, named by index or by KHR_animation_pointer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace sinew {

struct NodeTarget {
  std::size_t node = 0;  // index as the file has it; may lie beyond its nodes
  std::string path;      // "translation", "rotation", "scale" or "weights"
  bool operator==(const NodeTarget&) const = default;
};

// The node and property that a channel's `target` object names, either way. Empty where it names neither: a light, a
// material, a camera, a part of a property, or nothing that could be understood.
std::optional<NodeTarget> node_target(const nlohmann::json& target);

}  // namespace sinew
