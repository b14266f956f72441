// Motion graphs as JSON (docs/motion_graph.schema.json), to be read and edited by people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/kinematics/graph/motion_graph.h"

namespace sinew {

inline constexpr int motion_graph_version = 1;

// A graph with the character that it is of.
struct MotionGraphFile {
  std::string character;  // its file, relative to that of the graph
  double metres_per_unit = 1;
  std::uint64_t skeleton = 0;         // skeleton_fingerprint()
  std::vector<std::uint64_t> clips;   // clip_fingerprint() of each of the graph's clips
  std::vector<double> starts, steps;  // per clip: time of its first frame, and from frame to frame, seconds
  MotionGraph graph;
};

// Writes one clip or transition per line, times in seconds of the clips.
std::string motion_graph_json(const MotionGraphFile& file);

// Throws input_error that names `file` and the element.
MotionGraphFile motion_graph_from_json(std::string_view text, const std::string& file);

}  // namespace sinew
