// The plan of a walk through a motion graph, as JSON (docs/walk_plan.schema.json): a path on the ground, or clips to
// play.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct WalkPlan {
  struct ClipPart {
    std::string clip;    // name or number
    double seconds = 0;  // at least; 0: once
  };
  std::vector<Vec3> points;     // y is 0, metres; two in a row are apart (points_apart())
  bool closed = false;          // the path leads back to its first point
  std::vector<ClipPart> clips;  // instead of points
};

// {"points": [[0, 0], [0, 5]], "closed": false} or {"clips": ["Idle", {"clip": "Walk", "seconds": 3}]}. Throws
// input_error that names `file` and the element.
WalkPlan walk_plan_from_json(std::string_view text, const std::string& file);

}  // namespace sinew
