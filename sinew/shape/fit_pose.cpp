#include "sinew/shape/fit_pose.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/linalg/bounded/bounded_minimization.h"
#include "sinew/linalg/turns.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr std::size_t least_features = 3;
// Weight of squared turns, radians, and of the squared translation, relative to the height, beside squared distances
// relative to the height.
constexpr double keep = 1e-6;
constexpr double most_turn = 150 * std::numbers::pi / 180;
constexpr double most_translation = 2;    // heights
constexpr double negligible_turn = 0.05;  // degrees
constexpr BoundedMinimizationOptions pose_search{.iterations = 300, .evaluations = 600, .relative_decrease = 1e-9};

Mat3 rotation_by(const Vec3& r) { return to_matrix(rotation_exponential(r)); }

class PoseSearch {
 public:
  PoseSearch(const Character& character, const SimulationSurface& surface, const Pose& start,
             std::span<const PoseFeature> features)
      : character_(character), surface_(surface), features_(features), pose_(start), height_(standing_height(surface)) {
    const Skeleton& skeleton = character.skeleton;
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
      const int parent = skeleton.joints[j].parent;
      local_.push_back(parent < 0 ? start.world[j] : inverse(start.world[index(parent)]) * start.world[j]);
    }
    find_joints();
  }

  PoseFit fit() {
    std::vector<double> x(unknowns(), 0.0), lower(unknowns(), -most_turn), upper(unknowns(), most_turn);
    for (std::size_t k = 3 * joints_.size(); k < x.size(); ++k)
      lower[k] = -most_translation, upper[k] = most_translation;
    std::vector<double> gradient(unknowns());
    PoseFit fit;
    cost(x, gradient);
    fit.before = distance_;
    minimize_in_box([&](std::span<const double> at, std::span<double> slope) { return cost(at, slope); }, lower, upper,
                    x, pose_search);
    cost(x, gradient);
    fit.after = distance_;
    fit.pose = pose_;
    for (std::size_t k = 0; k < joints_.size(); ++k)
      if (const double degrees = norm(turn(x, k)) * 180 / std::numbers::pi; degrees > negligible_turn)
        fit.turns.push_back({joints_[k], degrees});
    return fit;
  }

 private:
  std::size_t unknowns() const { return 3 * joints_.size() + (moves_ ? 3 : 0); }
  static Vec3 turn(std::span<const double> x, std::size_t k) { return {x[3 * k], x[3 * k + 1], x[3 * k + 2]}; }

  // Joints of the bones from `joint` up to the first one.
  std::vector<int> bones_above(int joint) const {
    std::vector<int> path;
    for (; joint >= 0; joint = character_.skeleton.joints[index(joint)].parent)
      if (std::any_of(surface_.bones.begin(), surface_.bones.end(), [&](const Bone& b) { return b.joint == joint; }))
        path.push_back(joint);
    return path;
  }

  void find_joints() {
    std::optional<std::vector<int>> common_path;
    std::vector<char> used(local_.size(), 0);
    for (const PoseFeature& feature : features_) {
      const Influences& influences = surface_.influences[index(feature.vertex)];
      if (influences.count == 0) continue;
      int strongest = 0;
      for (int k = 1; k < influences.count; ++k)
        if (influences.weight[index(k)] > influences.weight[index(strongest)]) strongest = k;
      std::vector<int> path = bones_above(surface_.bones[index(influences.joint[index(strongest)])].joint);
      for (const int joint : path) used[index(joint)] = 1;
      std::reverse(path.begin(), path.end());
      if (!common_path) common_path = path;
      std::vector<int>& common = *common_path;
      const auto end = std::mismatch(common.begin(), common.end(), path.begin(), path.end()).first;
      common.erase(end, common.end());
    }
    std::vector<int> common = common_path.value_or(std::vector<int>{});
    if (!common.empty()) common.pop_back();  // the last one turns
    for (const int joint : common) used[index(joint)] = 0;
    moves_ = common.empty();
    for (const int joint : character_.skeleton.parents_first)
      if (used[index(joint)]) joints_.push_back(joint);
    place_.assign(local_.size(), -1);
    for (std::size_t k = 0; k < joints_.size(); ++k) place_[index(joints_[k])] = static_cast<int>(k);
  }

  void set_pose(std::span<const double> x) {
    const double unit = character_.metres_per_unit;
    for (const int joint : character_.skeleton.parents_first) {
      const int parent = character_.skeleton.joints[index(joint)].parent;
      Affine local = local_[index(joint)];
      const int k = place_[index(joint)];
      if (k >= 0) local.linear = local.linear * rotation_by(turn(x, index(k)));
      pose_.world[index(joint)] = parent < 0 ? local : pose_.world[index(parent)] * local;
      if (k == 0 && moves_) pose_.world[index(joint)].translation += (height_ / unit) * turn(x, joints_.size());
    }
  }

  double cost(std::span<const double> x, std::span<double> gradient) {
    set_pose(x);
    const std::vector<Affine> bones = bone_transforms(character_, surface_, pose_);
    const double share = 1 / (static_cast<double>(features_.size()) * height_ * height_);
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double sum = 0;
    for (const PoseFeature& feature : features_) {
      const Vec3& rest = surface_.rest.positions[index(feature.vertex)];
      const Influences& influences = surface_.influences[index(feature.vertex)];
      Vec3 away;
      linear_blend({&rest, 1}, {&influences, 1}, bones, {&away, 1});
      away -= feature.place;
      sum += squared_norm(away);
      for (int k = 0; k < influences.count; ++k)
        add_gradient(x, (2 * share * influences.weight[index(k)]) * away,
                     bones[index(influences.joint[index(k)])] * rest,
                     surface_.bones[index(influences.joint[index(k)])].joint, gradient);
    }
    distance_ = std::sqrt(sum / static_cast<double>(features_.size()));
    double value = share * sum;
    for (std::size_t k = 0; k < x.size(); ++k) {
      value += keep * x[k] * x[k];
      gradient[k] += 2 * keep * x[k];
    }
    return value;
  }

  // Adds the gradient of the share of a feature that the bone of `joint` carries, at `place`, world, metres. Turning a
  // joint of world frame M about w, in its own frame, moves it by M (w x M^-1 (place - joint)).
  void add_gradient(std::span<const double> x, const Vec3& by_place, const Vec3& place, int joint,
                    std::span<double> gradient) const {
    for (; joint >= 0; joint = character_.skeleton.joints[index(joint)].parent) {
      const int k = place_[index(joint)];
      if (k < 0) continue;
      const Affine& world = pose_.world[index(joint)];
      const Vec3 arm = inverse(world.linear) * (place - character_.metres_per_unit * world.translation);
      const Vec3 by_turn = transpose_times(rotation_right_jacobian(turn(x, index(k))),
                                           cross(arm, transpose_times(world.linear, by_place)));
      for (std::size_t axis = 0; axis < 3; ++axis) gradient[3 * index(k) + axis] += by_turn[axis];
      if (k == 0 && moves_)
        for (std::size_t axis = 0; axis < 3; ++axis) gradient[3 * joints_.size() + axis] += height_ * by_place[axis];
    }
  }

  const Character& character_;
  const SimulationSurface& surface_;
  std::span<const PoseFeature> features_;
  Pose pose_;
  double height_;
  std::vector<Affine> local_;  // per joint, of the start
  std::vector<int> joints_;    // that turn, parents first
  std::vector<int> place_;     // per joint: its place in joints_, or -1
  bool moves_ = false;         // the first of them moves as well
  double distance_ = 0;        // of the last cost()
};

}  // namespace

PoseFit fit_pose(const Character& character, const SimulationSurface& surface, const Pose& start,
                 std::span<const PoseFeature> features) {
  if (features.size() < least_features)
    throw usage_error("--feature: a pose needs at least " + std::to_string(least_features) + " features.");
  for (const PoseFeature& feature : features)
    if (feature.vertex < 0 || index(feature.vertex) >= surface.rest.positions.size() || !is_finite(feature.place))
      throw usage_error("--feature: a feature must be a vertex of the skin, and its place a number.");
  return PoseSearch(character, surface, start, features).fit();
}

}  // namespace sinew
