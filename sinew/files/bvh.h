// Motion of BVH files (Biovision hierarchy): a skeleton of offsets, and rows of numbers for its channels.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/character/clip.h"

namespace sinew {

struct BvhMotion {
  // Joints in the file's order; End Sites are joints named after their parent with "_end". The rest pose has no
  // rotation. Units are the file's, whose axes need not be glTF's.
  Skeleton skeleton;
  Clip clip;                         // its name is the file's, without folder and extension
  double seconds_per_frame = 0;      // as used
  std::vector<std::string> notes{};  // what the file left open, and how it was read
};

// Channels may come in any order, and rotations in any; a joint may have positions, rotations or neither. Numbers may
// be separated by white space or commas. Throws input_error that names file, line and remedy.
BvhMotion read_bvh(const std::filesystem::path& path);

// Reads from memory; `file` is for messages.
BvhMotion parse_bvh(std::string_view text, const std::filesystem::path& file);

}  // namespace sinew
