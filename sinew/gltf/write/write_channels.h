// Writes the channels of clips as glTF animations.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sinew/character/clip.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {

class ChannelsWriter {
 public:
  explicit ChannelsWriter(GltfEdit& edit) : edit_(edit) {}

  // Makes these channels those of a glTF animation, linear between keys, followed by the animation's own that have
  // other targets.
  void write(const std::vector<Channel>& channels, nlohmann::json& animation);

 private:
  std::size_t times(const std::vector<float>& keys);
  std::size_t output(const Channel& channel);

  GltfEdit& edit_;
  std::map<std::vector<float>, std::size_t> times_;
};

}  // namespace sinew
