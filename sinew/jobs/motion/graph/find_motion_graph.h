// Finds the motion graph of a character's clips.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/jobs/motion/graph/graph_character.h"
#include "sinew/kinematics/graph/similar_windows.h"

namespace sinew {

struct MotionGraphOptions {
  std::vector<std::string> clips;  // names or numbers; empty: all
  double frames_per_second = 30;   // of the graph and of walks
  double window = 1.0 / 3;         // seconds that a transition takes
  // Largest distance of a transition, metres. Empty: per two clips, found from their jerk, within 0.02 and 0.12 of the
  // body's longest side.
  std::optional<double> threshold;
  bool travel_from_feet = true;  // clips that step in place get travel
  // Two or more clips that are blended with each other, in the order of their speeds or turns; {"found"}: those that
  // are found (clips_of_one_gait()); empty: none.
  std::vector<std::string> blend{};
};

struct FoundMotionGraph {
  MotionGraph graph;        // what leads on for ever
  std::vector<int> places;  // of its clips (clip_at())
  std::deque<Clip> blends;
  // Before clips and transitions were left out, for pictures: the graph, and its windows in the order of its clips.
  MotionGraph all;
  std::vector<WindowRun> runs;
  SimilarWindows similar;
  std::vector<std::string> notes;  // sentences
};

// `map_size`: of the picture of distances, as for find_similar_windows(). Throws usage_error and input_error, sentences
// that name the clip or the file.
FoundMotionGraph find_motion_graph(const Character& source, const GraphCharacter& character,
                                   const MotionGraphOptions& options, std::size_t map_size, const Progress& progress);

}  // namespace sinew
