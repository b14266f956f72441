// A force that keeps a rig parameter within its range: zero up to a fraction of the range, then quadratic.
#pragma once

namespace sinew {

struct SoftStop {
  double rest = 0, lower = 0, upper = 0;  // lengths of the ranges from `rest`; 0: no stop on that side
  double begin = 0.75;                    // fraction of the range at which the stop begins
  double stiffness = 0;                   // force at the end of the range divided by the range's length
};

struct SoftStopForce {
  double energy = 0, force = 0, stiffness = 0;  // energy and its first two derivatives
};

// Evaluates the stop at a value of the parameter.
SoftStopForce soft_stop_force(const SoftStop& stop, double value);

}  // namespace sinew
