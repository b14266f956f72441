// Steers a body through a motion graph while it goes, by what is wanted at the moment.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/graph/walk_graph.h"

namespace sinew {

struct SteerWish {
  double turn = 0;   // radians per second about y: to the left is more than 0
  double speed = 0;  // metres per second, the way that the body faces; 0: it stands
};

struct SteerOptions {
  Vec3 forward{0, 0, 1};  // GraphBody::forward
  // Largest turn beyond that of the clips, radians per second: most clips of games go straight on. 0: none.
  double help = 1.6;
  double horizon_seconds = 1.5;  // within which ways are compared
  int most_ways = 8;             // that are followed at a time
  double arm = 0.5;  // metres: turned too far by an angle counts like so much of it off the arc; half the height suits
  // Per clip, metres per second at which its skin moves in the mean, without travel: of clips that go as is wanted, the
  // calmest is played. Empty: they count the same.
  std::vector<double> liveliness;
};

// Compares ways with the one that is wanted: an arc from where the body is, with the wish's speed and turn.
class SteerGuide : public WalkGuide {
 public:
  SteerGuide(const MotionGraph& graph, std::span<const FramedClip> clips, SteerOptions options);

  const SteerOptions& options() const { return options_; }
  void wish(const SteerWish& wish) { wish_ = wish; }
  // The arc begins where the body is now. Errors count until the horizon.
  void begin_at(const WalkState& state) { from_ = state; }
  int horizon_frames() const;

  double follow(WalkState& state, const Vec3& before) const override;
  bool arrived(const WalkState&) const override { return false; }

 private:
  SteerOptions options_;
  double step_;                 // seconds from frame to frame
  std::vector<double> speeds_;  // per clip, metres per second
  double fastest_ = 0;
  SteerWish wish_;
  WalkState from_;
};

// The choice at the state's frame (GraphWalker::choices()) from which a way leads on that is nearest to the one that is
// wanted. `guide`: of the walker, with the wish, and begun at this state. Equal input gives equal choices.
int steer_choice(const GraphWalker& walker, const SteerGuide& guide, const WalkState& state);

// A body that is steered, frame by frame. A wish acts at the next frame with transitions, but for turns beyond the
// clips, which begin at once.
class GraphSteering {
 public:
  // Graph and clips must outlive it. The body begins in a frame of a clip, where the clip has it.
  GraphSteering(const MotionGraph& graph, std::span<const FramedClip> clips, SteerOptions options, int clip, int frame);
  GraphSteering(const GraphSteering&) = delete;
  GraphSteering& operator=(const GraphSteering&) = delete;

  // The frame that the body is in.
  const WalkFrame& frame() const { return frame_; }
  const WalkState& state() const { return state_; }
  // Goes on by a frame.
  void next(const SteerWish& wish);

 private:
  SteerGuide guide_;
  GraphWalker walker_;
  WalkState state_;
  WalkFrame frame_;
  RunningTransition running_;
};

// Speeds of walking and running, metres per second: that of the slowest clip that goes forward, and of the fastest.
// Both are 0 if none does. `height`: of the body; slower clips than a tenth of it per second do not travel.
struct SteerSpeeds {
  double walk = 0, run = 0;
};
SteerSpeeds steer_speeds(std::span<const FramedClip> clips, const Vec3& forward, double height);

// Whether one of the clips does not travel, so that a body of this height can stand.
bool some_clip_stands(std::span<const FramedClip> clips, double height);

// A frame to begin in: that of the calmest clip which stands and can be left, or of the slowest.
struct SteerStart {
  int clip = 0, frame = 0;
};
SteerStart steer_start(const MotionGraph& graph, std::span<const FramedClip> clips, const SteerOptions& options);

}  // namespace sinew
