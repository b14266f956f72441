// Adds a clip in which a character hops on one leg, from file to file (docs/motion.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sinew/base/progress.h"
#include "sinew/dynamics/hopping_body.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct HopMotionJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm
  HoppingOptions options;               // the ground is found from the standing character
  std::string name;                     // of the new clip; empty: "hop"
  SizeRequest size;
};

struct HopReport {
  std::string clip;
  double seconds = 0, mass = 0;  // seconds, kilograms
  int hops = 0;
  double height = 0;            // mean rise of the centre of mass from where it leaves the ground, metres
  double speed = 0, aside = 0;  // as of Hopping
  std::optional<double> fell;   // seconds
  double times_real_time = 0;   // simulated seconds per second of work
};

// Throws usage_error and input_error, sentences that name the file or the option.
HopReport hop_motion(const HopMotionJob& job, const Progress& progress = {});

}  // namespace sinew
