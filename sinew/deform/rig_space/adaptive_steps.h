// Adaptive step length for rig-space dynamics (left as future work by Hahn 2013, section 6).
#pragma once

#include <functional>
#include <span>

#include "sinew/deform/rig_space/rig_space_motion.h"

namespace sinew {

struct AdaptiveSteps {
  double tolerance = 5e-4;  // largest RigSpaceStatistics::step_error of a step, as a fraction of the height
  int most_halvings = 5;    // largest number of times that the longest step is halved
  int halvings = 0;         // halvings of the next step: kept from call to call
  int steps = 0;            // steps taken by the last call
};

// Writes the keyed parameters at `seconds` after the beginning of the interval.
using KeyedParameters = std::function<void(double seconds, std::span<double> p)>;

// Advances by `length` seconds in steps of length / 2^k. A step whose error is too large, or that fails, is rolled back
// and halved; after sufficiently smooth steps k decreases again. `p`: work space for all parameters. Throws
// simulation_error if even the shortest step fails.
void advance_adaptively(RigSpaceMotion& motion, const KeyedParameters& keyed, double length, std::span<double> p,
                        AdaptiveSteps& steps);

}  // namespace sinew
