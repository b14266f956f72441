// Files of --motion-map (docs/motion_map.schema.json): bones named by hand where they were not found, or others were.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sinew/kinematics/body_bones.h"

namespace sinew {

// Humanoid bones by VRM's names, each with the name of its joint.
using NamedBones = std::vector<std::pair<std::string, std::string>>;

struct MotionMap {
  std::string file;              // for messages
  NamedBones character, motion;  // of the character, and of every motion file
};

// Throws input_error that names file, bone and remedy.
MotionMap read_motion_map(const std::filesystem::path& path);
MotionMap parse_motion_map(std::string_view text, const std::string& file);

// The joints of these names in a skeleton. Throws input_error for a name that no joint has or several have.
HumanoidMap joints_of(const NamedBones& bones, const Skeleton& skeleton, const MotionMap& map,
                      const std::string& skeleton_file);

}  // namespace sinew
