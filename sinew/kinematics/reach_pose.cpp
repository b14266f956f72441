#include "sinew/kinematics/reach_pose.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/kinematics/body_bones.h"
#include "sinew/kinematics/pose_solver.h"
#include "sinew/kinematics/posed_tree.h"

namespace sinew {
namespace {

// Freedom of joints of the trunk, and of the first bone to be displaced, beside joints of limbs, once limbs alone do
// not reach.
constexpr double trunk_freedom = 0.1;
constexpr double reached_within = 1e-5;  // of the length of all bones

// A limb is at least this long, as a share of the distance of the farthest bone from the first one: shorter chains,
// such as fingers, do not make a trunk of the joint that they begin at.
constexpr double limb_length = 0.3;

constexpr int iterations = 40;

// Per joint of the skeleton: whether at least two limbs begin at it or below it.
std::vector<char> trunk_joints(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose, int first) {
  const std::size_t n = skeleton.joints.size();
  const auto place = [&](int joint) { return pose.world[index(joint)].translation; };
  std::vector<double> extent(n);  // of the bones below each joint: the farthest from it
  std::vector<int> limbs(n);
  std::vector<char> trunk(n);
  double size = 0;
  for (std::size_t j = 0; j < n; ++j)
    if (bone[j] && descends_from(skeleton, static_cast<int>(j), first))
      size = std::max(size, distance(place(static_cast<int>(j)), place(first)));
  for (auto each = skeleton.parents_first.rbegin(); each != skeleton.parents_first.rend(); ++each) {
    const std::size_t j = index(*each);
    if (limbs[j] > 1) trunk[j] = 1;
    const int parent = skeleton.joints[j].parent;
    if (parent < 0) continue;
    const double from_parent = extent[j] + distance(place(*each), place(parent));
    extent[index(parent)] = std::max(extent[index(parent)], from_parent);
    if (from_parent > limb_length * size) ++limbs[index(parent)];
    if (trunk[j]) trunk[index(parent)] = 1;
  }
  return trunk;
}

std::vector<PoseGoal> goals_for(const Pose& pose, std::span<const int> joints, const JointPlace& led,
                                std::span<const JointPlace> pinned) {
  const auto in_tree = [&](int joint) {
    return static_cast<int>(std::find(joints.begin(), joints.end(), joint) - joints.begin());
  };
  std::vector<PoseGoal> goals(1);
  goals[0].joint = in_tree(led.joint);
  goals[0].target = led.place;
  for (const JointPlace& pin : pinned) {
    PoseGoal goal;
    goal.joint = in_tree(pin.joint);
    goal.target = pin.place;
    goal.priority = 1;
    goals.push_back(goal);
    // A foot stays flat.
    goal.kind = GoalKind::orientation;
    goal.rotation = world_rotation(pose.world[index(pin.joint)]);
    goal.priority = 2;
    goals.push_back(goal);
  }
  return goals;
}

}  // namespace

ReachedPose reach_pose(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose, const JointPlace& led,
                       std::span<const JointPlace> pinned) {
  check_bone(bone, led.joint);
  const int first = first_bone(skeleton, bone, led.joint);
  std::vector<int> ends{led.joint};
  std::vector<JointPlace> pins;
  for (const JointPlace& pin : pinned) {
    check_bone(bone, pin.joint);
    if (pin.joint == led.joint || !descends_from(skeleton, pin.joint, first)) continue;  // what is not connected stays
    ends.push_back(pin.joint);
    pins.push_back(pin);
  }
  const std::vector<int> joints = joints_between(skeleton, first, ends);
  PosedTree posed = posed_tree(skeleton, pose, joints);
  const TreePose before = posed.pose;

  // Limbs alone first; the trunk helps where they do not reach.
  const std::vector<char> trunk = trunk_joints(skeleton, bone, pose, first);
  const std::vector<PoseGoal> goals = goals_for(pose, joints, led, pins);
  double size = 0;
  for (const Vec3& offset : posed.tree.offset) size += norm(offset);
  PoseSolution solution;
  for (const double freedom : {0.0, trunk_freedom}) {
    PoseSolverOptions options{{}, 0, iterations};
    for (const int joint : joints) options.freedom.push_back(trunk[index(joint)] ? freedom : 1);
    options.root_freedom = led.joint == first ? 1 : pins.empty() ? 0 : freedom;
    solution = solve_pose(posed.tree, goals, options, posed.pose);
    const auto reaches = [&](std::size_t goal) {
      return goals[goal].kind == GoalKind::orientation || solution.missed[goal] <= reached_within * size;
    };
    bool all = true;
    for (std::size_t goal = 0; goal < goals.size(); ++goal) all = all && reaches(goal);
    if (all) break;
  }

  return {turned_joints(skeleton, pose, joints, before, posed.pose), posed.pose.root - before.root, solution.missed[0]};
}

}  // namespace sinew
