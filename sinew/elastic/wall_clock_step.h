// How long a step to take where simulation is to keep up with the clock on the wall (Capell 2004, section 4.9): as long
// as the last round of simulation and display took, within limits.
#pragma once

namespace sinew {

struct WallClockLimits {
  double target_rate = 60;         // steps per second where the machine keeps up: the display's, usually
  double longest_step = 1.0 / 15;  // seconds; beyond it the simulation runs slow rather than damped and coarse
  double shortest_step = 1e-4;     // seconds
  double most_change = 2;          // factor between one step and the next, against hiccups; > 1
};

// The next step in seconds, after a step of `previous` seconds that took `measured` seconds of wall-clock time with all
// that goes with it. A step that took less than 1 / target_rate is followed by a wait for the display, so that is the
// time that has passed then. What is not a positive number counts as unknown: a measurement as fast enough, a previous
// step as none. Never throws; the result is always within the limits.
double wall_clock_step(double previous, double measured, const WallClockLimits& limits = {});

}  // namespace sinew
