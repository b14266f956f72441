#include "sinew/kinematics/body_poser.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

Quat local_rotation(const Joint& joint) {
  return joint.rest_matrix ? orientation_of(*joint.rest_matrix) : normalized(joint.rest.rotation);
}
Vec3 local_translation(const Joint& joint) {
  return joint.rest_matrix ? joint.rest_matrix->translation : joint.rest.translation;
}

}  // namespace

std::vector<std::pair<int, int>> carriers(const BodyBones& bones) {
  std::vector<std::pair<int, int>> pairs;
  const auto chain = [&](int from, std::initializer_list<int> joints) {
    for (const int joint : joints) {
      if (joint < 0) continue;
      if (from >= 0 && from != joint) pairs.emplace_back(from, joint);
      from = joint;
    }
  };
  int trunk = bones.root;
  if (bones.pelvis != bones.root) pairs.emplace_back(bones.root, bones.pelvis);
  for (const int joint : bones.spine) {
    pairs.emplace_back(trunk, joint);
    trunk = joint;
  }
  const int chest = trunk;
  for (const int joint : bones.neck) {
    pairs.emplace_back(trunk, joint);
    trunk = joint;
  }
  if (bones.head >= 0) pairs.emplace_back(trunk, bones.head);
  for (const LimbBones& leg : bones.legs) chain(bones.pelvis, {leg.upper, leg.lower, leg.end, leg.tip});
  for (const LimbBones& arm : bones.arms) chain(chest, {arm.base, arm.upper, arm.lower, arm.end});
  return pairs;
}

BodyPoser::BodyPoser(const Skeleton& skeleton, const BodyBones& bones, const ReferencePose& reference,
                     std::span<const int> driven)
    : skeleton_(&skeleton), root_(bones.root), bone_of_joint_(skeleton.joints.size(), -1) {
  default_world_ = sample(skeleton, nullptr, 0).world;
  for (const Affine& world : default_world_) {
    default_rotation_.push_back(orientation_of(world));
    scale_.push_back(std::cbrt(std::abs(determinant(world.linear))));
  }
  for (const int joint : driven) {
    bone_of_joint_[index(joint)] = static_cast<int>(bones_.size());
    bones_.push_back(joint);
  }
  std::map<int, int> carrier_of;
  for (const auto& [carrier, joint] : carriers(bones))
    if (bone_of(joint) >= 0 && !descends_from(skeleton, joint, carrier)) carrier_of[joint] = carrier;

  std::vector<char> placed(skeleton.joints.size(), 0);
  const auto add_below = [&](int top, int carrier) {
    std::vector<char> below(skeleton.joints.size(), 0);
    for (const int joint : skeleton.parents_first) {
      const int parent = skeleton.joints[index(joint)].parent;
      below[index(joint)] = joint == top || (parent >= 0 && below[index(parent)] &&
                                             (!carrier_of.contains(joint) || placed[index(joint)]));
      if (!below[index(joint)] || placed[index(joint)]) continue;
      placed[index(joint)] = 1;
      add_step(joint, joint == top ? carrier : -1, reference);
    }
  };
  add_below(root_, -1);
  // Carried bones after their carriers, which may be carried themselves.
  for (bool added = true; added;) {
    added = false;
    for (const auto& [joint, carrier] : carrier_of)
      if (!placed[index(joint)] && placed[index(carrier)]) {
        add_below(joint, carrier);
        added = true;
      }
  }
  for (std::size_t j = 0; j < placed.size(); ++j)
    if (!placed[j]) still_.push_back(static_cast<int>(j));
  for (Step& step : steps_) step.parent_moves = step.parent >= 0 && placed[index(step.parent)];
}

void BodyPoser::add_step(int joint, int carrier, const ReferencePose& reference) {
  const Joint& own = skeleton_->joints[index(joint)];
  Step step;
  step.joint = joint;
  step.parent = own.parent;
  step.bone = bone_of(joint);
  step.carrier = carrier;
  step.local = local_rotation(own);
  if (carrier >= 0)
    step.offset = rotate(conjugate(reference.rotation[index(carrier)]),
                         reference.position[index(joint)] - reference.position[index(carrier)]);
  else
    step.offset = (own.parent >= 0 ? scale_[index(own.parent)] : 1.0) * local_translation(own);
  steps_.push_back(step);
}

void BodyPoser::place(const BoneMotion& motion, std::size_t frame, std::span<Vec3> positions,
                      std::span<Quat> rotations) const {
  const std::size_t count = bones_.size();
  place(std::span(motion.rotations).subspan(frame * count, count), motion.root[frame], positions, rotations,
        motion.offsets.empty() ? std::span<const Vec3>{} : std::span(motion.offsets).subspan(frame * count, count));
}

void BodyPoser::find_offsets(std::span<const Quat> bones, const Pose& pose, std::vector<Vec3>& offsets) const {
  offsets.assign(bones_.size(), Vec3{});
  std::vector<Vec3> positions(skeleton_->joints.size());
  std::vector<Quat> rotations(skeleton_->joints.size());
  // Places of bones do not change rotations, and each bone is placed after what carries it.
  place(bones, pose.world[index(root_)].translation, positions, rotations);
  for (const Step& step : steps_) {
    const auto j = index(step.joint);
    if (step.joint == root_) continue;
    const int from = step.carrier >= 0 ? step.carrier : step.parent;
    if (step.bone < 0) {
      positions[j] = positions[index(from)] + rotate(rotations[index(from)], step.offset);
      continue;
    }
    positions[j] = pose.world[j].translation;
    offsets[index(step.bone)] = rotate(conjugate(rotations[index(from)]), positions[j] - positions[index(from)]);
  }
}

void BodyPoser::place(std::span<const Quat> bones, const Vec3& root, std::span<Vec3> positions,
                      std::span<Quat> rotations, std::span<const Vec3> offsets) const {
  for (const int joint : still_) {
    positions[index(joint)] = default_world_[index(joint)].translation;
    rotations[index(joint)] = default_rotation_[index(joint)];
  }
  for (const Step& step : steps_) {
    const auto j = index(step.joint);
    const int from = step.carrier >= 0 ? step.carrier : step.parent;
    if (step.joint == root_)
      positions[j] = root;
    else
      positions[j] =
          positions[index(from)] +
          rotate(rotations[index(from)], step.bone >= 0 && !offsets.empty() ? offsets[index(step.bone)] : step.offset);
    if (step.bone >= 0)
      rotations[j] = bones[index(step.bone)];
    else
      rotations[j] = step.parent >= 0 ? rotations[index(step.parent)] * step.local : step.local;
  }
}

Clip BodyPoser::clip(const BoneMotion& motion, const std::string& name) const {
  Clip clip;
  clip.name = name;
  const std::size_t frames = motion.times.size();
  if (frames == 0) return clip;
  clip.start = motion.times.front();
  clip.end = motion.times.back();
  struct Written {
    const Step* step;
    Channel rotation, translation;
  };
  std::vector<Written> written;
  for (const Step& step : steps_) {
    const bool moves = step.joint == root_ || step.carrier >= 0;
    if (step.bone < 0 && !moves) continue;
    Written each{&step, {}, {}};
    if (step.bone >= 0) each.rotation = {step.joint, ChannelPath::rotation, Interpolation::linear, motion.times, 4, {}};
    if (moves) each.translation = {step.joint, ChannelPath::translation, Interpolation::linear, motion.times, 3, {}};
    each.rotation.values.reserve(4 * frames);
    written.push_back(std::move(each));
  }
  std::vector<Vec3> positions(skeleton_->joints.size());
  std::vector<Quat> rotations(skeleton_->joints.size());
  for (std::size_t f = 0; f < frames; ++f) {
    place(motion, f, positions, rotations);
    for (Written& each : written) {
      const int parent = each.step->parent;
      if (each.step->bone >= 0) {
        const Quat& world = rotations[index(each.step->joint)];
        Quat local = normalized(parent >= 0 ? conjugate(rotations[index(parent)]) * world : world);
        std::vector<double>& values = each.rotation.values;
        // The nearer of the two quaternions of a rotation, for viewers that do not look for it.
        if (f > 0 && dot(local, Quat{values[4 * f - 4], values[4 * f - 3], values[4 * f - 2], values[4 * f - 1]}) < 0)
          local = {-local.x, -local.y, -local.z, -local.w};
        values.insert(values.end(), {local.x, local.y, local.z, local.w});
      }
      if (each.translation.joint < 0) continue;
      Vec3 local = positions[index(each.step->joint)];
      if (parent >= 0) {
        local = !each.step->parent_moves
                    ? inverse(default_world_[index(parent)]) * local
                    : transpose_times(to_matrix(rotations[index(parent)]), local - positions[index(parent)]) /
                          scale_[index(parent)];
      }
      each.translation.values.insert(each.translation.values.end(), {local.x, local.y, local.z});
    }
  }
  for (Written& each : written) {
    if (each.step->bone >= 0) clip.channels.push_back(std::move(each.rotation));
    if (each.translation.joint >= 0) clip.channels.push_back(std::move(each.translation));
  }
  return clip;
}

}  // namespace sinew
