#include "sinew/kinematics/fabrik.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// Data that stay the same through all passes.
struct Plan {
  std::vector<const Vec3*> target;  // per point, or null
  std::vector<char> led;            // a goal is at the point or below it
  double length = 0;                // of all bones
};

Plan plan_of(const PointTree& tree, std::span<const PointGoal> goals) {
  const std::size_t n = tree.parent.size();
  Plan plan{std::vector<const Vec3*>(n), std::vector<char>(n)};
  for (const PointGoal& goal : goals) plan.target[index(goal.point)] = &goal.target;
  for (std::size_t j = n; j-- > 1;) {
    if (plan.target[j]) plan.led[j] = 1;
    if (plan.led[j]) plan.led[index(tree.parent[j])] = 1;
    plan.length += tree.length[j];
  }
  return plan;
}

// A point at a distance from `from`, in the direction of `towards`.
Vec3 at_length(const Vec3& from, const Vec3& towards, double length) {
  const Vec3 line = towards - from;
  const double far = norm(line);
  return far > 0 ? from + line * (length / far) : from + Vec3{0, length, 0};
}

// From the ends to the root. Every point goes to the mean of the places that the bones below it ask for.
class BackwardPass {
 public:
  explicit BackwardPass(const PointTree& tree) : tree_(tree), sum_(tree.parent.size()), count_(tree.parent.size()) {}

  void run(const Plan& plan, std::span<Vec3> points) {
    std::fill(sum_.begin(), sum_.end(), Vec3{});
    std::fill(count_.begin(), count_.end(), 0);
    for (std::size_t j = points.size(); j-- > 1;) {
      if (!plan.led[j]) continue;
      if (plan.target[j])
        points[j] = *plan.target[j];
      else if (count_[j] == 1)
        points[j] = sum_[j];
      else
        points[j] = sum_[j] / count_[j];
      const std::size_t parent = index(tree_.parent[j]);
      sum_[parent] += at_length(points[j], points[parent], tree_.length[j]);
      count_[parent] += 1;
    }
  }

 private:
  const PointTree& tree_;
  std::vector<Vec3> sum_;
  std::vector<double> count_;
};

double missed_by(std::span<const PointGoal> goals, std::span<const Vec3> points) {
  double missed = 0;
  for (const PointGoal& goal : goals) missed = std::max(missed, distance(points[index(goal.point)], goal.target));
  return missed;
}

// Points from a goal's to the root.
std::vector<std::size_t> path_to(const std::vector<int>& parent, int point) {
  std::vector<std::size_t> path;
  for (int j = point; j >= 0; j = parent[index(j)]) path.push_back(index(j));
  std::reverse(path.begin(), path.end());
  return path;
}

// Passes along a line never leave it.
void bend_if_straight(const PointTree& tree, std::span<const PointGoal> goals, std::span<Vec3> points) {
  for (const PointGoal& goal : goals) {
    const std::vector<std::size_t> path = path_to(tree.parent, goal.point);
    const Vec3 line = normalized(goal.target - points[0]);
    double off = 0, length = 0;
    for (std::size_t k = 1; k < path.size(); ++k) {
      off = std::max(off, norm(cross(line, points[path[k]] - points[0])));
      length += tree.length[path[k]];
    }
    if (off > 1e-6 * length) continue;
    const Vec3 side = any_perpendicular(line) * (0.01 * length);
    for (std::size_t k = 1; k + 1 < path.size(); ++k)
      points[path[k]] += side * std::sin(3.14 * static_cast<double>(k) / static_cast<double>(path.size() - 1));
  }
}

// Stretches the chain to a goal that it cannot reach.
bool stretched(const PointTree& tree, const PointGoal& goal, std::span<Vec3> points) {
  const std::vector<std::size_t> path = path_to(tree.parent, goal.point);
  double length = 0;
  for (std::size_t k = 1; k < path.size(); ++k) length += tree.length[path[k]];
  if (distance(points[0], goal.target) < length) return false;
  const Vec3 line = normalized(goal.target - points[0]);
  for (std::size_t k = 1; k < path.size(); ++k) points[path[k]] = points[path[k - 1]] + line * tree.length[path[k]];
  return true;
}

// Points that no goal leads go along with their parents.
struct Carried {
  std::size_t point;
  Vec3 from_parent;
};

std::vector<Carried> carried_points(const PointTree& tree, const Plan& plan, std::span<const Vec3> points) {
  std::vector<Carried> carried;
  for (std::size_t j = 1; j < points.size(); ++j)
    if (!plan.led[j]) carried.push_back({j, points[j] - points[index(tree.parent[j])]});
  return carried;
}

void carry(const PointTree& tree, std::span<const Carried> carried, std::span<Vec3> points) {
  for (const Carried& each : carried) points[each.point] = points[index(tree.parent[each.point])] + each.from_parent;
}

// The turn of joint j that brings its bones nearest to where the points of a backward pass want them.
Quat turned_to(const JointTree& tree, std::span<const int> children, const Plan& plan, const PlacedJoints& placed,
               std::size_t j, std::span<const Vec3> points) {
  Mat3 sum = Mat3::zero();
  int led = 0;
  Vec3 from, to;
  for (const int child : children) {
    if (!plan.led[index(child)]) continue;
    from = rotate(placed.rotation[j], tree.offset[index(child)]);
    to = points[index(child)] - placed.place[j];
    sum += outer(to, from);
    ++led;
  }
  return led < 2 ? shortest_turn(from, to) : closest_rotation(sum, shortest_turn(from, to));
}

void check_goals(std::span<const PointGoal> goals, std::size_t points) {
  for (const PointGoal& goal : goals)
    if (goal.point < 0 || index(goal.point) >= points)
      throw usage_error("A goal is for point " + std::to_string(goal.point) + " of " + std::to_string(points) + ".");
}

}  // namespace

FabrikResult fabrik(const PointTree& tree, std::span<const PointGoal> goals, const FabrikOptions& options,
                    std::span<Vec3> points) {
  check_goals(goals, points.size());
  const Plan plan = plan_of(tree, goals);
  const std::vector<Carried> carried = carried_points(tree, plan, points);
  FabrikResult result{0, missed_by(goals, points)};
  if (goals.size() == 1 && stretched(tree, goals[0], points)) {
    carry(tree, carried, points);
    return {1, missed_by(goals, points)};
  }
  bend_if_straight(tree, goals, points);
  BackwardPass backward(tree);
  const Vec3 root = points[0];
  while (result.iterations < options.iterations && result.missed > options.tolerance * plan.length) {
    backward.run(plan, points);
    points[0] = root;
    for (std::size_t j = 1; j < points.size(); ++j)
      if (plan.led[j]) points[j] = at_length(points[index(tree.parent[j])], points[j], tree.length[j]);
    result.missed = missed_by(goals, points);
    ++result.iterations;
  }
  carry(tree, carried, points);
  return result;
}

FabrikResult fabrik(const JointTree& tree, std::span<const PointGoal> goals, const FabrikOptions& options,
                    TreePose& pose) {
  check_tree(tree);
  const std::size_t n = tree.size();
  check_goals(goals, n);
  PointTree bones{tree.parent, std::vector<double>(n)};
  std::vector<std::vector<int>> children(n);
  for (std::size_t j = 1; j < n; ++j) {
    bones.length[j] = norm(tree.offset[j]);
    children[index(tree.parent[j])].push_back(static_cast<int>(j));
  }
  const Plan plan = plan_of(bones, goals);
  for (std::size_t j = 0; j < n; ++j) pose.local[j] = within_limits(tree, j, pose.local[j]);
  PlacedJoints placed;
  place_joints(tree, pose, placed);
  std::vector<Vec3> points = placed.place;
  bend_if_straight(bones, goals, points);
  BackwardPass backward(bones);
  FabrikResult result{0, missed_by(goals, placed.place)};
  TreePose trial = pose;
  while (result.iterations < options.iterations && result.missed > options.tolerance * plan.length) {
    backward.run(plan, points);
    place_joints(tree, trial, placed);
    for (std::size_t j = 0; j < n; ++j) {
      if (tree.parent[j] >= 0) {
        const std::size_t parent = index(tree.parent[j]);
        placed.place[j] = placed.place[parent] + rotate(placed.rotation[parent], tree.offset[j]);
        placed.rotation[j] = normalized(placed.rotation[parent] * trial.local[j]);
      }
      if (!plan.led[j] || children[j].empty()) continue;
      const Quat parent = tree.parent[j] < 0 ? Quat{} : placed.rotation[index(tree.parent[j])];
      const Quat turned = turned_to(tree, children[j], plan, placed, j, points) * placed.rotation[j];
      trial.local[j] = within_limits(tree, j, normalized(conjugate(parent) * turned));
      placed.rotation[j] = normalized(parent * trial.local[j]);
    }
    points = placed.place;
    ++result.iterations;
    if (const double missed = missed_by(goals, points); missed < result.missed) {
      result.missed = missed;
      pose = trial;
    }
  }
  return result;
}

}  // namespace sinew
