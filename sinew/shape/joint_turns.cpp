#include "sinew/shape/joint_turns.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/symmetric_eigen.h"

namespace sinew {
namespace {

// Poses of each clip that are looked at for the axis of a joint, and the least turn that has one, degrees.
constexpr int looked_at = 32;
constexpr double least_turn = 5;

Affine local_of(const Skeleton& skeleton, const Pose& pose, int joint) {
  const int parent = skeleton.joints[index(joint)].parent;
  const Affine& world = pose.world[index(joint)];
  return parent < 0 ? world : inverse(pose.world[index(parent)]) * world;
}

// Rotation from the default pose as an axis times an angle, joint space.
Vec3 turn_from_rest(const Skeleton& skeleton, const Pose& rest, const Pose& pose, int joint) {
  const Mat3 from = closest_rotation(local_of(skeleton, rest, joint).linear);
  const Mat3 to = closest_rotation(local_of(skeleton, pose, joint).linear);
  const Quat q = to_quaternion(transpose(from) * to);
  const Vec3 axis = (q.w < 0 ? -1.0 : 1.0) * Vec3{q.x, q.y, q.z};
  const double sine = norm(axis);
  return sine > 0 ? axis * (2 * std::atan2(sine, std::abs(q.w)) / sine) : Vec3{};
}

// The main axis of the joint's turns in the clips, towards where they turn it more.
Vec3 axis_of_clips(const Character& character, int joint, const std::string& name) {
  const Skeleton& skeleton = character.skeleton;
  const Pose rest = sample(skeleton, nullptr, 0);
  Mat3 moments;
  Vec3 sum;
  double most = 0;
  for (const Clip& clip : character.clips)
    for (int k = 0; k < looked_at; ++k) {
      const Pose pose = sample(skeleton, &clip, std::lerp(clip.start, clip.end, k / (looked_at - 1.0)));
      const Vec3 turn = turn_from_rest(skeleton, rest, pose, joint);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) moments(i, j) += turn[i] * turn[j];
      sum += turn;
      most = std::max(most, norm(turn));
    }
  if (most * 180 / std::numbers::pi < least_turn)
    throw usage_error("--pose: no clip turns the joint " + name + "; say about which of its axes: " + name + ":x=90.");
  const SignedSvd svd = signed_svd(moments);
  const Vec3 axis = svd.u.column(0);
  return dot(axis, sum) < 0 ? -axis : axis;
}

}  // namespace

JointTurn joint_turn_from(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  JointTurn turn;
  std::size_t read = 0;
  try {
    if (equals != std::string::npos && equals > 0) turn.degrees = std::stod(text.substr(equals + 1), &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || equals + 1 + read != text.size() || !std::isfinite(turn.degrees))
    throw usage_error("--pose: '" + text + "' is no joint with an angle; write it as elbow_l=90, or elbow_l:x=90.");
  turn.joint = text.substr(0, equals);
  const std::size_t length = turn.joint.size();
  if (length > 2 && turn.joint[length - 2] == ':' && turn.joint[length - 1] >= 'x' && turn.joint[length - 1] <= 'z') {
    turn.axis = turn.joint.back();
    turn.joint.resize(length - 2);
  }
  return turn;
}

Pose turned(const Character& character, Pose pose, std::span<const JointTurn> turns) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<Affine> local(skeleton.joints.size());
  for (std::size_t j = 0; j < local.size(); ++j) local[j] = local_of(skeleton, pose, static_cast<int>(j));
  for (const JointTurn& turn : turns) {
    const auto found = std::find_if(skeleton.joints.begin(), skeleton.joints.end(),
                                    [&](const Joint& joint) { return joint.name == turn.joint; });
    if (found == skeleton.joints.end())
      throw usage_error("--pose: " + character.file + " has no joint '" + turn.joint +
                        "'; `sinew info` lists the joints.");
    const auto joint = static_cast<int>(found - skeleton.joints.begin());
    const Vec3 axis = turn.about         ? *turn.about
                      : turn.axis == 'x' ? Vec3{1, 0, 0}
                      : turn.axis == 'y' ? Vec3{0, 1, 0}
                      : turn.axis == 'z' ? Vec3{0, 0, 1}
                                         : axis_of_clips(character, joint, turn.joint);
    Mat3& linear = local[index(joint)].linear;
    linear = linear * to_matrix(axis_angle(axis, turn.degrees * std::numbers::pi / 180));
  }
  for (const int joint : skeleton.parents_first) {
    const int parent = skeleton.joints[index(joint)].parent;
    pose.world[index(joint)] = parent < 0 ? local[index(joint)] : pose.world[index(parent)] * local[index(joint)];
  }
  return pose;
}

Pose pose_between(const Skeleton& skeleton, const Pose& a, const Pose& b, double share) {
  Pose pose = a;
  for (const int joint : skeleton.parents_first) {
    const Affine from = local_of(skeleton, a, joint), to = local_of(skeleton, b, joint);
    const Mat3 from_turn = closest_rotation(from.linear), to_turn = closest_rotation(to.linear);
    const Mat3 stretch = (1 - share) * (transpose(from_turn) * from.linear) + share * (transpose(to_turn) * to.linear);
    const Affine local{to_matrix(slerp(to_quaternion(from_turn), to_quaternion(to_turn), share)) * stretch,
                       from.translation + share * (to.translation - from.translation)};
    const int parent = skeleton.joints[index(joint)].parent;
    pose.world[index(joint)] = parent < 0 ? local : pose.world[index(parent)] * local;
  }
  return pose;
}

}  // namespace sinew
