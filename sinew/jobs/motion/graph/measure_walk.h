// Measures a walk through a motion graph.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/jobs/motion/graph/graph_character.h"
#include "sinew/jobs/motion/graph/walk_motion_graph.h"
#include "sinew/kinematics/graph/ground_path.h"
#include "sinew/kinematics/graph/walk_graph.h"

namespace sinew {

// Standing of the body in a frame of a walk, metres.
Standing body_standing(std::span<const FramedClip> clips, const WalkFrame& frame);

// A body's way along the ground.
struct MeasuredWay {
  double metres = 0;                           // its length
  std::optional<double> mean_away, most_away;  // distance from a path, metres
  std::vector<double> ways;                    // per frame: of the nearest point along the path, metres
};
// `path`: null where there is none.
MeasuredWay measure_way(std::span<const Vec3> places, const GroundPath* path);

// Positions of a cloud in the frames of a finished clip, frames x points, metres.
std::vector<Vec3> cloud_of_clip(const GraphCharacter& character, const PointCloud& cloud, const Clip& clip,
                                std::size_t frames, double frames_per_second);
// Largest jerk of a clip, root mean square over the cloud, metres per second cubed.
double jerk_of_clip(const GraphCharacter& character, const FramedClip& clip);

// Sets the jerk of transitions in the finished clip, and that of the clips that the walk plays.
void measure_jerk(const GraphCharacter& character, const MotionGraph& graph, std::span<const FramedClip> clips,
                  const Walk& walk, const Clip& clip, WalkReport& report);

}  // namespace sinew
