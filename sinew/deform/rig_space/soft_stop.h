// A force that keeps a rig parameter within its range: none up to a share of it, then growing with the square.
#pragma once

namespace sinew {

struct SoftStop {
  double rest = 0, lower = 0, upper = 0;  // ranges, lengths from rest; 0: no stop on that side
  double begin = 0.75;                    // share of the range from which it acts
  double stiffness = 0;                   // its force at the end of the range over the range's length
};

struct SoftStopForce {
  double energy = 0, force = 0, stiffness = 0;  // derivatives of the energy by the parameter
};

// At a value of the parameter.
SoftStopForce soft_stop_force(const SoftStop& stop, double value);

}  // namespace sinew
