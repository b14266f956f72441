// Makes a motion graph of a character's clips, from file to file (docs/motion.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/jobs/motion/graph/find_motion_graph.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct MakeMotionGraphJob : MotionGraphOptions {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm; .json
  std::filesystem::path picture;        // .png of the distances and the graph; empty: none
  SizeRequest size;
};

struct MotionGraphReport {
  int clips = 0, frames = 0, transitions = 0;  // in the graph
  double threshold = 0;                        // the largest of any two clips, metres
  std::vector<std::string> notes;              // sentences
};

// Throws usage_error and input_error, sentences that name the clip or the file.
MotionGraphReport make_motion_graph(const MakeMotionGraphJob& job, const Progress& progress = {});

}  // namespace sinew
