// Poses of walks through a motion graph, frame by frame.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/graph/walk_graph.h"
#include "sinew/kinematics/key_recorder.h"

namespace sinew {

// Joints of a skeleton that a walk moves, relative to their parents; file units.
struct WalkPose {
  std::vector<Transform> local;              // per joint; only those that clips move
  std::vector<std::vector<double>> weights;  // morph weights per joint
};

// The joints that clips of a body move, and its tops.
MovedJoints walked_joints(const GraphBody& body, std::span<const FramedClip> clips);

// A joint's transform, under a parent that stays, after a motion along the ground; file units.
class MovedUnder {
 public:
  MovedUnder(const Skeleton& skeleton, const Pose& rest, int joint);
  Transform operator()(const Standing& motion, const Transform& local) const;

 private:
  Affine parent_, to_parent_;
  Quat turn_;
};

// Blends poses with the body over the origin, looking as at rest. Joints that a transition blends begin along the
// shorter arc and keep its direction; place and heading of the body are blended in the world.
class WalkPoser {
 public:
  // The body, its skeleton and the clips must outlive the poser.
  WalkPoser(const GraphBody& body, std::span<const FramedClip> clips);

  const MovedJoints& moved() const { return moved_; }
  // The next frame of a walk. Valid until the next call.
  const WalkPose& operator()(const WalkFrame& frame);

 private:
  struct BodyPose {
    WalkPose pose;
    Standing body;  // in the world, metres
  };

  void place_body(int clip, int frame, const Standing& ground, BodyPose& result);
  void mix(double weight);

  const Skeleton& skeleton_;
  const GraphBody& body_;
  std::span<const FramedClip> clips_;
  RootStanding standing_of_;
  MovedJoints moved_;
  std::vector<MovedUnder> tops_;
  SamplingSpace space_;
  Pose pose_;
  BodyPose first_, second_;
  std::vector<Vec3>
      turns_;            // per joint: rotation vector from the first pose to the second, in the transition that runs
  bool blends_ = false;  // a transition ran in the frame before
};

// The world's pose between two of a walk, as linear keys have it; other joints rest.
void pose_between(const Skeleton& skeleton, const MovedJoints& moved, const WalkPose& first, const WalkPose& second,
                  double weight, Pose& pose);

}  // namespace sinew
