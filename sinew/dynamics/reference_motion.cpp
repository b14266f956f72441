#include "sinew/dynamics/reference_motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double samples_per_second = 120, most_samples = 36000;

}  // namespace

ReferenceMotion::ReferenceMotion(const Character& character, const Clip& clip, bool repeats,
                                 const CharacterLinks& links)
    : repeats_(repeats && clip.end > clip.start) {
  const double length = std::max(clip.end - clip.start, 1e-3);
  const auto count = static_cast<std::size_t>(std::clamp(std::ceil(length * samples_per_second), 1.0, most_samples));
  step_ = length / static_cast<double>(count);
  SamplingSpace space;
  Pose pose;
  for (std::size_t f = 0; f <= count; ++f) {
    sample(character.skeleton, &clip, clip.start + step_ * static_cast<double>(f), space, pose);
    poses_.push_back(pose_of_links(links.body, pose, character.metres_per_unit));
    if (f == 0) continue;
    for (std::size_t k = 0; k < links.body.size(); ++k)
      poses_[f].local[k] = nearer_quaternion(poses_[f].local[k], poses_[f - 1].local[k]);
  }
  find_ground(links);
  if (repeats_) give_travel(links);
  cycle_ = repeats_ ? level(poses_.back().root - poses_.front().root) : Vec3{};
}

void ReferenceMotion::find_ground(const CharacterLinks& links) {
  // The lowest skin of nearly all frames: a toe that a clip puts into the floor for a moment does not lower it.
  std::vector<double> lowest;
  PlacedJoints placed;
  for (const TreePose& pose : poses_) {
    place_joints(links.body.tree, pose, placed);
    lowest.push_back(lowest_point(links.body, placed));
  }
  std::sort(lowest.begin(), lowest.end());
  ground_ = lowest[lowest.size() / 20];
  if (!std::isfinite(ground_)) ground_ = 0;
}

// Where a foot that stands moves along the ground, the ground would have to move with it; the body goes the other way
// instead.
void ReferenceMotion::give_travel(const CharacterLinks& links) {
  const double small = 0.1 * links.height;
  if (norm(level(poses_.back().root - poses_.front().root)) > small) return;
  std::vector<Vec3> travel(poses_.size());
  PlacedJoints before, after;
  place_joints(links.body.tree, poses_[0], before);
  for (std::size_t f = 1; f < poses_.size(); ++f) {
    place_joints(links.body.tree, poses_[f], after);
    // Skin points of feet near the lowest one.
    double lowest = HUGE_VAL;
    const auto each_point = [&](const auto& visit) {
      for (std::size_t k = 0; k < links.body.size(); ++k)
        if (links.foot[k])
          for (const Vec3& point : links.body.skin_points[k])
            visit(before(static_cast<int>(k), point), after(static_cast<int>(k), point));
    };
    each_point([&](const Vec3& a, const Vec3& b) { lowest = std::min(lowest, std::max(a.y, b.y)); });
    Vec3 moved;
    double weight = 0;
    each_point([&](const Vec3& a, const Vec3& b) {
      const double near = std::exp(-(std::max(a.y, b.y) - lowest) / (0.01 * links.height));
      moved += near * level(b - a);
      weight += near;
    });
    travel[f] = travel[f - 1] - (weight > 0 ? moved / weight : Vec3{});
    std::swap(before, after);
  }
  // A body that stands sways; one that walks on the spot would leave it.
  if (norm(travel.back()) < 2 * small) return;
  given_travel_ = true;
  // Even speed: single steps are not exact enough for more.
  for (std::size_t f = 0; f < poses_.size(); ++f)
    poses_[f].root += travel.back() * (static_cast<double>(f) / static_cast<double>(poses_.size() - 1));
}

void ReferenceMotion::at(double time, ReferenceState& state) const {
  const auto last = poses_.size() - 1;
  double cycles = 0;
  const double length = seconds();
  if (repeats_) {
    cycles = std::floor(time / length);
    time -= cycles * length;
  }
  const bool stays = !repeats_ && time >= length;
  const double place = std::clamp(time / step_, 0.0, static_cast<double>(last));
  const std::size_t f = std::min(static_cast<std::size_t>(place), last - 1);
  const double share = place - static_cast<double>(f);
  const TreePose &a = poses_[f], &b = poses_[f + 1];
  state.pose.root = a.root + (b.root - a.root) * share + cycle_ * cycles;
  state.root_velocity = stays ? Vec3{} : (b.root - a.root) / step_;
  state.pose.local.resize(a.local.size());
  state.targets.resize(a.local.size());
  for (std::size_t k = 0; k < a.local.size(); ++k) {
    const Vec3 turn = rotation_logarithm(normalized(conjugate(a.local[k]) * b.local[k]));
    state.pose.local[k] = normalized(a.local[k] * rotation_exponential(turn * share));
    state.targets[k] = {state.pose.local[k], stays ? Vec3{} : turn / step_};
  }
}

}  // namespace sinew
