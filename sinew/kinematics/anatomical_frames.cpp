#include "sinew/kinematics/anatomical_frames.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// Shortest bone that tells a direction, as a share of the leg.
constexpr double least_bone = 1e-4;

class FrameSearch {
 public:
  FrameSearch(const BodyBones& bones, const ReferencePose& reference, const Mat3& axes, double leg_length)
      : bones_(bones), reference_(reference), axes_(axes), least_(least_bone * leg_length) {}

  std::vector<Quat> find() {
    frames_.assign(reference_.rotation.size(), Quat{});
    for (const LimbBones& leg : bones_.legs) set_limb(leg, {0, -1, 0}, -1);
    for (std::size_t side = 0; side < 2; ++side) {
      const LimbBones& arm = bones_.arms[side];
      const Vec3 outward{side == 0 ? 1.0 : -1.0, 0, 0};
      set_limb(arm, outward, middle_finger(side));
      const int hand = arm.end >= 0 ? arm.end : arm.lower;
      if (hand < 0) continue;
      for (const std::vector<int>& finger : bones_.fingers[side]) set_finger(finger, hand, outward);
    }
    return std::move(frames_);
  }

 private:
  Vec3 position(int joint) const { return reference_.position[index(joint)]; }

  // Turns `frame`, whose bone points along `rest`, by the least rotation so that it points from one joint to the other.
  void aim(Quat& frame, const Vec3& rest, int from, int to) const {
    if (from < 0 || to < 0) return;
    const Vec3 along = transpose_times(axes_, position(to) - position(from));
    if (norm(along) <= least_) return;
    frame = normalized(shortest_turn(rotate(frame, rest), along) * frame);
  }

  // `rest`: direction of the limb's bones in the standard pose, body axes. `beyond`: joint that the end points to.
  void set_limb(const LimbBones& limb, const Vec3& rest, int beyond) {
    if (limb.upper < 0) return;
    Quat frame{};
    aim(frame, rest, limb.upper, limb.lower);
    frames_[index(limb.upper)] = frame;
    if (limb.lower < 0) return;
    aim(frame, rest, limb.lower, limb.end >= 0 ? limb.end : limb.marker);
    frames_[index(limb.lower)] = frame;
    if (limb.end < 0 || rest.y < 0) return;  // feet stay as the ground has them
    aim(frame, rest, limb.end, beyond >= 0 ? beyond : limb.marker);
    frames_[index(limb.end)] = frame;
  }

  void set_finger(const std::vector<int>& finger, int hand, const Vec3& outward) {
    Quat frame = frames_[index(hand)];
    for (std::size_t k = 0; k < finger.size(); ++k) {
      if (k + 1 < finger.size()) aim(frame, outward, finger[k], finger[k + 1]);
      frames_[index(finger[k])] = frame;
    }
  }

  int middle_finger(std::size_t side) const {
    for (const std::size_t finger : {std::size_t{2}, std::size_t{1}, std::size_t{3}})
      if (!bones_.fingers[side][finger].empty()) return bones_.fingers[side][finger].front();
    return -1;
  }

  const BodyBones& bones_;
  const ReferencePose& reference_;
  Mat3 axes_;
  double least_;
  std::vector<Quat> frames_;
};

double leg_length_of(const LimbBones& leg, std::span<const Vec3> positions) {
  const Vec3 knee = positions[index(leg.lower)];
  const int end = leg.end >= 0 ? leg.end : leg.marker;
  const double thigh = norm(positions[index(leg.upper)] - knee);
  return thigh + (end >= 0 ? norm(positions[index(end)] - knee) : thigh);
}

// Joint at the end of a leg.

}  // namespace

Quat orientation_of(const Affine& transform) {
  const Mat3& linear = transform.linear;
  return to_quaternion(closest_rotation(determinant(linear) < 0 ? linear * -1.0 : linear));
}

ReferencePose reference_pose(std::span<const Affine> world) {
  ReferencePose pose;
  for (const Affine& joint : world) {
    pose.rotation.push_back(orientation_of(joint));
    pose.position.push_back(joint.translation);
  }
  return pose;
}

Vec3 nearest_axis(const Vec3& direction) {
  std::size_t most = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (std::abs(direction[k]) > std::abs(direction[most])) most = k;
  Vec3 axis;
  axis[most] = direction[most] < 0 ? -1 : 1;
  return axis;
}

Vec3 up_axis(const BodyBones& bones, std::span<const Vec3> positions) {
  Vec3 up;
  for (const LimbBones& leg : bones.legs) up += positions[index(leg.upper)] - positions[index(leg.end_joint())];
  return nearest_axis(up);
}

AnatomicalFrames anatomical_frames(const BodyBones& bones, const ReferencePose& reference, const Vec3& up) {
  AnatomicalFrames result;
  const auto position = [&](int joint) { return reference.position[index(joint)]; };
  Vec3 left = position(bones.legs[0].upper) - position(bones.legs[1].upper);
  if (bones.arms[0].upper >= 0 && bones.arms[1].upper >= 0)
    left += position(bones.arms[0].upper) - position(bones.arms[1].upper);
  left = left - dot(left, up) * up;
  left =
      norm(left) > 0 ? normalized(left) : normalized(cross(up, std::abs(up.z) < 0.5 ? Vec3{0, 0, 1} : Vec3{0, -1, 0}));
  result.axes = Mat3::from_columns(left, up, cross(left, up));
  result.hip_centre = (position(bones.legs[0].upper) + position(bones.legs[1].upper)) / 2;
  for (const LimbBones& leg : bones.legs) result.leg_length += leg_length_of(leg, reference.position) / 2;
  result.frame = FrameSearch(bones, reference, result.axes, result.leg_length).find();

  bool first = true;
  for (const LimbBones& leg : bones.legs)
    for (const int joint : {leg.end_joint(), leg.tip, leg.marker}) {
      if (joint < 0) continue;
      const double height = dot(position(joint), up);
      result.ground = first ? height : std::min(result.ground, height);
      first = false;
    }
  for (const LimbBones& leg : bones.legs) {
    result.ankle_height += (dot(position(leg.end_joint()), up) - result.ground) / 2;
    result.toe_height += (dot(position(leg.tip >= 0 ? leg.tip : leg.end_joint()), up) - result.ground) / 2;
  }

  const Quat axes = to_quaternion(result.axes);
  result.frame_to_joint.reserve(result.frame.size());
  for (std::size_t j = 0; j < result.frame.size(); ++j)
    result.frame_to_joint.push_back(normalized(conjugate(reference.rotation[j]) * axes * result.frame[j]));
  return result;
}

}  // namespace sinew
