// Makes a motion graph of a character's clips, from file to file (docs/motion.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct MakeMotionGraphJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm; .json
  std::filesystem::path picture;        // .png of the distances and the graph; empty: none
  SizeRequest size;
  std::vector<std::string> clips;  // names or numbers; empty: all
  double frames_per_second = 30;   // of the graph and of walks
  double window = 1.0 / 3;         // seconds that a transition takes
  // Largest distance of a transition, metres. Empty: per two clips, found from their jerk, within 0.02 and 0.12 of the
  // body's longest side.
  std::optional<double> threshold;
  bool travel_from_feet = true;  // clips that step in place get travel
};

struct MotionGraphReport {
  int clips = 0, frames = 0, transitions = 0;  // in the graph
  double threshold = 0;                        // the largest of any two clips, metres
  std::vector<std::string> notes;              // sentences
};

// Throws usage_error and input_error, sentences that name the clip or the file.
MotionGraphReport make_motion_graph(const MakeMotionGraphJob& job, const Progress& progress = {});

}  // namespace sinew
