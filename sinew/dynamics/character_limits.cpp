#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/dynamics/character_links.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double beyond_clips = 0.15;  // radians
constexpr int samples_of_clip = 48;

enum class JointKind { other, trunk, shoulder, hip, knee, elbow, end };

JointKind kind_of(const BodyBones& bones, int joint) {
  for (const LimbBones& leg : bones.legs) {
    if (joint == leg.upper) return JointKind::hip;
    if (joint == leg.lower) return JointKind::knee;
    if (joint == leg.end || joint == leg.tip) return JointKind::end;
  }
  for (const LimbBones& arm : bones.arms) {
    if (joint == arm.upper) return JointKind::shoulder;
    if (joint == arm.lower) return JointKind::elbow;
    if (joint == arm.end) return JointKind::end;
  }
  return JointKind::trunk;
}

// Ranges of a person's joint, radians.
struct PersonRange {
  TurnRange twist, about_hinge, about_second;
};
PersonRange person_range(JointKind kind) {
  const auto both = [](double angle) { return TurnRange{-angle, angle}; };
  switch (kind) {
    case JointKind::trunk:
      return {both(0.35), both(0.45), both(0.35)};
    case JointKind::shoulder:
      return {both(1.2), both(1.6), both(1.6)};
    case JointKind::hip:
      return {both(0.6), both(1.2), both(0.8)};
    case JointKind::knee:
      return {both(0.1), {-0.05, 2.4}, both(0.05)};
    case JointKind::elbow:
      return {both(1.4), {-0.05, 2.4}, both(0.05)};
    case JointKind::end:
      return {both(0.3), both(0.8), both(0.4)};
    case JointKind::other:
      break;
  }
  return {both(0.6), both(0.7), both(0.7)};
}

// The axis about which a limb's joint bends in the world of the reference pose: knees bend the shin backward, elbows
// the forearm forward. Zero for other joints.
Vec3 bending_axis(const BodyBones& bones, const AnatomicalFrames& frames, int joint) {
  const auto axis = [&](const Vec3& standard) { return frames.axes * rotate(frames.frame[index(joint)], standard); };
  for (const LimbBones& leg : bones.legs)
    if (joint == leg.lower) return axis({1, 0, 0});
  for (std::size_t side = 0; side < 2; ++side)
    if (joint == bones.arms[side].lower) return axis({0, side == 0 ? -1.0 : 1.0, 0});
  return {};
}

// Direction of a link's bone in its own space: towards the joints beyond, or to its flesh.
Vec3 bone_of(const ArticulatedBody& body, std::size_t link) {
  Vec3 sum;
  for (std::size_t k = link + 1; k < body.size(); ++k)
    if (index(body.tree.parent[k]) == link) sum += body.tree.offset[k];
  if (norm(sum) < 1e-6) sum = body.tree.mass_centre[link];
  return norm(sum) < 1e-6 ? Vec3{0, 1, 0} : normalized(sum);
}

void widen(TurnRange& range, double angle) {
  constexpr double most = 3.1;
  if (angle > 0) range.most = std::min(most, std::max(range.most, angle + beyond_clips));
  if (angle < 0) range.least = std::max(-most, std::min(range.least, angle - beyond_clips));
}

}  // namespace

void set_limits(const Character& character, const BodyBones& bones, const ReferencePose& reference,
                ArticulatedBody& body) {
  const bool known = bones.complete();
  const AnatomicalFrames frames = known ? anatomical_frames(bones, reference, {0, 1, 0}) : AnatomicalFrames{};
  body.tree.limits.assign(body.size(), std::nullopt);
  for (std::size_t k = 1; k < body.size(); ++k) {
    const int joint = body.joint[k];
    const Quat& own = reference.rotation[index(joint)];
    const Quat& above = reference.rotation[index(body.joint[index(body.tree.parent[k])])];
    const PersonRange range = person_range(known ? kind_of(bones, joint) : JointKind::other);
    JointLimits limits;
    limits.neutral = normalized(conjugate(above) * own);
    limits.bone = bone_of(body, k);
    const Vec3 axis = known ? rotate(conjugate(own), bending_axis(bones, frames, joint)) : Vec3{};
    const Vec3 across = axis - limits.bone * dot(axis, limits.bone);
    limits.hinge = norm(across) > 0.1 ? normalized(across) : any_perpendicular(limits.bone);
    limits.twist = range.twist;
    limits.about_hinge = range.about_hinge;
    limits.about_second = range.about_second;
    body.tree.limits[k] = limits;
  }
  for (const Clip& clip : character.clips)
    for (int s = 0; s < samples_of_clip; ++s) {
      const double time = clip.start + (clip.end - clip.start) * s / (samples_of_clip - 1);
      const TreePose pose = pose_of_links(body, sample(character.skeleton, &clip, time), character.metres_per_unit);
      for (std::size_t k = 1; k < body.size(); ++k) {
        JointLimits& limits = *body.tree.limits[k];
        const JointAngles angles = joint_angles(limits, pose.local[k]);
        widen(limits.twist, angles.twist);
        widen(limits.about_hinge, angles.about_hinge);
        widen(limits.about_second, angles.about_second);
      }
    }
}

}  // namespace sinew
