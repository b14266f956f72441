// Point caches: all positions of a surface, frame by frame, as PC2 (Autodesk's PointCache2) or MDD
// (LightWave's Motion Designer); docs/file_formats.md has the layouts. Positions are metres in
// glTF's axes (right-handed, +Y up) and single precision in both.
//
// PC2 counts in frames and does not say how long a frame is: writer and reader must be told the same
// frame rate. MDD has a time in seconds for each frame.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "sinew/bake/output/compare.h"
#include "sinew/bake/recording.h"
#include "sinew/base/file.h"
#include "sinew/character/character.h"

namespace sinew {

enum class PointCacheFormat { pc2, mdd };

// By the name's ending, in any case; true where it is one of a point cache.
bool is_point_cache(const std::filesystem::path& path);

// Writes frame by frame to a temporary name; only finish() puts the file in place.
class PointCacheWriter {
 public:
  // Throws usage_error where the name's ending is not .pc2 or .mdd, or a count is too large for the format.
  PointCacheWriter(const std::filesystem::path& path, std::size_t points, std::span<const double> times,
                   double frames_per_second);
  // The next frame; `positions` has as many entries as announced.
  void add_frame(std::span<const Vec3> positions);
  // Throws usage_error where frames are missing. Returns the file's bytes.
  std::size_t finish();

 private:
  FileWriter file_;
  PointCacheFormat format_;
  std::size_t points_, frames_, written_ = 0, bytes_ = 0;
};

// The simulated parts of a recording, one after the other in the recording's order: the rig's own
// surface plus the displacement. Returns the file's bytes.
std::size_t write_point_cache(const Character& character, const Recording& recording,
                              const std::filesystem::path& path);

// Opens a cache and reads frames on demand; between frames it is linear. `frames_per_second` is used
// for PC2 only. Throws input_error for everything that is not a sound cache: the file has exactly the bytes that its
// header announces.
Track read_point_cache(const std::filesystem::path& path, double frames_per_second);

}  // namespace sinew
