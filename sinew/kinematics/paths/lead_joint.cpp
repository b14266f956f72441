#include "sinew/kinematics/paths/lead_joint.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/index.h"
#include "sinew/kinematics/body_bones.h"
#include "sinew/kinematics/key_recorder.h"
#include "sinew/kinematics/paths/put_keys.h"
#include "sinew/kinematics/posed_tree.h"
#include "sinew/kinematics/trunk_joints.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double trunk_freedom = 0.1;    // of joints of the trunk, and of the first bone to be displaced
constexpr double reached_within = 1e-5;  // of the length of all bones
constexpr double bent_until = 0.85;      // of a limb's length: where it reaches farther, the trunk helps
constexpr double noticed_move = 1e-9;    // of the length of all bones, for joints that are carried
// A place is approached in so many steps, one for each share of the bones' length that it is away at most: the pose
// then depends on it smoothly, whichever way the search goes.
constexpr double step_length = 0.04;
constexpr int most_steps = 12;
constexpr int path_iterations = 40;

// New keys of one joint's channel; an entry for each time.
struct NewKeys {
  std::vector<double> values;
  bool changed = false;
};
using KeysOfWindow = std::map<std::pair<int, ChannelPath>, NewKeys>;

class FrameSolver {
 public:
  FrameSolver(const Skeleton& skeleton, std::span<const char> bone, const LedJoint& led)
      : skeleton_(skeleton), led_(led) {
    const int leader = carrier_of(led.joint);
    first_ = first_bone(skeleton, bone, leader);
    std::vector<int> ends{leader};
    for (const PinnedJoint& pin : led.pinned) {
      if (pin.joint == led.joint || !descends_from(skeleton, carrier_of(pin.joint), first_)) continue;
      pins_.push_back(pin);
      ends.push_back(carrier_of(pin.joint));
    }
    joints_ = joints_between(skeleton, first_, ends);
    const Pose rest = sample(skeleton, nullptr, 0);
    trunk_ = trunk_joints(skeleton, bone, rest, first_);
    for (const int joint : joints_)
      if (joint != first_)
        size_ += distance(rest.world[index(joint)].translation,
                          rest.world[index(skeleton.joints[index(joint)].parent)].translation);
    find_limb(leader, rest);
    freedom_ = limb_freedom(skeleton, rest, joints_, trunk_, 0);
  }

  const std::vector<int>& joints() const { return joints_; }
  double size() const { return size_; }
  void help_with_trunk() { trunk_helps_ = true; }
  bool trunk_helps() const { return trunk_helps_; }
  bool trunk_can_help() const { return !trunk_helps_; }

  // Leads the joint of a pose to a place, and adds the keys of this frame.
  void add_frame(double time, const SamplingSpace& space, const Pose& pose, const Vec3& place, int steps,
                 KeysOfWindow& keys, LedClip& result) const {
    PosedTree posed = posed_tree(skeleton_, pose, joints_);
    const TreePose before = posed.pose;
    const Vec3 start = pose.world[index(led_.joint)].translation;
    if (place != start) {
      std::vector<PoseGoal> goals{goal_for(led_.joint, pose)};
      for (const PinnedJoint& pin : pins_) {
        goals.push_back(goal_for(pin.joint, pose));
        goals.back().priority = 1;
        goals.back().target += (place - start) * (led_.joint == first_ ? goes_along(pin, time) : 0);
        PoseGoal turn;
        turn.kind = GoalKind::orientation;
        turn.joint = goals.back().joint;
        turn.rotation = world_rotation(pose.world[index(pin.joint)]);
        turn.priority = 2;
        if (carrier_of(pin.joint) == pin.joint) goals.push_back(turn);
      }
      const Vec3 root_of_limb = limb_root_ >= 0 ? pose.world[index(joints_[index(limb_root_)])].translation : Vec3{};
      double missed = 0;
      PoseSolution solution;
      for (int k = 1; k <= steps; ++k) {
        goals[0].target = start + (place - start) * (static_cast<double>(k) / steps);
        if (trunk_helps_ && limb_root_ >= 0) lean(goals, root_of_limb, start, posed);
        solution = solve_pose(posed.tree, goals, solver_options(!trunk_helps_ || limb_root_ >= 0), posed.pose);
        missed = 0;
        for (std::size_t g = 0; g < goals.size(); ++g)
          if (goals[g].kind == GoalKind::position) missed = std::max(missed, solution.missed[g]);
        if (trunk_helps_ && limb_root_ >= 0 && missed > reached_within * size_)
          solution = solve_pose(posed.tree, goals, solver_options(false), posed.pose);
      }
      result.missed = std::max(result.missed, solution.missed[0]);
      for (std::size_t g = 1; g < goals.size(); ++g)
        if (goals[g].kind == GoalKind::position) result.pins_missed = std::max(result.pins_missed, solution.missed[g]);
    }
    write(space, pose, posed, before, keys);
  }

 private:
  int carrier_of(int joint) const {
    for (const auto& [carrier, carried] : led_.carried)
      if (carried == joint) return carrier;
    return joint;
  }

  // Share of the first bone's displacement that a pinned joint takes.
  static double goes_along(const PinnedJoint& pin, double time) {
    double stands = pin.stands.empty() ? 1 : 0;
    for (const TimeFalloff& each : pin.stands) stands = std::max(stands, each(time));
    return 1 - stands;
  }

  // The joint stays where it is: by itself, or as a point of the bone that carries it.
  PoseGoal goal_for(int joint, const Pose& pose) const {
    const int carrier = carrier_of(joint);
    PoseGoal goal;
    goal.joint = index_in(joints_, carrier);
    goal.target = pose.world[index(joint)].translation;
    if (carrier != joint) {
      const Affine& bone = pose.world[index(carrier)];
      goal.point = rotate(conjugate(world_rotation(bone)), goal.target - bone.translation);
    }
    return goal;
  }

  // With `limbs_alone` trunk and first bone stay, unless the first bone is the one that is led.
  PoseSolverOptions solver_options(bool limbs_alone) const {
    const double freedom = limbs_alone ? 0 : trunk_freedom;
    PoseSolverOptions options{freedom_, 0, path_iterations};
    for (std::size_t k = 0; k < joints_.size(); ++k)
      if (trunk_[index(joints_[k])]) options.freedom[k] = freedom;
    options.root_freedom = led_.joint == first_ ? 1 : pins_.empty() ? 0 : freedom;
    return options;
  }

  // The root of the limb goes so far towards a place that the limb stays a little bent.
  Vec3 lean_towards(const Vec3& root, const Vec3& place) const {
    const double far = distance(place, root), bent = bent_until * limb_length_, left = (1 - bent_until) * limb_length_;
    if (!(far > bent)) return {};
    const double reached = bent + 0.9 * left * (1 - std::exp((bent - far) / (0.9 * left)));
    return (place - root) * ((far - reached) / far);
  }

  // The trunk brings the root of the limb to where the limb reaches without being stretched. Where it is stretched in
  // the clip, it stays so.
  void lean(const std::vector<PoseGoal>& goals, const Vec3& root, const Vec3& start, PosedTree& posed) const {
    const Vec3 by = lean_towards(root, goals[0].target) - lean_towards(root, start);
    std::vector<PoseGoal> leaning = goals;
    leaning[0] = {};
    leaning[0].joint = limb_root_;
    leaning[0].target = root + by;
    PoseSolverOptions options{{}, pins_.empty() ? 0.0 : 1.0, path_iterations};
    for (const int joint : joints_) options.freedom.push_back(is_in_limb_[index(joint)] ? 0 : 1);
    solve_pose(posed.tree, leaning, options, posed.pose);
  }

  // The limb of the led joint, from the first joint below the trunk on.
  void find_limb(int leader, const Pose& rest) {
    is_in_limb_.assign(skeleton_.joints.size(), 0);
    const auto place = [&](int joint) { return rest.world[index(joint)].translation; };
    for (int j = leader; j != first_ && !trunk_[index(j)]; j = skeleton_.joints[index(j)].parent) {
      is_in_limb_[index(j)] = 1;
      if (limb_root_ >= 0) limb_length_ += distance(place(j), place(joints_[index(limb_root_)]));
      limb_root_ = index_in(joints_, j);
    }
    if (leader != led_.joint) limb_length_ += distance(place(leader), place(led_.joint));
    if (!(limb_length_ > 0)) limb_root_ = -1;
  }

  bool stays_level(int joint) const {
    return std::find(led_.level.begin(), led_.level.end(), joint) != led_.level.end() ||
           std::any_of(pins_.begin(), pins_.end(), [&](const PinnedJoint& pin) { return pin.joint == joint; });
  }

  void add(KeysOfWindow& keys, int joint, ChannelPath path, std::initializer_list<double> values, bool changed) const {
    NewKeys& own = keys[{joint, path}];
    own.values.insert(own.values.end(), values);
    own.changed = own.changed || changed;
  }

  void add_rotation(KeysOfWindow& keys, int joint, const Quat& q, bool changed) const {
    add(keys, joint, ChannelPath::rotation, {q.x, q.y, q.z, q.w}, changed);
  }

  // Turns joints that stay level back: those below them follow, and nothing of the tree is below them but what is
  // pinned.
  void level_ends(const Pose& pose, const JointTree& tree, TreePose& now) const {
    PlacedJoints placed;
    for (std::size_t k = 1; k < joints_.size(); ++k) {
      const int joint = joints_[k];
      const bool is_end = std::find(tree.parent.begin(), tree.parent.end(), static_cast<int>(k)) == tree.parent.end();
      if (!is_end || !stays_level(joint)) continue;
      place_joints(tree, now, placed);
      now.local[k] =
          normalized(conjugate(placed.rotation[index(tree.parent[k])]) * world_rotation(pose.world[index(joint)]));
    }
  }

  void write(const SamplingSpace& space, const Pose& pose, PosedTree& posed, const TreePose& before,
             KeysOfWindow& keys) const {
    const bool turns = posed.pose.local != before.local || posed.pose.root != before.root;
    if (turns) level_ends(pose, posed.tree, posed.pose);
    PlacedJoints placed;
    place_joints(posed.tree, posed.pose, placed);
    const auto turned = turned_joints(skeleton_, pose, joints_, before, posed.pose);
    for (const int joint : joints_) {
      const auto found =
          std::find_if(turned.begin(), turned.end(), [&](const JointRotation& j) { return j.joint == joint; });
      const bool turn = found != turned.end();
      add_rotation(keys, joint, turn ? found->rotation : sampled_local(skeleton_, space, index(joint)).rotation, turn);
    }
    const bool moves = posed.pose.root != before.root;
    Vec3 root = sampled_local(skeleton_, space, index(first_)).translation;
    if (moves) root = to_parent(first_, pose, posed.pose.root);
    add(keys, first_, ChannelPath::translation, {root.x, root.y, root.z}, moves);
    for (const auto& [carrier, joint] : led_.carried) write_carried(carrier, joint, space, pose, placed, keys);
  }

  Vec3 to_parent(int joint, const Pose& pose, const Vec3& place) const {
    const int parent = skeleton_.joints[index(joint)].parent;
    return parent < 0 ? place : inverse(pose.world[index(parent)]) * place;
  }

  // Where the joint's space is in the new pose.
  Affine now(int joint, const Pose& pose, const PlacedJoints& placed) const {
    for (int j = joint; j >= 0; j = skeleton_.joints[index(j)].parent) {
      const int k = index_in(joints_, j);
      if (index(k) == joints_.size()) continue;
      const Affine& old = pose.world[index(j)];
      const Quat turn = placed.rotation[index(k)] * conjugate(world_rotation(old));
      const Affine world{to_matrix(normalized(turn)) * old.linear, placed.place[index(k)]};
      return j == joint ? world : world * (inverse(old) * pose.world[index(joint)]);
    }
    return pose.world[index(joint)];
  }

  void write_carried(int carrier, int joint, const SamplingSpace& space, const Pose& pose, const PlacedJoints& placed,
                     KeysOfWindow& keys) const {
    if (index(index_in(joints_, joint)) < joints_.size()) return;
    const Affine &old = pose.world[index(joint)], &old_carrier = pose.world[index(carrier)];
    const Affine new_carrier = now(carrier, pose, placed);
    const Quat turn = world_rotation(new_carrier) * conjugate(world_rotation(old_carrier));
    const Vec3 place = new_carrier.translation + rotate(turn, old.translation - old_carrier.translation);
    const Quat rotation = stays_level(joint) ? world_rotation(old) : normalized(turn * world_rotation(old));
    const int parent = skeleton_.joints[index(joint)].parent;
    const Affine above = parent < 0 ? Affine{} : now(parent, pose, placed);
    const Affine is_without = parent < 0 ? old : above * (inverse(pose.world[index(parent)]) * old);
    const bool changed = distance(place, is_without.translation) > noticed_move * size_ ||
                         norm(rotation_logarithm(normalized(rotation * conjugate(world_rotation(is_without))))) > 1e-9;
    Transform local = sampled_local(skeleton_, space, index(joint));
    if (changed) {
      local.translation = parent < 0 ? place : inverse(above) * place;
      local.rotation = parent < 0 ? rotation : normalized(conjugate(world_rotation(above)) * rotation);
    }
    add_rotation(keys, joint, local.rotation, changed);
    add(keys, joint, ChannelPath::translation, {local.translation.x, local.translation.y, local.translation.z},
        changed);
  }

  const Skeleton& skeleton_;
  const LedJoint& led_;
  int first_ = -1;
  std::vector<PinnedJoint> pins_;
  std::vector<int> joints_;
  std::vector<char> trunk_, is_in_limb_;  // per joint of the skeleton
  std::vector<double> freedom_;           // of the tree's joints
  int limb_root_ = -1;                    // index into joints_; -1: the joint is a part of the trunk
  double limb_length_ = 0;
  double size_ = 0;
  bool trunk_helps_ = false;
};

double farthest_displaced(const Skeleton& skeleton, const Clip& clip, const LedJoint& led) {
  SamplingSpace space;
  Pose pose;
  double most = 0;
  for (const TimedPlaces& window : led.windows)
    for (std::size_t k = 0; k < window.times.size(); ++k) {
      sample(skeleton, &clip, window.times[k], space, pose);
      most = std::max(most, distance(pose.world[index(led.joint)].translation, window.places[k]));
    }
  return most;
}

}  // namespace

LedClip lead_joint(const Skeleton& skeleton, std::span<const char> bone, const Clip& clip, const LedJoint& led) {
  check_bone(bone, led.joint);
  for (const PinnedJoint& pin : led.pinned) check_bone(bone, pin.joint);
  FrameSolver solver(skeleton, bone, led);
  const double size = solver.size(), far = farthest_displaced(skeleton, clip, led);
  const int steps = size > 0 ? std::clamp(static_cast<int>(far / (step_length * size)) + 1, 1, most_steps) : 1;
  for (;;) {
    LedClip result{clip, 0, 0, solver.trunk_helps()};
    std::vector<KeysOfWindow> keys(led.windows.size());
    SamplingSpace space;
    Pose pose;
    for (std::size_t w = 0; w < led.windows.size(); ++w)
      for (std::size_t k = 0; k < led.windows[w].times.size(); ++k) {
        sample(skeleton, &clip, led.windows[w].times[k], space, pose);
        solver.add_frame(led.windows[w].times[k], space, pose, led.windows[w].places[k], steps, keys[w], result);
      }
    if (solver.trunk_can_help() && std::max(result.missed, result.pins_missed) > reached_within * size) {
      solver.help_with_trunk();
      continue;
    }
    for (std::size_t w = 0; w < keys.size(); ++w)
      for (const auto& [channel, values] : keys[w])
        if (values.changed)
          put_keys(skeleton, channel.first, channel.second, led.windows[w].times, values.values, result.clip);
    return result;
  }
}

}  // namespace sinew
