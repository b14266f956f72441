// Leads a body along a path by motion matching.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/kinematics/graph/ground_path.h"
#include "sinew/kinematics/matching/motion_matcher.h"

namespace sinew {

struct MatchPathOptions {
  double speed = 1;  // metres per second along the path
  // Largest turn beyond that of the clips, radians per second: most clips of games walk straight on. 0: none.
  double steer = 1.5;
  // Whether the body begins and ends standing, for which a clip must stand; else it goes at full speed from the first
  // frame to the last.
  bool stands = true;
  double speed_up_seconds = 0.5;  // from standing to the speed, and back
  double standing_seconds = 0.5;  // at the end
  double still = 0.1;             // metres per second: slower bodies stand
  MatcherOptions matcher;
};

struct MatchedFrame {
  MotionDatabase::Place place;
  bool went_over = false;  // motion went over from elsewhere
  Standing body;           // metres
};

struct MatchedWalk {
  std::vector<MatchedFrame> frames;
  Clip clip;
  double left = 0;  // metres of the path that the body did not go
};

// The walk from the first point of the path to its last. It ends too if the body does not get there in four times the
// time that the speed would take, and ten seconds. Throws usage_error for walks of more than 200,000 frames, and
// Stopped where `progress` asks for it.
MatchedWalk match_path(const GraphBody& body, std::span<const FramedClip> clips, const MotionDatabase& database,
                       const GroundPath& path, const MatchPathOptions& options, const std::string& name,
                       const Progress& progress = {});

}  // namespace sinew
