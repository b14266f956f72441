// Walks through a motion graph and writes what it plays as a clip of the character, from file to file (docs/motion.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/bake/run_report.h"
#include "sinew/base/progress.h"

namespace sinew {

struct WalkMotionGraphJob {
  std::filesystem::path graph, output;  // .json; .glb, .gltf or .vrm
  std::filesystem::path plan;           // .json with a path or clips; empty: it wanders
  std::optional<int> seed;              // of the wandering
  std::optional<double> seconds;        // of the wandering; empty: 10
  std::vector<std::string> clips;       // of the graph that may be played; empty: all
  std::optional<double> steer;  // degrees per second that a body turns on a path beyond its clips, at most; empty: 90
  std::string name;             // of the new clip; empty: "walk"
};

struct WalkReport {
  std::string clip;
  double seconds = 0;
  int transitions = 0;
  double metres = 0;                           // length of the body's way along the ground
  std::optional<double> mean_away, most_away;  // distance from the path, metres
  // Largest jerk, root mean square over the skin, metres per second cubed: in transitions, and in the clips played.
  double jerk = 0, own_jerk = 0;
  int rougher = 0;                   // transitions with more jerk than both of the clips that they connect
  std::optional<MotionReport> feet;  // how they stand, if they do
  std::vector<std::string> notes;    // sentences
};

// Throws usage_error and input_error, sentences that name the clip, the file or the element.
WalkReport walk_motion_graph(const WalkMotionGraphJob& job, const Progress& progress = {});

}  // namespace sinew
