#include "sinew/kinematics/graph/path_guide.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double least_progress = 0.1;         // share of the fastest clip's speed by which the point goes on
constexpr double look_ahead = 0.6;             // seconds that a body looks ahead to steer
constexpr double turn_seconds = 0.4;           // in which it would look there
constexpr double ease_seconds = 0.15;          // in which its turning changes
constexpr double slow_share_of_fastest = 0.1;  // of the fastest clip's speed; slower bodies do not turn

}  // namespace

double turn_between(const Vec3& from, const Vec3& to) {
  return std::atan2(from.z * to.x - from.x * to.z, from.x * to.x + from.z * to.z);
}

PathGuide::PathGuide(std::span<const FramedClip> clips, const GroundPath& path, const Vec3& forward, double steer,
                     double step, bool goes_on)
    : path_(path), forward_(forward), steer_(steer), step_(step) {
  for (const FramedClip& clip : clips) speeds_.push_back(clip.speed());
  fastest_ = *std::max_element(speeds_.begin(), speeds_.end());
  if (goes_on) least_ = least_progress * fastest_;
}

double PathGuide::follow(WalkState& state, const Vec3& before) const {
  const Vec3 place = state.body.place;
  const double along = dot(place - path_.at(state.way), path_.direction(state.way));
  state.way += std::clamp(along, least_ * step_, 2 * distance(place, before) + fastest_ * step_);
  if (state.frames <= counted_) state.error += squared_norm(place - path_.at(state.way));
  const double speed = speeds_[index(state.clip)];
  double wanted = 0;
  if (steer_ > 0 && speed > slow_share_of_fastest * fastest_) {
    const Vec3 goal = path_.at(state.way + look_ahead * speed) - place;
    wanted = std::clamp(turn_between(turned(state.facing, forward_), goal) / turn_seconds, -steer_, steer_) * step_;
  }
  state.turn += (wanted - state.turn) * (1 - std::exp(-step_ / ease_seconds));
  return state.turn;
}

}  // namespace sinew
