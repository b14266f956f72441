#include "sinew/session/real_time.h"

#include <span>
#include <vector>

namespace sinew {
namespace {

// Without memory, a display's time at once.
std::vector<double> lengths_of(const Session& session, const RealTimeOptions& options) {
  if (session.traits().step == 0) return {options.speed / options.display_rate};
  const std::span<const double> steps = session.deformer().steps();
  return {steps.begin(), steps.end()};
}

RealTimePace pace_of(const Session& session, double speed, double display_rate, double now) {
  RealTimeOptions options;
  options.speed = speed;
  options.display_rate = display_rate;
  return {lengths_of(session, options), options, now};
}

}  // namespace

RealTimePlayer::RealTimePlayer(Session& session, double speed, double display_rate, const WallClock& clock)
    : session_(session),
      clock_(clock),
      begin_(session.elapsed()),
      start_(clock.now()),
      now_(start_),
      pace_(pace_of(session, speed, display_rate, start_)) {
  session_.choose_step(pace_.choice());
}

void RealTimePlayer::step() {
  if (session_.traits().step > 0) session_.step();
  pace_.stepped(now());
}

bool RealTimePlayer::try_step(const Progress& goes_on, double interval) {
  if (session_.traits().step > 0 && !session_.try_step(goes_on, interval)) return false;
  pace_.stepped(now());
  return true;
}

double RealTimePlayer::shown() {
  pace_.shown(now());
  return pace_.seconds_in_cycle();
}

void RealTimePlayer::end_cycle() {
  pace_.end_cycle(now());
  session_.choose_step(pace_.choice());
}

void RealTimePlayer::wait() {
  clock_.wait_until(pace_.next_cycle());
  now();
}

}  // namespace sinew
