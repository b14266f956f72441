// Distinguishes changing channels from constant ones.
#pragma once

#include <algorithm>
#include <cstddef>

#include "sinew/character/clip.h"

namespace sinew {

// Whether the channel's keys differ.
inline bool changes(const Channel& channel) {
  const auto width = static_cast<std::ptrdiff_t>(channel.components);
  for (auto value = channel.values.begin(); value != channel.values.end(); value += width)
    if (!std::equal(value, value + width, channel.values.begin())) return true;
  return false;
}

}  // namespace sinew
