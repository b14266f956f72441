#include "sinew/gltf/write/write_channels.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sinew/gltf/animation_target.h"
#include "sinew/gltf/write/write_weights.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

NodeTarget target_of(const Channel& channel) {
  return {static_cast<std::size_t>(channel.joint), name_of(channel.path)};
}

}  // namespace

void ChannelsWriter::write(const std::vector<Channel>& channels, Json& animation) {
  const Json own = std::exchange(animation["channels"], Json::array());
  const Json samplers = std::exchange(animation["samplers"], Json::array());
  const auto add = [&](Json channel, Json sampler) {
    channel["sampler"] = animation["samplers"].size();
    animation["channels"].push_back(std::move(channel));
    animation["samplers"].push_back(std::move(sampler));
  };
  for (const Channel& channel : channels) {
    const NodeTarget target = target_of(channel);
    add(Json{{"target", {{"node", target.node}, {"path", target.path}}}},
        Json{{"input", times(single_precision_times(channel.times))},
             {"output", output(channel)},
             {"interpolation", "LINEAR"}});
  }
  for (const Json& channel : own) {
    const std::optional<NodeTarget> target = node_target(channel["target"]);
    const auto is_replaced = [&](const Channel& other) { return target && *target == target_of(other); };
    if (std::none_of(channels.begin(), channels.end(), is_replaced))
      add(channel, samplers[channel["sampler"].get<std::size_t>()]);
  }
}

std::size_t ChannelsWriter::times(const std::vector<float>& keys) {
  const auto [entry, is_new] = times_.try_emplace(keys, 0);
  if (is_new) entry->second = edit_.add_scalars(keys, true);
  return entry->second;
}

std::size_t ChannelsWriter::output(const Channel& channel) {
  constexpr int float_component = 5126;
  const std::vector<float> values(channel.values.begin(), channel.values.end());
  const auto bytes = std::as_bytes(std::span(values));
  switch (channel.path) {
    case ChannelPath::rotation:
      return edit_.add_elements(bytes, float_component, "VEC4", values.size() / 4);
    case ChannelPath::weights:
      return edit_.add_elements(bytes, float_component, "SCALAR", values.size());
    default:
      return edit_.add_elements(bytes, float_component, "VEC3", values.size() / 3);
  }
}

}  // namespace sinew
