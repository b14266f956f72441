// Motion chosen frame by frame from a data base of clips: every few frames the frame nearest to what the body does and
// is to do is looked for, and motion goes over there without a jump.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/kinematics/graph/walk_poser.h"
#include "sinew/kinematics/matching/decaying_offset.h"
#include "sinew/kinematics/matching/motion_database.h"

namespace sinew {

struct MatcherOptions {
  double search_every = 0.1;   // seconds
  double decay_seconds = 0.4;  // in which the difference between two clips dies away
  // Squared distance by which another frame must be nearer than the one that comes next: less gives motion that obeys
  // sooner and goes over more often.
  double least_gain = 0.5;
  double near_seconds = 0.2;  // frames of the same clip that are no farther off are not gone over to
};

class MotionMatcher {
 public:
  // All must outlive the matcher.
  MotionMatcher(const GraphBody& body, std::span<const FramedClip> clips, const MotionDatabase& database,
                MatcherOptions options = {});

  // The body is in a frame of the data base that can be begun in, and stands at `body`, metres.
  void begin(std::size_t row, const Standing& body);
  // Goes on by a frame. `ahead`: where the body is to come, for each time ahead of the data base.
  void next(std::span<const PlaceAhead> ahead);
  // Turns the body about where it stands, radians.
  void turn(double angle) { body_.heading += angle; }

  // Place and heading of the body on the whole.
  const Standing& body() const { return body_; }
  MotionDatabase::Place place() const { return place_; }
  // Whether this frame is the first one after motion went over from elsewhere.
  bool went_over() const { return since_ == 1 && !began_; }
  const MovedJoints& moved() const { return moved_; }
  // The pose in the world, file units. Valid until the next call.
  const WalkPose& pose();

 private:
  // A pose of a clip with the body over the origin, looking as at rest.
  void source_pose(int clip, int frame, WalkPose& pose);
  void look_for_nearer(std::span<const PlaceAhead> ahead);
  void go_over(const MotionDatabase::Place& place);
  void add_offsets(WalkPose& pose) const;

  struct JointOffsets {
    DecayingOffset translation, turn, scale;
  };

  const GraphBody& body_of_;
  std::span<const FramedClip> clips_;
  const MotionDatabase& database_;
  double least_gain_;
  int search_every_, near_frames_;  // frames
  double decay_frames_;
  MovedJoints moved_;
  std::vector<MovedUnder> tops_;
  SamplingSpace space_;
  Pose sampled_;

  MotionDatabase::Place place_;
  Standing body_;
  int since_ = 0;      // frames since motion went over
  int searched_ = 0;   // frames since the last search
  bool began_ = true;  // motion has not gone over yet
  // The last three frames, the present first: poses with the body over the origin, and motions of the body.
  std::array<WalkPose, 3> poses_;
  std::array<Standing, 3> steps_;
  std::vector<JointOffsets> offsets_;                 // per moved joint
  std::vector<std::vector<DecayingOffset>> weights_;  // per joint with moved morph weights
  DecayingOffset step_offset_;                        // x and z of the way, y the turn
  WalkPose world_;
};

}  // namespace sinew
