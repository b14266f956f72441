// Runs a session in real time (Capell 2004, section 4.9). If the method has several step lengths, longer steps are
// taken on slow machines; with a single one the simulation runs slow there.
//
//   RealTimePlayer player(session, 1, 60, steady_wall_clock());
//   for (;;) {
//     player.begin_cycle();
//     while (player.step_is_due()) player.step();
//     session.surface(positions);   // show them
//     player.end_cycle();
//     player.wait();
//   }
//
// For methods without memory, call session.go_to(player.elapsed()) before display in place of step().
#pragma once

#include "sinew/base/wall_clock.h"
#include "sinew/session/real_time_pace.h"
#include "sinew/session/session.h"

namespace sinew {

class RealTimePlayer {
 public:
  // Starts now, at the session's time. Session and clock must outlive the player. `speed`: simulated seconds per
  // second. `display_rate`: maximum cycles per second. Throws usage_error unless both are positive.
  RealTimePlayer(Session& session, double speed, double display_rate, const WallClock& clock);

  void begin_cycle() { pace_.begin_cycle(now_); }
  bool step_is_due() const { return pace_.step_is_due(); }
  void step();
  // Session::try_step(). Returns false where the step was given up, and is due as before.
  bool try_step(const Progress& goes_on, double interval);
  // Call after a display within the cycle, so that its time is not counted as step cost. Returns the cycle's seconds.
  double shown();
  // Ends the cycle. The step length changes only here.
  void end_cycle();
  void wait();              // sleeps until the next cycle
  void waited() { now(); }  // call before begin_cycle() in place of wait(), after waiting otherwise

  double elapsed() const { return begin_ + pace_.simulated(); }  // Session::elapsed() that is due
  double seconds() const { return now_ - start_; }               // wall time from the start to the last reading
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
