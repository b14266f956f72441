// Measures the cost of steps and whether they keep up with the clock.
#pragma once

namespace sinew::studio {

struct StepMeter {
  double step_seconds = 0;      // wall time per step, smoothed
  double steps_per_second = 0;  // in the last second
  double behind = 0;            // seconds lost in the last second
  int counted = 0;
  double since = 0, lost_before = 0;
};

// Restarts the measurement.
void restart(StepMeter& meter, double now);
// Counts a step that took `seconds`; `lost` is the total lag since the pace began, seconds.
void count_step(StepMeter& meter, double seconds, double now, double lost);

}  // namespace sinew::studio
