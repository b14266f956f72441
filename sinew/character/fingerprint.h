// Hash that identifies a bake. Checkpoints with another fingerprint are refused.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/base/byte_archive.h"
#include "sinew/character/character.h"

namespace sinew {

class Fingerprint {
 public:
  // Adds a contiguous container of numbers, or of structs without padding.
  template <class Values>
  Fingerprint& add(const Values& values) {
    hash_ = hash_bytes(values.data(), values.size() * sizeof(values[0]), hash_);
    return *this;
  }
  // Adds the keys of a clip. Null: the rest pose, which adds nothing.
  Fingerprint& add_clip(const Clip* clip) {
    if (!clip) return *this;
    for (const Channel& channel : clip->channels) add_channel(channel);
    for (const PropertyChannel& channel : clip->properties) add(channel.properties).add_channel(channel.keys);
    return *this;
  }
  std::uint64_t value() const { return hash_; }

 private:
  void add_channel(const Channel& channel) {
    add(std::array{channel.joint, static_cast<int>(channel.path), static_cast<int>(channel.interpolation)});
    add(channel.times);
    add(channel.values);
  }

  std::uint64_t hash_ = hash_bytes(nullptr, 0);
};

}  // namespace sinew
