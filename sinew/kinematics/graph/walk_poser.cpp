#include "sinew/kinematics/graph/walk_poser.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/kinematics/anatomical_frames.h"
#include "sinew/linalg/turns.h"

namespace sinew {
MovedJoints walked_joints(const GraphBody& body, std::span<const FramedClip> clips) {
  std::vector<const Clip*> each;
  for (const FramedClip& clip : clips) each.push_back(&clip.clip());
  MovedJoints moved = moved_joints(each);
  moved.joints.insert(moved.joints.end(), body.tops.begin(), body.tops.end());
  std::sort(moved.joints.begin(), moved.joints.end());
  moved.joints.erase(std::unique(moved.joints.begin(), moved.joints.end()), moved.joints.end());
  return moved;
}

MovedUnder::MovedUnder(const Skeleton& skeleton, const Pose& rest, int joint) {
  const int parent = skeleton.joints[index(joint)].parent;
  if (parent >= 0) parent_ = rest.world[index(parent)];
  to_parent_ = inverse(parent_);
  turn_ = orientation_of(parent_);
}

Transform MovedUnder::operator()(const Standing& motion, const Transform& local) const {
  const Quat turn = axis_angle({0, 1, 0}, motion.heading);
  Transform moved = local;
  moved.translation = to_parent_ * (rotate(turn, parent_ * local.translation) + motion.place);
  moved.rotation = normalized(conjugate(turn_) * turn * turn_ * local.rotation);
  return moved;
}

WalkPoser::WalkPoser(const GraphBody& body, std::span<const FramedClip> clips)
    : skeleton_(*body.skeleton),
      body_(body),
      clips_(clips),
      standing_of_(skeleton_, body.root),
      moved_(walked_joints(body, clips)) {
  const Pose rest = sample(skeleton_, nullptr, 0);
  for (const int joint : body.tops) tops_.emplace_back(skeleton_, rest, joint);
}

const WalkPose& WalkPoser::operator()(const WalkFrame& frame) {
  place_body(frame.clip, frame.frame, frame.ground, first_);
  if (frame.next >= 0) {
    place_body(frame.next, frame.next_frame, frame.next_ground, second_);
    mix(frame.weight);
  }
  blends_ = frame.next >= 0;
  const Standing in_units{first_.body.heading, first_.body.place / body_.metres_per_unit};
  for (std::size_t k = 0; k < tops_.size(); ++k) {
    Transform& local = first_.pose.local[index(body_.tops[k])];
    local = tops_[k](in_units, local);
  }
  return first_.pose;
}

void WalkPoser::place_body(int clip, int frame, const Standing& ground, BodyPose& result) {
  const FramedClip& own = clips_[index(clip)];
  own.sample_frame(frame, space_, pose_);
  result.pose.local.resize(skeleton_.joints.size());
  for (const int joint : moved_.joints)
    result.pose.local[index(joint)] = sampled_local(skeleton_, space_, index(joint));
  const Standing over_origin = inverse(standing_of_(pose_));
  for (std::size_t k = 0; k < tops_.size(); ++k) {
    Transform& local = result.pose.local[index(body_.tops[k])];
    local = tops_[k](over_origin, local);
  }
  result.pose.weights = pose_.morph_weights;
  result.body = after(ground, own.standing(frame));
}

// Joints turn from one pose to the other the same way round as in the frame before; the transition begins the shorter
// way.
void WalkPoser::mix(double weight) {
  turns_.resize(skeleton_.joints.size());
  for (const int joint : moved_.joints) {
    Transform& local = first_.pose.local[index(joint)];
    const Transform& other = second_.pose.local[index(joint)];
    const Quat from = normalized(local.rotation), turn = normalized(conjugate(from) * normalized(other.rotation));
    Vec3& angle = turns_[index(joint)];
    angle = blends_ ? nearest_rotation_vector(turn, angle) : rotation_logarithm(turn);
    local = mixed(local, other, weight);
    local.rotation = normalized(from * rotation_exponential(weight * angle));
  }
  for (const int joint : moved_.weights)
    for (std::size_t k = 0; k < first_.pose.weights[index(joint)].size(); ++k)
      first_.pose.weights[index(joint)][k] =
          std::lerp(first_.pose.weights[index(joint)][k], second_.pose.weights[index(joint)][k], weight);
  second_.body.heading = nearest_heading(second_.body.heading, first_.body.heading);
  first_.body = mixed(first_.body, second_.body, weight);
}

void pose_between(const Skeleton& skeleton, const MovedJoints& moved, const WalkPose& first, const WalkPose& second,
                  double weight, Pose& pose) {
  SamplingSpace space;
  sample(skeleton, nullptr, 0, space, pose);
  std::vector<char> moves(skeleton.joints.size(), 0);
  for (const int joint : moved.joints) {
    moves[index(joint)] = 1;
    space.local[index(joint)] = mixed(first.local[index(joint)], second.local[index(joint)], weight);
  }
  for (const int joint : moved.weights) {
    std::vector<double>& own = pose.morph_weights[index(joint)];
    for (std::size_t k = 0; k < own.size(); ++k)
      own[k] = std::lerp(first.weights[index(joint)][k], second.weights[index(joint)][k], weight);
  }
  for (const int each : skeleton.parents_first) {
    const Joint& joint = skeleton.joints[index(each)];
    const Affine own =
        joint.rest_matrix && !moves[index(each)] ? *joint.rest_matrix : to_affine(space.local[index(each)]);
    pose.world[index(each)] = joint.parent < 0 ? own : pose.world[index(joint.parent)] * own;
  }
}

}  // namespace sinew
