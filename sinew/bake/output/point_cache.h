// Point caches: all positions of a surface, frame by frame, as PC2 (Autodesk's PointCache2) or MDD (LightWave's Motion
// Designer); docs/file_formats.md has the layouts. Positions are in metres, glTF axes (right-handed, +Y up) and single
// precision.
//
// PC2 stores no frame rate: writer and reader must be given the same one. MDD stores the time of each frame in seconds.
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

// True if the name's ending, in any case, is that of a point cache.
bool is_point_cache(const std::filesystem::path& path);

// Writes frames under a temporary name; finish() renames the file.
class PointCacheWriter {
 public:
  // Throws usage_error if the ending is not .pc2 or .mdd, or a count is too large for the format.
  PointCacheWriter(const std::filesystem::path& path, std::size_t points, std::span<const double> times,
                   double frames_per_second);
  // Writes the next frame; `positions` has `points` entries.
  void add_frame(std::span<const Vec3> positions);
  // Throws usage_error if frames are missing. Returns the file size in bytes.
  std::size_t finish();

 private:
  FileWriter file_;
  PointCacheFormat format_;
  std::size_t points_, frames_, written_ = 0, bytes_ = 0;
};

// Writes the recording's parts in order: the rig's surface plus the displacement. Returns the file size in bytes.
std::size_t write_point_cache(const Character& character, const Recording& recording,
                              const std::filesystem::path& path);

// Opens a cache and reads frames on demand, with linear interpolation. `frames_per_second` is used for PC2 only. Throws
// input_error unless the file is valid and has exactly the size that its header announces.
Track read_point_cache(const std::filesystem::path& path, double frames_per_second);

}  // namespace sinew
