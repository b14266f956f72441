// Step length for simulation in real time (Capell 2004, section 4.9): the time that the last cycle of simulation and
// display took, within limits.
#pragma once

namespace sinew {

struct WallClockLimits {
  double target_rate = 60;  // steps per second on a machine that is fast enough; usually the display's rate
  // Seconds. A machine that needs longer steps simulates slower than real time, instead of coarsely and overdamped.
  double longest_step = 1.0 / 15;
  double shortest_step = 1e-4;  // seconds
  double most_change = 2;       // largest factor between successive steps, against outliers; > 1
};

// The next step in seconds, after a step of `previous` seconds that took `measured` seconds of wall-clock time, display
// included. A step that took less than 1 / target_rate is followed by a wait for the display, so that 1 / target_rate
// passes. Values that are not positive numbers count as unknown: a measurement as fast enough, a previous step as none.
// Never throws; the result is always within the limits.
double wall_clock_step(double previous, double measured, const WallClockLimits& limits = {});

}  // namespace sinew
