#include "sinew/jobs/motion/check_bodies.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <set>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/built_in_motion.h"

namespace sinew {
namespace {

bool is_mirrored(const Affine& world) { return determinant(world.linear) < 0; }

// Whether lengths or angles change by more than the twentieth part with the direction.
bool is_uneven(const Affine& world) {
  constexpr double most = 0.05;
  const Mat3 gram = transpose(world.linear) * world.linear;
  const double mean = (gram(0, 0) + gram(1, 1) + gram(2, 2)) / 3;
  const Mat3 rest = gram * (1 / mean) - Mat3::identity();
  // Squared lengths change by twice the share.
  return std::any_of(std::begin(rest.m), std::end(rest.m), [](double value) { return std::abs(value) > 2 * most; });
}

// The topmost node on the way from a joint to its root, inclusive, from which on all are faulty.
template <class Fault>
int origin_of(const Skeleton& skeleton, const Pose& pose, int joint, const Fault& fault) {
  for (int parent = skeleton.joints[index(joint)].parent; parent >= 0 && fault(pose.world[index(parent)]);
       parent = skeleton.joints[index(joint)].parent)
    joint = parent;
  return joint;
}

[[noreturn]] void refuse_scale(const Skeleton& skeleton, int joint, const char* what, const std::string& file) {
  throw input_error(file + ": node '" + skeleton.joints[index(joint)].name + "' " + what +
                    ", so that motion cannot be carried over; apply the scale of this node before the export.");
}

void check_scales(const RiggedBody& body, const std::string& file) {
  const Skeleton& skeleton = *body.skeleton;
  const Pose pose = sample(skeleton, nullptr, 0);
  for (const int joint : joints_of(body.bones))
    if (is_mirrored(pose.world[index(joint)]))
      refuse_scale(skeleton, origin_of(skeleton, pose, joint, is_mirrored), "mirrors the body (a negative scale)",
                   file);
  // Uneven scales of single bones above the legs shape the body and do not move it.
  std::vector<int> carrying{body.bones.root, body.bones.pelvis};
  for (const LimbBones& leg : body.bones.legs) carrying.insert(carrying.end(), {leg.upper, leg.lower});
  for (const int joint : carrying)
    if (is_uneven(pose.world[index(joint)]))
      refuse_scale(skeleton, origin_of(skeleton, pose, joint, is_uneven), "stretches the body unevenly", file);
}

bool is_on_fours(const RiggedBody& body) {
  return is_on_all_fours(body, anatomical_frames(body.bones, body.reference, body.up));
}

// Number of chains of joints that leave the trunk, are no limbs of the body, and stand on the ground.
std::size_t other_standing_limbs(const RiggedBody& body) {
  constexpr double near_ground = 0.1, shortest = 0.5;  // shares of the leg
  const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, body.up);
  const std::vector<Joint>& joints = body.skeleton->joints;
  std::vector<char> in_body(joints.size(), 0), has_child(joints.size(), 0);
  for (const int joint : joints_of(body.bones)) in_body[index(joint)] = 1;
  for (const Joint& joint : joints)
    if (joint.parent >= 0) has_child[index(joint.parent)] = 1;
  const auto place = [&](int joint) { return body.reference.position[index(joint)]; };
  std::set<int> tops;
  for (std::size_t leaf = 0; leaf < joints.size(); ++leaf) {
    int top = static_cast<int>(leaf);
    if (has_child[leaf] || dot(place(top), body.up) - frames.ground > near_ground * frames.leg_length) continue;
    double length = 0;
    for (; joints[index(top)].parent >= 0 && !in_body[index(joints[index(top)].parent)];
         top = joints[index(top)].parent)
      length += norm(place(top) - place(joints[index(top)].parent));
    const int carrier = joints[index(top)].parent;
    const bool from_limb =
        carrier >= 0 && std::any_of(body.bones.legs.begin(), body.bones.legs.end(), [&](const LimbBones& leg) {
          return descends_from(*body.skeleton, carrier, leg.upper);
        });
    if (carrier >= 0 && !in_body[leaf] && !from_limb && length > shortest * frames.leg_length) tops.insert(top);
  }
  return tops.size();
}

}  // namespace

std::vector<std::string> notes_on_limbs(const RiggedBody& source, const std::string& source_file,
                                        const RiggedBody& target, const std::string& target_file) {
  std::vector<std::string> notes;
  const bool from_four = is_on_fours(source), to_four = is_on_fours(target);
  if (from_four && !to_four)
    notes.push_back(source_file + ": the motion is of a body on four legs, and " + target_file +
                    " stands on two: its arms move as the front legs do.");
  if (!from_four && to_four)
    notes.push_back(source_file + ": the motion is of a body on two legs, and " + target_file +
                    " stands on four: its front legs move as the arms do.");
  if (const std::size_t limbs = other_standing_limbs(target); limbs > 0)
    notes.push_back(target_file + ": " + std::to_string(limbs) +
                    (limbs == 1 ? " more limb stands" : " more limbs stand") +
                    " on the ground, which the motion leaves at rest.");
  return notes;
}

void check_body(const RiggedBody& body, const std::string& file) {
  if (!has_legs(body))
    throw input_error(file + ": the bones of its legs have no length; export the skeleton with its offsets.");
  check_scales(body, file);
}

void check_length(const Clip& clip, std::size_t bones, const std::string& file) {
  constexpr double most_turns = 5e6;  // frames times bones
  constexpr double rate = 30;         // of clips with sparse keys, frames per second
  const double seconds = clip.end - clip.start;
  std::size_t keys = 0;
  for (const Channel& channel : clip.channels) keys = std::max(keys, channel.times.size());
  const double frames = std::max(seconds * rate, static_cast<double>(keys));
  if (frames * static_cast<double>(bones) <= most_turns) return;
  char text[128];
  std::snprintf(text, sizeof(text), "is %.3g hours long, with %.0f frames, too many to carry over", seconds / 3600,
                frames);
  throw input_error(file + ": clip '" + clip.name + "' " + text +
                    "; are its times (in a BVH, Frame Time) in seconds? Otherwise export a part of it.");
}

}  // namespace sinew
