// Poses by hand as actions: joints that are turned in place of the clip, and a character that is carried. What is posed
// is a function of time, so that frames between steps and runs that resume see the same.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/linalg/small.h"
#include "sinew/session/action.h"

namespace sinew {

// The rest of a way to its end: a vector that shrinks to nothing within `seconds`, along Hermite's cubic, which begins
// with `rate` and ends at rest. So a way that takes another's place goes on as fast as that went.
struct Way {
  Vec3 left, rate;                // at the beginning; `rate` per second
  double begin = 0, seconds = 0;  // seconds since the pre-roll's end; how long the way takes

  Vec3 left_at(double elapsed) const;
  Vec3 rate_at(double elapsed) const;
  bool over(double elapsed) const { return elapsed >= begin + seconds; }
};

// A joint that is turned, or on its way back to the clip.
struct TurnedJoint {
  int joint = -1;        // index into Skeleton::joints
  bool to_clip = false;  // goes back to the clip's rotation, in place of `rotation`
  Quat rotation;         // local
  Way way;               // rotation vector, radians, that leads from there to where the joint is
};

// All that is posed, or on its way.
struct PoseChanges {
  std::vector<TurnedJoint> joints;  // in the order of their first turns
  Vec3 carried;                     // metres, world: offset of the whole character from the clip's place
  Way carry;                        // from there to where it is

  bool empty(double elapsed) const { return joints.empty() && carried == Vec3{} && carry.over(elapsed); }
  bool over(double elapsed) const;  // all have arrived
};

// A clip's local rotation of a joint, and its angular velocity (radians per second, in the parent's frame).
struct ClipRotation {
  Quat rotation;
  Vec3 rate;
};

// Begins what a turn, unturn or carry says at `elapsed`. `of_clip`: the clip's motion of its joint there; not used by
// carry. `rest`: the joint's rotation at rest.
void change_pose(const Action& action, int joint, const Quat& rest, const ClipRotation& of_clip, double elapsed,
                 PoseChanges& changes);

// Names a joint in actions: by its name, or by '#' and its index where a joint before it has the same name.
std::string action_name(const Skeleton& skeleton, int joint);
// The joint of such a name, or -1.
int joint_of_action(const Skeleton& skeleton, const std::string& name);
// The joint's rotation at rest, from which a turn counts.
Quat rest_rotation(const Joint& joint);
// The turn that brings a joint to a local rotation.
Action turn_to(const Skeleton& skeleton, int joint, const Quat& rotation, double seconds);

// A local rotation of a joint in place of the clip's.
struct LocalRotation {
  int joint = -1;
  Quat rotation;
};
// The joint's local rotation in a sampled pose.
Quat sampled_rotation(const Skeleton& skeleton, const SamplingSpace& sampling, int joint);
// Replaces rotations of a pose that was sampled, and carries it by `carried` (metres, world).
void turn_joints(const Character& character, const SamplingSpace& sampling, std::span<const LocalRotation> turned,
                 const Vec3& carried, Pose& pose);

// Turns and carries a pose that was sampled from the clip. `sampling`: of the same pose.
void apply_pose_changes(const Character& character, const PoseChanges& changes, double elapsed,
                        const SamplingSpace& sampling, Pose& pose);

}  // namespace sinew
