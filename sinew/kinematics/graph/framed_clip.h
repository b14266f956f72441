// Clips of one body as frames at equal steps of time, which motion graphs are made of. All lengths are metres.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/clip.h"
#include "sinew/kinematics/standing.h"

namespace sinew {

// A skeleton whose motion is made into a graph.
struct GraphBody {
  const Skeleton* skeleton = nullptr;  // must outlive everything that is made of it
  int root = -1;                       // joint whose place and heading are the body's
  // Joints that move and hang on none that does: whoever moves them along the ground moves the whole body. Some rigs
  // have several, such as hips and the targets of inverse kinematics.
  std::vector<int> tops;
  double metres_per_unit = 1;
  Vec3 forward{0, 0, 1};  // world direction in which the body looks at heading 0, level, unit length
};

// The body of a skeleton that these clips move. `root`: the joint that is known to carry the body, or -1; then it is
// the nearest common ancestor of what moves. `skin`: joints that move a surface.
GraphBody graph_body(const Skeleton& skeleton, std::span<const Clip> clips, std::span<const int> skin, int root,
                     double metres_per_unit);

// A clip, resampled.
class FramedClip {
 public:
  // A clip that `loops` has as many frames as its length has steps, to the nearest; otherwise the last frame is the
  // last one that the clip reaches. `travel`: velocity of a body that the clip shows in place, metres per second along
  // the ground, in the world. It is not in the poses and standings: who plays the clip carries the body along.
  FramedClip(const GraphBody& body, const Clip& clip, bool loops, double frames_per_second, const Vec3& travel = {});

  const Clip& clip() const { return *clip_; }
  bool loops() const { return loops_; }
  const Vec3& travel() const { return travel_; }
  // Way of the travel from frame to frame, metres.
  Vec3 travel_step() const { return travel_ * step_; }
  int frames() const { return frames_; }
  double frames_per_second() const { return frames_per_second_; }
  // Whether there is a frame of this number: from 0 on; those of a clip that loops never end.
  bool has(int frame) const { return frame >= 0 && (loops_ || frame < frames_); }
  // Time of the frame in the clip, seconds.
  double seconds(int frame) const;
  // Frame next to a time of the clip.
  int frame_at(double seconds) const;

  // Standing of the body in a frame; of a clip that loops it goes on over the cycles.
  Standing standing(int frame) const;
  // The motion that the cycles before add to the frame's pose in the clip.
  Standing offset(int frame) const;
  // One cycle of a clip that loops, as a motion of its space; of another clip, none.
  const Standing& cycle() const { return cycle_; }
  // The frame's pose as the clip has it, without cycles; file units.
  void sample_frame(int frame, SamplingSpace& space, Pose& pose) const;
  // Mean speed along the ground with the travel, metres per second, of ways of a second.
  double speed() const;

 private:
  const GraphBody* body_;
  const Clip* clip_;
  bool loops_;
  double frames_per_second_;
  Vec3 travel_;  // metres per second of the clip
  int frames_ = 0;
  double step_ = 0;                  // seconds from frame to frame
  std::vector<Standing> standings_;  // per frame, and of a clip that loops one more
  Standing cycle_;
};

// Heading of a clip in each frame on the whole: its mean over a whole cycle around the frame, or over `reach` frames to
// either side where the clip does not loop. Steps sway about it.
std::vector<double> calm_headings(const FramedClip& clip, int reach);
// That of any frame, around cycles.
double calm_heading_of(const FramedClip& clip, std::span<const double> calm_headings, int frame);

}  // namespace sinew
