// JSON files of joints that a user placed in a mesh (docs/file_formats.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/rigging/mirror_joints.h"
#include "sinew/rigging/painted_weights.h"
#include "sinew/rigging/placed_joints.h"

namespace sinew {

// Contents of a file of joints.
struct JointsFile {
  MirrorAxis mirror = MirrorAxis::none;
  std::vector<PlacedJoint> joints;
  PaintedWeights painted{};  // weights corrected by hand
};

std::string joints_json(const JointsFile& file);

// Throws input_error naming file and place, also for joints that check_joints() refuses. `file`: a name for messages.
JointsFile joints_from_json(std::string_view text, const std::string& file);
JointsFile read_joints(const std::filesystem::path& path);

// Parses "none", "x" or "z". Throws usage_error otherwise.
MirrorAxis mirror_axis_from(const std::string& word);

}  // namespace sinew
