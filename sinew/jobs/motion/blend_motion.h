// Blends two clips of a character into a new one, from file to file (docs/motion.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/jobs/open_character.h"
#include "sinew/kinematics/blend_clips.h"

namespace sinew {

struct BlendMotionJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm
  SizeRequest size;
  std::vector<std::string> clips;  // two names or numbers
  std::vector<WeightKey> weight;   // of the second clip; empty: half of each
  double seconds = 0;              // length of the result; 0: to the last key, or one cycle
  double frames_per_second = 30;
  std::vector<std::string> mask;  // joints that take part in the second clip, with all below them; empty: all
  bool additive = false;
  std::string name;  // of the new clip; empty: "Walk + Run"
};

struct BlendMotionReport {
  std::string clip;
  double seconds = 0;
  bool in_step = false;              // steps of both clips are taken together
  std::optional<MotionReport> feet;  // how they stand, if they do
  std::vector<std::string> notes;    // sentences
};

// Throws usage_error and input_error, sentences that name the clip, the joint or the file.
BlendMotionReport blend_motion(const BlendMotionJob& job);

}  // namespace sinew
