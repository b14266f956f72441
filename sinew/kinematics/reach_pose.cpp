#include "sinew/kinematics/reach_pose.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/kinematics/body_bones.h"
#include "sinew/kinematics/pose_solver.h"
#include "sinew/kinematics/posed_tree.h"
#include "sinew/kinematics/trunk_joints.h"

namespace sinew {
namespace {

// Freedom of joints of the trunk, and of the first bone to be displaced, beside joints of limbs, once limbs alone do
// not reach.
constexpr double trunk_freedom = 0.1;
constexpr double reached_within = 1e-5;  // of the length of all bones

constexpr int iterations = 40;

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
    if (pin.arm != Vec3{} && led.joint == first) continue;  // it goes along with the whole skeleton
    ends.push_back(pin.joint);
    pins.push_back(pin);
  }
  const std::vector<int> joints = joints_between(skeleton, first, ends);
  PosedTree posed = posed_tree(skeleton, pose, joints);
  const TreePose before = posed.pose;

  // Limbs alone first; the trunk helps where they do not reach.
  const std::vector<char> trunk = trunk_joints(skeleton, bone, pose, first);
  std::vector<PoseGoal> goals = pin_goals(pins, joints, pose, 1);
  PoseGoal lead;
  lead.joint = index_in(joints, led.joint);
  lead.target = led.place;
  goals.insert(goals.begin(), lead);
  const bool stays = std::any_of(pins.begin(), pins.end(), [](const JointPlace& pin) { return pin.arm != Vec3{}; });
  double size = 0;
  for (const Vec3& offset : posed.tree.offset) size += norm(offset);
  PoseSolution solution;
  for (const double freedom : {0.0, trunk_freedom}) {
    PoseSolverOptions options{limb_freedom(skeleton, pose, joints, trunk, freedom), 0, iterations};
    options.root_freedom = led.joint == first ? 1 : pins.empty() || stays ? 0 : freedom;
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
