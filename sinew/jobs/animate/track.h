// Reads moving surfaces from files, for comparison.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sinew/bake/output/compare.h"

namespace sinew {

struct TrackOptions {
  std::string clip;               // name; empty: the first, or the rest pose if there is none
  double frames_per_second = 30;  // of a PC2 file
  std::optional<double> height;   // of a character, metres (see decide_size())
  std::optional<double> unit;     // metres per file unit
};

// Reads a point cache (.pc2, .mdd), or the simulated parts of a character over one of its clips. Throws input_error if
// the file cannot be read, usage_error if it has no such clip.
Track read_track(const std::filesystem::path& path, const TrackOptions& options);

}  // namespace sinew
