// Walks along a path by branch and bound (Kovar 2002, section 4).
#pragma once

#include "sinew/kinematics/graph/ground_path.h"
#include "sinew/kinematics/graph/walk_graph.h"

namespace sinew {

struct FollowOptions {
  // Largest turn beyond that of the clips, radians per second: most clips of games walk straight on. 0: none.
  double steer = 1.5;
  double horizon_seconds = 4;  // to which choices are searched
  double keep_seconds = 1;     // of the best one that are kept before the search begins anew
  int most_choices = 6000;     // that one search tries
  // Two ways may lead to the same frame of a clip at the same time. The search follows the better one if their places
  // differ by less than a body goes in this many frames. 0: it follows both.
  double alike = 1;
};

// Follows a path from its first point to its last, looking along it. The walk's error is the sum over frames of the
// squared distance from the point of the path that goes along with the body, and for each frame of a transition of the
// square of its distance. That point always goes on a little, so that standing costs. At least one clip must travel.
Walk follow_path(const MotionGraph& graph, std::span<const FramedClip> clips, const GroundPath& path,
                 const Vec3& forward, const FollowOptions& options = {});

}  // namespace sinew
