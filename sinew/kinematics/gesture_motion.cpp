#include "sinew/kinematics/gesture_motion.h"

#include <cmath>

#include "sinew/base/index.h"
#include "sinew/kinematics/built_in_motion.h"
#include "sinew/kinematics/foot_locks.h"

namespace sinew {
namespace {

constexpr double frames_per_second = 60;
constexpr double radians = 3.14159265358979323846 / 180;

Quat about_left(double degrees) { return axis_angle({1, 0, 0}, degrees * radians); }
Quat about_up(double degrees) { return axis_angle({0, 1, 0}, degrees * radians); }
Quat about_forward(double degrees) { return axis_angle({0, 0, 1}, degrees * radians); }

// World rotations of a body's bones in a pose of a gesture.
class GesturePoser {
 public:
  GesturePoser(const RiggedBody& body, const AnatomicalFrames& frames, const BodyPoser& poser, bool on_all_fours)
      : bones_(body.bones), frames_(frames), poser_(poser), fours_(on_all_fours) {
    axes_ = orientation_of({frames.axes, {}});
  }

  void pose(const GesturePose& gesture, std::span<Quat> rotations) const {
    const auto set = [&](int joint, const Quat& frame) {
      if (joint < 0) return;
      if (const int bone = poser_.bone_of(joint); bone >= 0)
        rotations[index(bone)] = normalized(axes_ * frame * conjugate(frames_.frame_to_joint[index(joint)]));
    };
    const Quat pelvis = about_up(gesture.yaw) * about_forward(-gesture.roll) * about_left(gesture.pitch);
    const Quat chest = pelvis * about_up(gesture.twist) * about_forward(-gesture.lean) * about_left(gesture.bend);
    const Quat head = chest * about_up(gesture.look) * about_left(gesture.nod);
    set(bones_.root, pelvis);
    set(bones_.pelvis, pelvis);
    const auto chain = [&](const std::vector<int>& joints, const Quat& from, const Quat& to, double beyond) {
      for (std::size_t k = 0; k < joints.size(); ++k)
        set(joints[k], slerp(from, to, static_cast<double>(k + 1) / (static_cast<double>(joints.size()) + beyond)));
    };
    chain(bones_.spine, pelvis, chest, 0);
    chain(bones_.neck, chest, head, 1);
    set(bones_.head, head);
    for (std::size_t side = 0; side < 2; ++side) {
      set_leg(bones_.legs[side], gesture.feet[side], pelvis, set);
      if (fours_)
        set_leg(bones_.arms[side], gesture.feet[side + 2], chest, set);
      else
        set_arm(bones_.arms[side], gesture.arms[side], side == 0 ? 1 : -1, chest, set);
    }
  }

 private:
  template <class Set>
  void set_arm(const LimbBones& limb, const GesturePose::Arm& arm, double side, const Quat& chest,
               const Set& set) const {
    const Quat upper = chest * about_left(-arm.swing) * about_forward(-side * arm.down);
    const Quat lower = chest * about_left(-arm.swing - arm.elbow) * about_forward(-side * arm.down);
    set(limb.base, chest);
    set(limb.upper, upper);
    set(limb.lower, lower);
    set(limb.end, lower);
  }

  // Legs as at rest, for inverse kinematics to move; feet as the ground has them.
  template <class Set>
  void set_leg(const LimbBones& limb, const GesturePose::Foot& foot, const Quat& trunk, const Set& set) const {
    const auto rest = [&](int joint) { return joint >= 0 ? frames_.frame[index(joint)] : Quat{}; };
    set(limb.base, trunk * rest(limb.base));
    set(limb.upper, trunk * rest(limb.upper));
    set(limb.lower, trunk * rest(limb.lower));
    set(limb.end, about_up(foot.yaw) * about_left(foot.pitch) * rest(limb.end));
    // Toes stay flat while the foot rolls over them.
    set(limb.tip, about_up(foot.yaw) * about_left(foot.shift.y > 0 ? foot.pitch : 0) * rest(limb.tip));
  }

  const BodyBones& bones_;
  const AnatomicalFrames& frames_;
  const BodyPoser& poser_;
  bool fours_;
  Quat axes_;
};

// A point of a foot at rest, in the body's axes from between the thighs.
Vec3 rest_point(const FootPoints& points, const Vec3& offset, const RiggedBody& body, const AnatomicalFrames& frames) {
  const auto j = index(points.foot);
  return transpose_times(frames.axes,
                         body.reference.position[j] + rotate(body.reference.rotation[j], offset) - frames.hip_centre);
}

// The vertical axis about which a body turns, where it stands between its feet: in the body's axes from between the
// thighs.
Vec3 pivot_of(std::span<const FootPoints> feet, const RiggedBody& body, const AnatomicalFrames& frames) {
  if (feet.size() < 4) return {};
  Vec3 sum;
  for (const FootPoints& foot : feet) sum += rest_point(foot, foot.toe, body, frames);
  return Vec3{sum.x, 0, sum.z} / static_cast<double>(feet.size());
}

// World place of a foot's ankle for its pose.
Vec3 ankle_target(const FootPoints& points, const RiggedBody& body, const AnatomicalFrames& frames, const Vec3& pivot,
                  const GesturePose::Foot& foot) {
  const Vec3 ball = rest_point(points, points.toe, body, frames),
             ankle = rest_point(points, points.ankle, body, frames);
  const Vec3 turned = pivot + rotate(about_up(foot.yaw), ball + frames.leg_length * foot.shift - pivot);
  const Vec3 rolled = rotate(about_up(foot.yaw) * about_left(foot.pitch), ankle - ball);
  return frames.hip_centre + frames.axes * (turned + rolled);
}

}  // namespace

BoneMotion gesture_motion(const std::function<GesturePose(double)>& pose_at, double seconds, const RiggedBody& body,
                          const AnatomicalFrames& frames, const BodyPoser& poser) {
  const bool fours = is_on_all_fours(body, frames);
  std::vector<FootPoints> feet = foot_points(body, frames, body.bones.legs);
  if (fours) {
    const std::vector<FootPoints> front = foot_points(body, frames, body.bones.arms);
    feet.insert(feet.end(), front.begin(), front.end());
  }
  const Vec3 pivot = pivot_of(feet, body, frames);
  const GesturePoser gesture_poser(body, frames, poser, fours);
  const std::size_t count = poser.bones().size();
  const auto frame_count = static_cast<std::size_t>(std::ceil(seconds * frames_per_second)) + 1;
  BoneMotion motion;
  motion.rotations.resize(frame_count * count);
  std::vector<std::vector<Vec3>> targets(feet.size());
  std::vector<Vec3> positions(body.skeleton->joints.size());
  std::vector<Quat> rotations(body.skeleton->joints.size());
  for (std::size_t f = 0; f < frame_count; ++f) {
    motion.times.push_back(static_cast<double>(f) / frames_per_second);
    const GesturePose pose = pose_at(motion.times.back());
    const std::span<Quat> bones = std::span(motion.rotations).subspan(f * count, count);
    gesture_poser.pose(pose, bones);
    poser.place(bones, {}, positions, rotations);
    const Vec3 hips = (positions[index(body.bones.legs[0].upper)] + positions[index(body.bones.legs[1].upper)]) / 2;
    motion.root.push_back(frames.hip_centre +
                          frames.axes * (pivot + rotate(about_up(pose.yaw), frames.leg_length * pose.hips - pivot)) -
                          hips);
    for (std::size_t side = 0; side < feet.size(); ++side)
      targets[side].push_back(ankle_target(feet[side], body, frames, pivot, pose.feet[side]));
  }
  place_feet(body, poser, feet, targets, motion);
  return motion;
}

}  // namespace sinew
