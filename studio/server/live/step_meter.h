// What steps cost, and whether they keep up with the clock.
#pragma once

namespace sinew::studio {

struct StepMeter {
  double step_seconds = 0;      // of one, smoothed
  double steps_per_second = 0;  // in the last second
  double behind = 0;            // seconds that were lost in the last second
  int counted = 0;
  double since = 0, lost_before = 0;
};

// The pace begins anew.
void restart(StepMeter& meter, double now);
// One more, which took so many seconds; `lost`: seconds by which the pace is behind since it began.
void count_step(StepMeter& meter, double seconds, double now, double lost);

}  // namespace sinew::studio
