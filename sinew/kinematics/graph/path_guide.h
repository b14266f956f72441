// Leads a body along a path: tells how far it has come, and turns it towards the path ahead.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/graph/ground_path.h"
#include "sinew/kinematics/graph/walk_graph.h"

namespace sinew {

// Angle about y from one direction to another, radians.
double turn_between(const Vec3& from, const Vec3& to);

class PathGuide : public WalkGuide {
 public:
  // `forward`: GraphBody::forward. `steer`: largest turn beyond that of the clips, radians per second. `step`: seconds
  // from frame to frame. `goes_on`: the point of the path that goes along with the body always goes on a little, so
  // that standing costs. The path must outlive the guide.
  PathGuide(std::span<const FramedClip> clips, const GroundPath& path, const Vec3& forward, double steer, double step,
            bool goes_on = true);

  // Errors of later frames are not counted.
  void count_until(int frame) { counted_ = frame; }

  double follow(WalkState& state, const Vec3& before) const override;
  bool arrived(const WalkState& state) const override { return state.way >= path_.length(); }

 private:
  const GroundPath& path_;
  Vec3 forward_;
  double steer_, step_;
  std::vector<double> speeds_;      // per clip, metres per second
  double fastest_ = 0, least_ = 0;  // metres per second: the fastest clip's, and that of the point of the path
  int counted_ = 0;
};

}  // namespace sinew
