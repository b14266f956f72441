#include "studio/server/live/comparison.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

// Largest lag, seconds, that is made up at a time.
constexpr double most_at_once = 1;

const Scene& without_controls(const Scene& scene) {
  if (scene.follows_controls())
    throw usage_error("The method " + scene.method +
                      " moves the rig's own controls and cannot be compared live; choose another method.");
  return scene;
}

}  // namespace

Comparison::Comparison(std::shared_ptr<const OpenedCharacter> opened, std::shared_ptr<const Scene> scene,
                       WallClock clock)
    : opened_(std::move(opened)),
      scene_(std::move(scene)),
      clock_(std::move(clock)),
      session_(opened_->character, without_controls(*scene_), Playback{}),
      positions_(scene_->surface->rest.positions.size()) {}

void Comparison::play(const Playback& playback, double from) {
  session_.play(playback, from);
  copied_ = 0;
  counted_since_ = clock_.now();
  counted_ = 0;
}

void Comparison::copy_actions(const Take& take) {
  if (take.size() < copied_) copied_ = 0;  // the take was cleared meanwhile
  for (; copied_ < take.size(); ++copied_) {
    const Action& action = take[copied_].action;
    if (const auto needs = kind_of(action).needs; needs && !(session_.traits().can.*needs)) continue;
    try {
      session_.act(action);
    } catch (const Error&) {
      // The player has already reported this error.
    }
  }
  session_.forget_take();
}

void Comparison::choose_step(const Session& leader) {
  const std::size_t wanted = std::min(leader.deformer().chosen_step(), session_.deformer().steps().size() - 1);
  if (wanted != session_.deformer().chosen_step()) session_.choose_step(wanted);
}

void Comparison::follow(const Session& leader) {
  const double behind = leader.displayed_time() - session_.displayed_time();
  if (!(behind > 0)) return;
  copy_actions(leader.take());
  choose_step(leader);
  const double before = clock_.now();
  const std::int64_t steps = session_.steps();
  session_.advance(std::min(behind, most_at_once));
  const double now = clock_.now();
  if (session_.steps() == steps) return;
  // As many steps as the session asked for, whose own count is in shortest steps.
  const double length = session_.deformer().steps()[session_.deformer().chosen_step()];
  const double made =
      length > 0 ? std::max(1.0, static_cast<double>(session_.steps() - steps) * session_.traits().step / length) : 1;
  step_seconds_ += ((now - before) / made - step_seconds_) * (step_seconds_ == 0 ? 1 : 0.05);
  counted_ += static_cast<int>(made + 0.5);
  if (now - counted_since_ < 1) return;
  steps_per_second_ = counted_ / (now - counted_since_);
  counted_since_ = now;
  counted_ = 0;
}

std::span<const Vec3> Comparison::surface() {
  session_.surface(positions_);
  return positions_;
}

FrameMeasures Comparison::measures(std::span<const Vec3> by_rig) {
  FrameMeasures result;
  result.step_milliseconds = static_cast<float>(1e3 * step_seconds_);
  result.steps_per_second = static_cast<float>(steps_per_second_);
  const BodyMeasures body = session_.measure(session_.moment_at(session_.displayed_time()));
  result.energy = static_cast<float>(body.energy);
  result.volume = static_cast<float>(body.volume_ratio);
  double largest = 0;
  for (std::size_t v = 0; v < positions_.size(); ++v) largest = std::max(largest, distance(positions_[v], by_rig[v]));
  result.largest = static_cast<float>(largest);
  return result;
}

}  // namespace sinew::studio
