// Keeps simulated time in step with the wall clock (Capell 2004, section 4.9) by choosing among prepared step lengths.
//
// The caller works in cycles of some steps and one display:
//
//   pace.begin_cycle(now);
//   while (pace.step_is_due()) { take a step of pace.step(); pace.stepped(now); }
//   display (or within the loop, followed by pace.shown(now));
//   pace.end_cycle(now);          // the step length changes only here
//   wait until pace.next_cycle();
//
// Decisions depend on the clock readings alone.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace sinew {

struct RealTimeOptions {
  double speed = 1;          // simulated seconds per second on the wall
  double display_rate = 60;  // maximum cycles per second
  double reserve = 0.1;      // fraction of the time to keep free
  double reluctance = 1.25;  // shorten steps only if they would fit with this factor to spare
  double dwell = 0.25;       // least simulated seconds between changes, except when falling behind
};

class RealTimePace {
 public:
  // `steps`: step lengths in simulated seconds, positive and ascending, at least one. Starts with the shortest.
  RealTimePace(std::vector<double> steps, const RealTimeOptions& options, double now);

  void begin_cycle(double now);
  // Whether simulated time lags the cycle's start by a step and there is time for one before display.
  bool step_is_due() const;
  void stepped(double now);
  // Call after a display within the cycle, so that its time is not counted as step cost.
  void shown(double now);
  void end_cycle(double now);

  std::size_t choice() const { return choice_; }
  double step() const { return steps_[choice_]; }  // simulated seconds
  // Simulated seconds since the start, now and after one more step. Counted in shortest steps, so errors do not add up.
  double simulated() const { return done_ * steps_[0]; }
  double after_step() const { return (done_ + step() / steps_[0]) * steps_[0]; }
  double next_cycle() const { return next_cycle_; }                         // on the wall's clock
  double seconds_in_cycle() const { return last_reading_ - cycle_start_; }  // at the last reading

  // A lag of more than two of the longest steps, or two display intervals if longer, is dropped: the simulation has run
  // slow by that much.
  int times_behind() const { return times_behind_; }
  double seconds_behind() const { return seconds_behind_; }  // total dropped, simulated seconds

  const std::vector<double>& steps() const { return steps_; }
  // Number of steps taken, per length.
  const std::vector<int>& steps_taken() const { return taken_; }

  // Least step length, simulated seconds, with which the machine keeps up, for wall_clock_step(). `step_cost`: wall
  // seconds per step. `cycle_cost`: wall seconds per cycle without its steps.
  static double needed_step(double step_cost, double cycle_cost, const RealTimeOptions& options);

 private:
  // Median of the last few measurements, which ignores single outliers.
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
  double origin_;       // wall time at which simulated time was zero, had it always kept up
  double done_ = 0;     // shortest steps
  double changed_ = 0;  // simulated time of the last change of step length
  double target_ = 0;   // simulated time that this cycle is to reach
  double cycle_start_, last_reading_, next_cycle_;
  double last_step_end_;     // end of the last step, or the cycle's start
  double display_time_ = 0;  // seconds spent on display between the cycle's steps
  int cycle_steps_ = 0;
  Recent step_cost_, cycle_cost_;
  std::vector<int> taken_;
  int times_behind_ = 0;
  double seconds_behind_ = 0;
};

}  // namespace sinew
