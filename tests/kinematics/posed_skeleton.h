// A small skeleton that is posed by hand, for tests of inverse kinematics.
#pragma once

#include <span>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/character/clip.h"
#include "sinew/kinematics/posed_tree.h"
#include "tests/kinematics/random_poses.h"

namespace sinew::test {

// A tree of joints below a node that is no bone, turned and in centimetres, as files have it; joint 1 is its first.
struct PosedSkeleton {
  Skeleton skeleton;
  std::vector<char> bone;
  std::vector<Quat> rotation;  // local, per joint
  Vec3 carried;                // of the first node, file units

  explicit PosedSkeleton(double scale = 1) : PosedSkeleton(body_tree(), scale) {}
  explicit PosedSkeleton(const JointTree& tree, double scale = 1) {
    Joint top;
    top.rest.rotation = axis_angle({1, 0, 0}, -1.5707963267948966);
    top.rest.scale = {scale, scale, scale};
    add(top, false);
    for (std::size_t j = 0; j < tree.size(); ++j) {
      Joint joint;
      joint.parent = tree.parent[j] + 1;
      if (j == 0) joint.rest.rotation = conjugate(top.rest.rotation);  // so that it stands
      joint.rest.translation = tree.offset[j] * (1 / std::abs(scale));
      add(joint, true);
    }
  }
  void add(const Joint& joint, bool is_bone) {
    skeleton.parents_first.push_back(static_cast<int>(skeleton.joints.size()));
    skeleton.joints.push_back(joint);
    rotation.push_back(joint.rest.rotation);
    bone.push_back(is_bone);
  }
  Pose pose() const {
    Skeleton turned = skeleton;
    for (std::size_t j = 0; j < turned.joints.size(); ++j) turned.joints[j].rest.rotation = rotation[j];
    turned.joints[0].rest.translation += carried;
    return sample(turned, nullptr, 0);
  }
  Vec3 place(int joint) const { return pose().world[index(joint)].translation; }
  void take(std::span<const JointRotation> turned, const Vec3& moved) {
    for (const JointRotation& each : turned) rotation[index(each.joint)] = each.rotation;
    carried += moved;
  }
};

}  // namespace sinew::test
