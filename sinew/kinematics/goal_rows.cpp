#include "sinew/kinematics/goal_rows.h"

#include "sinew/base/index.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// The goal less what the pose gives, in model space.
Vec3 error_of(const JointTree& tree, const PoseGoal& goal, const PlacedJoints& placed) {
  Vec3 error;
  switch (goal.kind) {
    case GoalKind::position:
      error = goal.target - placed(goal.joint, goal.point);
      break;
    case GoalKind::orientation:
      error = rotation_logarithm(goal.rotation * conjugate(placed.rotation[index(goal.joint)]));
      break;
    case GoalKind::centre_of_mass:
      error = goal.target - centre_of_mass(tree, placed);
  }
  return {error.x * goal.axes.x, error.y * goal.axes.y, error.z * goal.axes.z};
}

// The Jacobian of a goal: three rows of `unknowns` numbers.
class Rows {
 public:
  Rows(std::span<double> value, std::size_t unknowns) : value_(value), unknowns_(unknowns) {}

  // Turns w of a joint move by w x arm.
  void add_arm(std::size_t joint, const Vec3& arm) { add(3 * joint, transpose(cross_matrix(arm))); }
  void add(std::size_t first, const Mat3& block) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) value_[i * unknowns_ + first + j] += block(i, j);
  }
  void scale(const Vec3& factors) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < unknowns_; ++j) value_[i * unknowns_ + j] *= factors[i];
  }

 private:
  std::span<double> value_;
  std::size_t unknowns_;
};

void add_masses(const JointTree& tree, const PlacedJoints& placed, Rows& rows) {
  const std::size_t n = tree.mass.size();
  double whole = 0;
  std::vector<double> mass(n);  // of each joint with all below it, and their mass times centre
  std::vector<Vec3> moment(n);
  for (std::size_t j = n; j-- > 0;) {
    whole += tree.mass[j];
    mass[j] += tree.mass[j];
    moment[j] += tree.mass[j] * placed(static_cast<int>(j), tree.mass_centre[j]);
    if (tree.parent[j] < 0) continue;
    mass[index(tree.parent[j])] += mass[j];
    moment[index(tree.parent[j])] += moment[j];
  }
  for (std::size_t j = 0; j < n && whole > 0; ++j) rows.add_arm(j, (moment[j] - mass[j] * placed.place[j]) / whole);
}

}  // namespace

double missed_by(const JointTree& tree, const PoseGoal& goal, const PlacedJoints& placed) {
  return norm(error_of(tree, goal, placed));
}

GoalRows goal_rows(const JointTree& tree, std::span<const PoseGoal> goals, const PlacedJoints& placed) {
  const std::size_t unknowns = 3 * tree.size() + 3;
  GoalRows result{std::vector<double>(3 * goals.size()), std::vector<double>(3 * goals.size() * unknowns)};
  for (std::size_t g = 0; g < goals.size(); ++g) {
    const PoseGoal& goal = goals[g];
    Rows rows(std::span(result.value).subspan(3 * g * unknowns, 3 * unknowns), unknowns);
    if (goal.kind == GoalKind::centre_of_mass)
      add_masses(tree, placed, rows);
    else
      for (int j = goal.joint; j >= 0; j = tree.parent[index(j)])
        if (goal.kind == GoalKind::position)
          rows.add_arm(index(j), placed(goal.joint, goal.point) - placed.place[index(j)]);
        else
          rows.add(3 * index(j), Mat3::identity());
    if (goal.kind != GoalKind::orientation) rows.add(3 * tree.size(), Mat3::identity());
    const Vec3 error = error_of(tree, goal, placed) * goal.weight;
    rows.scale(goal.axes * goal.weight);
    for (std::size_t i = 0; i < 3; ++i) result.error[3 * g + i] = error[i];
  }
  return result;
}

}  // namespace sinew
