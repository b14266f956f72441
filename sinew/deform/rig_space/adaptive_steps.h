// Steps of rig-space dynamics as short as the motion asks for (what Hahn 2013, section 6, leaves for later).
#pragma once

#include <functional>
#include <span>

#include "sinew/deform/rig_space/rig_space_motion.h"

namespace sinew {

struct AdaptiveSteps {
  double tolerance = 5e-4;  // of the height: RigSpaceStatistics::step_error that a step may have
  int most_halvings = 5;    // of the longest step
  int halvings = 0;         // of the step that is taken next: kept from call to call
  int steps = 0;            // taken by the last call
};

// Writes the keyed parameters at `seconds` after the span's begin.
using KeyedParameters = std::function<void(double seconds, std::span<double> p)>;

// Advances by `length` seconds in steps of length / 2^k each. A step that is too rough, or in which the numbers go
// wrong, is taken back and halved; after steps that are smooth enough k falls again. `p`: all parameters, as work
// space. Throws simulation_error where even the shortest step goes wrong.
void advance_adaptively(RigSpaceMotion& motion, const KeyedParameters& keyed, double length, std::span<double> p,
                        AdaptiveSteps& steps);

}  // namespace sinew
