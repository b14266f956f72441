// A look is a softness and a damping, relative to the character's size: small and large ones move alike in their own
// measure.
#pragma once

#include "sinew/cook/flesh/flesh_settings.h"

namespace sinew {

inline constexpr double standard_gravity = 9.81;  // metres per second squared

struct LookValues {
  double sag = 0;      // share of the height that flesh sags by under its own weight
  double damping = 0;  // ratio to critical at the flesh's own frequency
  double seen = 0;     // share of the longest side that the flesh is seen to move in the character's own clips
};

LookValues look_values(Look look);

// Hertz: of the pendulum that sags so far, sqrt(g / sag) / 2 pi, at this height (metres).
double look_frequency(Look look, double height);

}  // namespace sinew
