#include "sinew/session/real_time_pace.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/elastic/wall_clock_step.h"

namespace sinew {
namespace {

// Of a step: what rounding leaves of a sum of steps.
constexpr double rounding = 1e-6;

}  // namespace

RealTimePace::RealTimePace(std::vector<double> steps, const RealTimeOptions& options, double now)
    : steps_(std::move(steps)),
      options_(options),
      origin_(now),
      cycle_start_(now),
      last_reading_(now),
      next_cycle_(now),
      last_step_end_(now),
      taken_(steps_.size(), 0) {
  if (!(options.speed > 0 && std::isfinite(options.speed)))
    throw usage_error("real time: the speed must be positive, as simulated seconds per second.");
  if (!(options.display_rate > 0 && std::isfinite(options.display_rate)))
    throw usage_error("real time: the display's rate must be positive, per second.");
  bool ascending = !steps_.empty() && steps_[0] > 0;
  for (std::size_t k = 1; k < steps_.size(); ++k) ascending = ascending && steps_[k] > steps_[k - 1];
  if (!ascending || !std::isfinite(steps_.back())) throw usage_error("real time: steps must be positive and ascend.");
}

void RealTimePace::begin_cycle(double now) {
  last_reading_ = std::max(now, last_reading_);
  cycle_start_ = last_reading_;
  cycle_steps_ = 0;
  last_step_end_ = cycle_start_;
  display_time_ = 0;
  const double most = 2 * std::max(steps_.back(), options_.speed / options_.display_rate);
  target_ = options_.speed * (cycle_start_ - origin_);
  const double lost = target_ - simulated() - most;
  if (!(lost > rounding * step())) return;
  ++times_behind_;
  seconds_behind_ += lost;
  origin_ += lost / options_.speed;
  target_ = simulated() + most;
}

bool RealTimePace::step_is_due() const {
  // Time of displaying in between does not count: it is spent in any case.
  const double stepping = last_step_end_ - cycle_start_ - display_time_;
  const bool shown_too_late = cycle_steps_ > 0 && stepping >= 1 / options_.display_rate;
  return !shown_too_late && after_step() <= target_ + rounding * steps_[0];
}

void RealTimePace::stepped(double now) {
  const double reading = std::max(now, last_reading_);
  step_cost_.add(reading - last_reading_);
  display_time_ += last_reading_ - last_step_end_;
  last_reading_ = last_step_end_ = reading;
  done_ += step() / steps_[0];
  ++cycle_steps_;
  ++taken_[choice_];
}

void RealTimePace::shown(double now) { last_reading_ = std::max(now, last_reading_); }

void RealTimePace::end_cycle(double now) {
  last_reading_ = std::max(now, last_reading_);
  if (cycle_steps_ > 0) cycle_cost_.add(display_time_ + (last_reading_ - last_step_end_));
  next_cycle_ = cycle_start_ + 1 / options_.display_rate;
  choose();
}

double RealTimePace::needed_step(double step_cost, double cycle_cost, const RealTimeOptions& options) {
  const double display = 1 / options.display_rate, free = 1 - options.reserve - cycle_cost / display;
  // Several steps per display interval, or else one step per cycle of any length.
  const double several = free > 0 ? options.speed * step_cost / free : HUGE_VAL;
  if (several <= options.speed * display) return several;
  return options.speed * (step_cost + cycle_cost) / (1 - options.reserve);
}

void RealTimePace::choose() {
  if (!step_cost_.known() || !cycle_cost_.known()) return;
  WallClockLimits limits;
  limits.target_rate = 1 / steps_.front();
  limits.shortest_step = steps_.front();
  limits.longest_step = steps_.back();
  const auto fitting = [&](double factor) {
    const double needed = factor * needed_step(step_cost_.median(), cycle_cost_.median(), options_);
    const double wanted = wall_clock_step(step(), needed, limits) * (1 - rounding);
    return static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), wanted) - steps_.begin());
  };
  std::size_t chosen = fitting(1);
  if (chosen < choice_) {
    if (simulated() - changed_ < options_.dwell) return;
    chosen = std::min(fitting(options_.reluctance), choice_);
  }
  // State is carried over to a longer step only from so far back.
  if (chosen == choice_ || simulated() < steps_[chosen]) return;
  choice_ = chosen;
  changed_ = simulated();
  step_cost_.clear();
}

void RealTimePace::Recent::add(double value) { value_[count_++ % value_.size()] = value; }

double RealTimePace::Recent::median() const {
  std::array<double, 9> sorted = value_;
  const auto count = static_cast<std::ptrdiff_t>(std::min(count_, value_.size()));
  std::nth_element(sorted.begin(), sorted.begin() + count / 2, sorted.begin() + count);
  return sorted[static_cast<std::size_t>(count / 2)];
}

}  // namespace sinew
