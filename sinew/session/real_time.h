// A session at the pace of the clock on the wall (Capell 2004, section 4.9): steps are made when they are due, and as
// long as the machine needs them, where the method has steps of several lengths. With one length it runs slow where the
// machine does not keep up.
//
//   RealTimePlayer player(session, 1, 60, steady_wall_clock());
//   for (;;) {
//     player.begin_round();
//     while (player.step_is_due()) player.step();
//     session.surface(positions);   // show them
//     player.end_round();
//     player.wait();
//   }
//
// Methods without memory are not stepped: player.elapsed() is what to go to before they are shown.
#pragma once

#include "sinew/base/wall_clock.h"
#include "sinew/session/real_time_pace.h"
#include "sinew/session/session.h"

namespace sinew {

class RealTimePlayer {
 public:
  // Begins now, where the session is; both must outlive the player. `speed`: simulated seconds per second.
  // `display_rate`: rounds per second, at most. Throws usage_error where one of them is not positive.
  RealTimePlayer(Session& session, double speed, double display_rate, const WallClock& clock);

  void begin_round() { pace_.begin_round(now_); }
  bool step_is_due() const { return pace_.step_is_due(); }
  void step();
  // What was shown up to now took none of the next step's time. Seconds since the round began.
  double shown();
  // Here, and only here, the steps' length may change.
  void end_round();
  void wait();              // until the next round
  void waited() { now(); }  // for those who wait otherwise: before the next round begins

  double elapsed() const { return begin_ + pace_.simulated(); }  // as Session::elapsed()
  double seconds() const { return now_ - start_; }  // on the clock, from the beginning to the last look at it
  const RealTimePace& pace() const { return pace_; }

 private:
  double now() { return now_ = clock_.now(); }

  Session& session_;
  const WallClock& clock_;
  double begin_;        // elapsed
  double start_, now_;  // on the clock
  RealTimePace pace_;
};

}  // namespace sinew
