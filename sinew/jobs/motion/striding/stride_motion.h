// Adds a clip in which a character walks by its muscles, from file to file (docs/motion.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/dynamics/striding/stride.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct StrideMotionJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm
  double speed = 1.2;                   // m/s
  double seconds = 0;                   // 0: 10
  int tries = 600;                      // walks that are tried; 0: the first one
  // Reflexes to begin with (reflexes_json.h); empty: those of a person. Files to keep the found ones in, and the
  // activation of muscles of `auto` (cook/muscles/muscle_file.h); empty: none.
  std::filesystem::path gait, save_gait, save_activation;
  double frames_per_second = 30;
  std::string name;  // of the new clip; empty: "stride"
  SizeRequest size;
};

struct StrideReport {
  std::string clip;
  double seconds = 0;
  double mass = 0, leg = 0;  // kilograms; metres from the hip to the ground
  int tries = 0;
  StrideRecord walk;
  std::optional<double> slide;         // of standing feet, share of the leg
  std::vector<std::string> activated;  // names of the muscles in save_activation
  std::vector<std::string> notes;      // sentences
};

// Throws usage_error and input_error, sentences that name the file or the option.
StrideReport stride_motion(const StrideMotionJob& job, const Progress& progress = {});

}  // namespace sinew
