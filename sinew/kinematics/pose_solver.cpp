#include "sinew/kinematics/pose_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/goal_rows.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// Singular values below this share of a goal's largest one count as zero: such directions stay free for lower goals.
constexpr double negligible = 1e-3;

constexpr double worthwhile = 0.999;  // share of the error below which another pose is taken

// The largest turn of a joint in one step, radians.
constexpr double largest_turn = 1;

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(double factor, std::span<const double> a, std::span<double> sum) {
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] += factor * a[i];
}

// Directions in the space of unknowns, orthonormal, that goals of higher priority have taken.
class TakenDirections {
 public:
  explicit TakenDirections(std::size_t unknowns) : unknowns_(unknowns) {}

  // Twice, since one pass of Gram and Schmidt leaves rounding of what it removes.
  void remove_from(std::span<double> row) const {
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t k = 0; k < count(); ++k) add(-dot(direction(k), row), direction(k), row);
  }
  void take(std::span<double> direction) {
    remove_from(direction);
    const double length = std::sqrt(dot(direction, direction));
    if (!(length > 0.5)) return;
    for (const double value : direction) values_.push_back(value / length);
  }

 private:
  std::size_t count() const { return values_.size() / unknowns_; }
  std::span<const double> direction(std::size_t k) const {
    return std::span(values_).subspan(k * unknowns_, unknowns_);
  }
  std::size_t unknowns_;
  std::vector<double> values_;
};

// Adds to `step` what goals of one priority ask for, beyond what `step` gives them already, within the free directions:
//   J' = J (I - P),   step += J'^T (J' J'^T + damping^2)^-1 (e - J step)
void add_step(const GoalRows& rows, TakenDirections& taken, std::vector<double>& step) {
  const std::size_t m = rows.count(), n = step.size();
  std::vector<double> free(rows.value), asked(m), gram(m * m);
  const auto row = [&](std::size_t i) { return std::span(free).subspan(i * n, n); };
  double error = 0;
  for (std::size_t i = 0; i < m; ++i) {
    asked[i] = rows.error[i] - dot(row(i), step);
    error += rows.error[i] * rows.error[i];
  }
  for (std::size_t i = 0; i < m; ++i) taken.remove_from(row(i));
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j <= i; ++j) gram[i * m + j] = dot(row(i), row(j));
  const SymmetricEigen eigen = symmetric_eigen(gram, m);
  const double largest = std::max(eigen.values.front(), 0.0);
  if (!(largest > 0)) return;
  // The damping is the distance that is left: careful steps far from the goal, quadratic convergence near it.
  const double damping = 0.1 * error;
  for (std::size_t k = 0; k < m; ++k) {
    const double square = eigen.values[k];
    if (!(square > negligible * negligible * largest)) break;
    std::vector<double> direction(n);
    for (std::size_t i = 0; i < m; ++i) add(eigen.vector(k)[i], row(i), direction);
    add(dot(eigen.vector(k), asked) / (square + damping), direction, step);
    for (double& value : direction) value /= std::sqrt(square);
    taken.take(direction);
  }
}

class PoseSearch {
 public:
  PoseSearch(const JointTree& tree, std::span<const PoseGoal> goals, const PoseSolverOptions& options, TreePose& pose)
      : tree_(tree), goals_(goals), options_(options), pose_(pose) {
    for (const PoseGoal& goal : goals) levels_[goal.priority].push_back(goal);
    for (const Vec3& offset : tree.offset) size_ += norm(offset);
    place_joints(tree, pose, placed_);
  }

  PoseSolution run() {
    std::vector<double> best;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      descend(level, best);
      best.push_back(error_of(level, placed_));
    }
    PoseSolution solution;
    solution.iterations = iterations_;
    for (const PoseGoal& goal : goals_) solution.missed.push_back(missed_by(tree_, goal, placed_));
    return solution;
  }

 private:
  std::span<const PoseGoal> goals_of(std::size_t level) const {
    return std::next(levels_.begin(), static_cast<std::ptrdiff_t>(level))->second;
  }

  double error_of(std::size_t level, const PlacedJoints& placed) const {
    double sum = 0;
    for (const PoseGoal& goal : goals_of(level)) {
      const double missed = goal.weight * missed_by(tree_, goal, placed);
      sum += missed * missed;
    }
    return std::sqrt(sum);
  }

  // Lowers the error of `level`, while those above it stay as low as they have become. Where the goal is missed, the
  // search may stand at a saddle, such as a straight limb that points at its target: it goes on from a pose a little
  // beside.
  void descend(std::size_t level, std::span<const double> best) {
    descend_from_here(level, best);
    for (int attempt = 1; attempt <= 3 && error_of(level, placed_) > options_.tolerance * size_; ++attempt) {
      const TreePose found = pose_;
      const double error = error_of(level, placed_);
      nudge(attempt);
      for (int pass = 0; pass < 8 && level > 0 && !holds(best, placed_); ++pass)
        take_step(level - 1, 1, pose_, placed_);
      descend_from_here(level, best);
      // A pose that is hardly nearer is not worth another twist of its joints.
      if (error_of(level, placed_) < worthwhile * error && holds(best, placed_)) continue;
      pose_ = found;
      place_joints(tree_, pose_, placed_);
    }
  }

  // Turns all joints a little, about axes that differ from joint to joint, and those with limits towards the middle of
  // their ranges, where they are free to go either way.
  void nudge(int attempt) {
    for (std::size_t j = 0; j < tree_.size(); ++j) {
      const double freedom = freedom_of(3 * j);
      if (freedom == 0) continue;
      const double angle = 2.4 * static_cast<double>(j + 1) * attempt;
      const Vec3 turn = Vec3{std::cos(angle), std::sin(1.7 * angle), std::sin(angle)} * (0.1 * attempt * freedom);
      Quat local = rotation_exponential(turn) * pose_.local[j];
      if (!tree_.limits.empty() && tree_.limits[j])
        local = slerp(local, middle_of(*tree_.limits[j]), 0.25 * attempt * freedom);
      pose_.local[j] = within_limits(tree_, j, local);
    }
    place_joints(tree_, pose_, placed_);
  }

  void descend_from_here(std::size_t level, std::span<const double> best) {
    double error = error_of(level, placed_), shorter = 1;
    for (int i = 0; i < options_.iterations && error > options_.tolerance * size_; ++i, ++iterations_) {
      TreePose trial = pose_;
      PlacedJoints placed = placed_;
      take_step(level, shorter, trial, placed);
      for (int pass = 0; pass < 4 && level > 0 && !holds(best, placed); ++pass) take_step(level - 1, 1, trial, placed);
      const double now = error_of(level, placed);
      if (now < error && holds(best, placed)) {
        const bool slow = error - now < 1e-7 * error;
        pose_ = trial;
        placed_ = placed;
        error = now;
        shorter = std::min(1.0, 2 * shorter);
        if (slow) return;
      } else if ((shorter /= 4) < 1e-4) {
        return;
      }
    }
  }

  bool holds(std::span<const double> best, const PlacedJoints& placed) const {
    for (std::size_t level = 0; level < best.size(); ++level)
      if (error_of(level, placed) > std::max(best[level], options_.tolerance * size_) * (1 + 1e-9)) return false;
    return true;
  }

  // A step for the goals of all levels down to `last`. Where a limit stops a joint, its way into the limit is blocked
  // and the others take the step anew.
  void take_step(std::size_t last, double shorter, TreePose& pose, PlacedJoints& placed) const {
    std::vector<Vec3> blocked = blocked_axes(placed);
    for (int attempt = 0;; ++attempt) {
      std::vector<double> step(unknowns());
      TakenDirections taken(unknowns());
      for (std::size_t level = 0; level <= last; ++level) {
        GoalRows rows = goal_rows(tree_, goals_of(level), placed);
        block(blocked, rows);
        scale_columns(rows);
        add_step(rows, taken, step);
      }
      for (std::size_t k = 0; k < step.size(); ++k) step[k] *= freedom_of(k);
      TreePose moved = pose;
      const bool stopped = move(step, shorter, placed, moved, attempt < 3 ? &blocked : nullptr);
      if (stopped && attempt < 3) continue;
      pose = moved;
      place_joints(tree_, pose, placed);
      return;
    }
  }

  // Axes about which joints cannot turn at all, such as the two others of a hinge; three places for each joint.
  std::vector<Vec3> blocked_axes(const PlacedJoints& placed) const {
    std::vector<Vec3> blocked(3 * tree_.size());
    for (std::size_t j = 0; j < tree_.limits.size(); ++j) {
      if (!tree_.limits[j]) continue;
      const Quat parent = tree_.parent[j] < 0 ? Quat{} : placed.rotation[index(tree_.parent[j])];
      const std::array<Vec3, 3> axes = fixed_axes(*tree_.limits[j], conjugate(parent) * placed.rotation[j]);
      for (std::size_t k = 0; k < 3; ++k) blocked[3 * j + k] = rotate(parent, axes[k]);
    }
    return blocked;
  }

  std::size_t unknowns() const { return 3 * tree_.size() + 3; }

  double freedom_of(std::size_t unknown) const {
    if (unknown >= 3 * tree_.size()) return options_.root_freedom;
    return options_.freedom.empty() ? 1 : options_.freedom[unknown / 3];
  }

  // Steps are sought in unknowns divided by their freedom, so that the shortest one moves most what moves willingly.
  void scale_columns(GoalRows& rows) const {
    for (std::size_t i = 0; i < rows.count(); ++i)
      for (std::size_t k = 0; k < unknowns(); ++k) rows.value[i * unknowns() + k] *= freedom_of(k);
  }

  // Takes the blocked directions out of the turns that a row of the Jacobian knows.
  void block(std::span<const Vec3> blocked, GoalRows& rows) const {
    for (std::size_t j = 0; j < tree_.size(); ++j)
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& way = blocked[3 * j + k];
        if (way == Vec3{}) continue;
        for (std::size_t i = 0; i < rows.count(); ++i) {
          double* turn = &rows.value[i * unknowns() + 3 * j];
          const double along = turn[0] * way.x + turn[1] * way.y + turn[2] * way.z;
          for (std::size_t axis = 0; axis < 3; ++axis) turn[axis] -= along * way[axis];
        }
      }
  }

  // Moves a pose by a step, within the limits. Where `blocked` is given, ways into limits are added to it. Returns
  // whether a limit was met by more than rounding.
  bool move(std::span<const double> step, double shorter, const PlacedJoints& placed, TreePose& pose,
            std::vector<Vec3>* blocked) const {
    double most = 0;
    for (std::size_t j = 0; j < tree_.size(); ++j)
      most = std::max(most, norm(Vec3{step[3 * j], step[3 * j + 1], step[3 * j + 2]}));
    const double factor = most > largest_turn ? shorter * largest_turn / most : shorter;
    bool stopped = false;
    for (std::size_t j = 0; j < tree_.size(); ++j) {
      const Vec3 turn = Vec3{step[3 * j], step[3 * j + 1], step[3 * j + 2]} * factor;
      if (turn == Vec3{}) continue;
      const Quat parent = tree_.parent[j] < 0 ? Quat{} : placed.rotation[index(tree_.parent[j])];
      const Quat wanted = normalized(rotation_exponential(rotate(conjugate(parent), turn)) * pose.local[j]);
      const Quat limited = within_limits(tree_, j, wanted);
      pose.local[j] = limited;
      const Vec3 beyond = rotate(parent, rotation_logarithm(wanted * conjugate(limited)));
      if (!(norm(beyond) > 1e-9)) continue;
      if (!blocked) continue;
      for (std::size_t k = 0; k < 3; ++k)
        if (Vec3& way = (*blocked)[3 * j + k]; way == Vec3{}) {
          Vec3 rest = beyond;
          for (std::size_t l = 0; l < k; ++l) rest -= (*blocked)[3 * j + l] * sinew::dot((*blocked)[3 * j + l], rest);
          if (norm(rest) > 1e-3 * norm(beyond)) way = normalized(rest), stopped = true;
          break;
        }
    }
    pose.root += Vec3{step[3 * tree_.size()], step[3 * tree_.size() + 1], step[3 * tree_.size() + 2]} * factor;
    return stopped;
  }

  const JointTree& tree_;
  std::span<const PoseGoal> goals_;
  const PoseSolverOptions& options_;
  TreePose& pose_;
  std::map<int, std::vector<PoseGoal>> levels_;
  double size_ = 0;  // length of all bones, metres
  int iterations_ = 0;
  PlacedJoints placed_;
};

}  // namespace

PoseSolution solve_pose(const JointTree& tree, std::span<const PoseGoal> goals, const PoseSolverOptions& options,
                        TreePose& pose) {
  check_tree(tree);
  if (pose.local.size() != tree.size())
    throw usage_error("A pose of " + std::to_string(pose.local.size()) + " rotations does not fit a tree of " +
                      std::to_string(tree.size()) + " joints.");
  if (!options.freedom.empty() && options.freedom.size() != tree.size())
    throw usage_error("A tree of " + std::to_string(tree.size()) + " joints needs as many freedoms, or none.");
  for (const PoseGoal& goal : goals)
    if (goal.kind != GoalKind::centre_of_mass && (goal.joint < 0 || index(goal.joint) >= tree.size()))
      throw usage_error("A goal is for joint " + std::to_string(goal.joint) + " of a tree of " +
                        std::to_string(tree.size()) + " joints.");
  for (std::size_t j = 0; j < tree.size(); ++j) pose.local[j] = within_limits(tree, j, pose.local[j]);
  return PoseSearch(tree, goals, options, pose).run();
}

}  // namespace sinew
