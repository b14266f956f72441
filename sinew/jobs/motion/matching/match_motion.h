// Leads a character along a path by motion matching over its clips, from file to file (docs/motion.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/bake/run_report.h"
#include "sinew/base/progress.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

struct MatchMotionJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm
  std::filesystem::path plan;           // .json with a path
  std::vector<std::string> clips;       // names or numbers; empty: all
  std::optional<double> speed;          // metres per second; empty: that of the slowest clip that goes forward
  std::optional<double> steer;          // degrees per second that the body turns beyond its clips, at most; empty: 90
  double frames_per_second = 30;        // of the data base and the new clip
  std::string name;                     // of the new clip; empty: "match"
  SizeRequest size;
};

struct MatchReport {
  std::string clip;
  double seconds = 0;
  std::size_t frames = 0, bytes = 0;                   // of the data base
  double speed = 0;                                    // that was wanted, metres per second
  std::vector<std::pair<std::string, double>> played;  // clips with their shares of the time, largest first
  int changes = 0;                                     // times that motion went over from one clip or time to another
  double metres = 0;                                   // length of the body's way along the ground
  double mean_away = 0, most_away = 0;                 // distance from the path, metres
  double mean_turned = 0, most_turned = 0;             // angle between where the body looks and the path, degrees
  // Largest jerk, root mean square over the skin, metres per second cubed: in the new clip, and in the clips played.
  double jerk = 0, own_jerk = 0;
  // Mean speed along the ground of what is slowest of the soles on it, metres per second, likewise.
  double skating = 0, own_skating = 0;
  std::optional<MotionReport> feet;  // how they stand, if they do
  std::optional<double> own_slide;   // of feet in the clips played, with their travel, as a share of the leg
  std::vector<std::string> notes;    // sentences
};

// Throws usage_error and input_error, sentences that name the clip, the file or the element.
MatchReport match_motion(const MatchMotionJob& job, const Progress& progress = {});

}  // namespace sinew
