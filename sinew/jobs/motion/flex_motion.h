// Activation of a character's muscles by the torques that a clip needs, from file to file (docs/muscles.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/cook/muscles/muscle_file.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct FlexMotionJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm; .json
  SizeRequest size;
  std::string clip;                    // name or number; empty: the first
  std::string muscles = auto_muscles;  // as the setting of this name
  // Torque at which a muscle is fully active, as a multiple of what its joint usually holds (holding_torques()); larger
  // ones make calmer muscles. Without it, what the clip needs in 98 % of its time, 1 at least.
  std::optional<double> effort{};
};

struct MuscleEffort {
  std::string name;
  double most = 0;        // largest torque that the muscle could give, newton metres
  double activation = 0;  // largest, 0 to 1
  double time = 0;        // of both, seconds on the clip's time line
};

struct FlexMotionReport {
  std::string clip;
  double effort = 0;  // as the job has it
  std::vector<MuscleEffort> muscles;
  std::vector<std::string> notes;  // sentences
};

// Throws usage_error and input_error, sentences that name the clip, the muscle or the file.
FlexMotionReport flex_motion(const FlexMotionJob& job);

}  // namespace sinew
