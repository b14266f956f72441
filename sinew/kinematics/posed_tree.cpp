#include "sinew/kinematics/posed_tree.h"

#include <algorithm>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"

namespace sinew {

Quat world_rotation(const Affine& world) { return to_transform(world).rotation; }

int first_bone(const Skeleton& skeleton, std::span<const char> bone, int joint) {
  int first = joint;
  for (int j = joint; j >= 0; j = skeleton.joints[index(j)].parent)
    if (bone[index(j)]) first = j;
  return first;
}

void check_bone(std::span<const char> bone, int joint) {
  if (joint < 0 || index(joint) >= bone.size() || !bone[index(joint)])
    throw usage_error("Joint " + std::to_string(joint) + " is none of the character's bones.");
}

std::vector<int> joints_between(const Skeleton& skeleton, int first, std::span<const int> ends) {
  std::vector<char> wanted(skeleton.joints.size());
  for (const int end : ends)
    for (int j = end; j != first; j = skeleton.joints[index(j)].parent) wanted[index(j)] = 1;
  std::vector<int> joints{first};
  for (const int j : skeleton.parents_first)
    if (wanted[index(j)]) joints.push_back(j);
  return joints;
}

PosedTree posed_tree(const Skeleton& skeleton, const Pose& pose, std::span<const int> joints) {
  std::vector<int> at(skeleton.joints.size(), -1);
  PosedTree posed;
  posed.pose.root = pose.world[index(joints.front())].translation;
  std::vector<Quat> world;
  for (const int joint : joints) {
    at[index(joint)] = static_cast<int>(world.size());
    world.push_back(world_rotation(pose.world[index(joint)]));
    const int parent = joint == joints.front() ? -1 : skeleton.joints[index(joint)].parent;
    posed.tree.parent.push_back(parent < 0 ? -1 : at[index(parent)]);
    if (parent < 0) {
      posed.tree.offset.push_back({});
      posed.pose.local.push_back(world.back());
      continue;
    }
    const Quat back = conjugate(world[index(at[index(parent)])]);
    posed.tree.offset.push_back(
        rotate(back, pose.world[index(joint)].translation - pose.world[index(parent)].translation));
    posed.pose.local.push_back(normalized(back * world.back()));
  }
  return posed;
}

std::vector<JointRotation> turned_joints(const Skeleton& skeleton, const Pose& pose, std::span<const int> joints,
                                         const TreePose& before, const TreePose& now) {
  std::vector<JointRotation> turned;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Quat& rotation = now.local[k];
    if (rotation == before.local[k]) continue;
    const int parent = skeleton.joints[index(joints[k])].parent;
    const Quat to_parent = k == 0 && parent >= 0 ? conjugate(world_rotation(pose.world[index(parent)])) : Quat{};
    turned.push_back({joints[k], normalized(to_parent * rotation)});
  }
  return turned;
}

int index_in(std::span<const int> joints, int joint) {
  return static_cast<int>(std::find(joints.begin(), joints.end(), joint) - joints.begin());
}

std::vector<PoseGoal> pin_goals(std::span<const JointPlace> pins, std::span<const int> joints, const Pose& pose,
                                int priority) {
  std::vector<PoseGoal> goals;
  for (const JointPlace& pin : pins) {
    PoseGoal goal;
    goal.joint = index_in(joints, pin.joint);
    goal.target = pin.place;
    goal.priority = priority;
    const Quat rotation = world_rotation(pose.world[index(pin.joint)]);
    goal.point = rotate(conjugate(rotation), pin.arm);
    goals.push_back(goal);
    if (pin.arm != Vec3{}) continue;
    goal.kind = GoalKind::orientation;
    goal.rotation = rotation;
    goal.priority = priority + 1;
    goals.push_back(goal);
  }
  return goals;
}

}  // namespace sinew
