// Keeps simulated time beside the clock on the wall (Capell 2004, section 4.9), where steps have one of a few lengths
// that are prepared beforehand.
//
// The caller works in rounds, each of some steps and one display:
//
//   pace.begin_round(now);
//   while (pace.step_is_due()) { take a step of pace.step(); pace.stepped(now); }
//   show it, or earlier, and then pace.shown(now);
//   pace.end_round(now);          // here, and only here, the length of steps may change
//   wait until pace.next_round();
//
// What the pace decides follows from the clock readings alone.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace sinew {

struct RealTimeOptions {
  double speed = 1;          // simulated seconds per second on the wall
  double display_rate = 60;  // rounds per second, at most
  double reserve = 0.1;      // share of the time that is kept free
  double reluctance = 1.25;  // shorter steps are taken again where they would fit in with this factor to spare
  double dwell = 0.25;       // simulated seconds between two changes of the step, but for a machine that is too slow
};

class RealTimePace {
 public:
  // `steps`: simulated seconds, ascending and positive, at least one. The shortest are taken first.
  RealTimePace(std::vector<double> steps, const RealTimeOptions& options, double now);

  void begin_round(double now);
  // Whether simulated time is a step behind the clock of the round's beginning, and the display can wait for it.
  bool step_is_due() const;
  void stepped(double now);
  // What was shown amid the round, up to now, is no part of the next step.
  void shown(double now);
  void end_round(double now);

  std::size_t choice() const { return choice_; }
  double step() const { return steps_[choice_]; }  // simulated seconds
  // Seconds since the start, and what they are after one more step: counted in shortest steps, so that nothing adds up.
  double simulated() const { return done_ * steps_[0]; }
  double after_step() const { return (done_ + step() / steps_[0]) * steps_[0]; }
  double next_round() const { return next_round_; }                         // on the wall's clock
  double seconds_in_round() const { return last_reading_ - round_start_; }  // at the last reading

  // Simulated time that is behind the clock by more than the longest two steps, or two displays where they are longer,
  // is not made up for: the simulation has then run slow for so long.
  int times_behind() const { return times_behind_; }
  double seconds_behind() const { return seconds_behind_; }  // simulated, all of them together

  const std::vector<double>& steps() const { return steps_; }
  // Of steps, by length: how many were taken.
  const std::vector<int>& steps_taken() const { return taken_; }

  // The length that wall_clock_step() is asked for: simulated seconds that steps must have at least for the machine to
  // keep up, where one takes `step_cost` seconds on the wall and a round `round_cost` beside its steps.
  static double needed_step(double step_cost, double round_cost, const RealTimeOptions& options);

 private:
  // The median of the last few measurements: a hiccup is not a load.
  class Recent {
   public:
    void add(double value);
    void clear() { count_ = 0; }
    bool known() const { return count_ >= 3; }
    double median() const;

   private:
    std::array<double, 9> value_{};
    std::size_t count_ = 0;  // ever added
  };

  void choose();

  std::vector<double> steps_;
  RealTimeOptions options_;
  std::size_t choice_ = 0;
  double origin_;       // on the wall's clock: when simulated time was zero, had it always kept up
  double done_ = 0;     // shortest steps
  double changed_ = 0;  // simulated time then
  double target_ = 0;   // simulated time that this round is to reach
  double round_start_, last_reading_, next_round_;
  double last_step_end_;  // or the round's start
  double amid_ = 0;       // seconds between the round's steps, spent on showing
  int round_steps_ = 0;
  Recent step_cost_, round_cost_;
  std::vector<int> taken_;
  int times_behind_ = 0;
  double seconds_behind_ = 0;
};

}  // namespace sinew
