// Adds a clip in which a character flies by beating its wings, from file to file (docs/motion.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/dynamics/flight/fly.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct FlyMotionJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm
  double speed = 6;                     // m/s
  double seconds = 0;                   // 0: 10, or 3 after the last goal
  std::vector<FlightGoal> goals;        // by time; headings in radians
  std::optional<double> mass;           // kilograms; empty: what the wings carry
  int tries = 200;                      // strokes that are tried; 0: the usual one
  double frames_per_second = 30;
  std::string name;  // of the new clip; empty: "fly"
  SizeRequest size;
};

struct FlyReport {
  std::string clip;
  double seconds = 0;
  double span = 0, area = 0, mass = 0;  // metres, square metres, kilograms
  int strips = 0, links = 0, tries = 0;
  Stroke stroke;
  FlightRecord flight;
};

// Throws usage_error and input_error, sentences that name the file or the option.
FlyReport fly_motion(const FlyMotionJob& job, const Progress& progress = {});

}  // namespace sinew
