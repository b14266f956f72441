// Material presets, the values behind the looks: softness and damping relative to the character's size, so that small
// and large characters move alike in proportion.
#pragma once

#include "sinew/cook/flesh/flesh_settings.h"

namespace sinew {

inline constexpr double standard_gravity = 9.81;  // metres per second squared

struct MaterialPreset {
  double sag = 0;                // under the flesh's own weight, as a share of the height
  double damping = 0;            // ratio to critical at the flesh's own frequency
  double visible_amplitude = 0;  // in the character's own clips, as a share of the longest side
  double largest_amplitude = 0;  // the same, in its liveliest clip: of tissue that stiffens
};

MaterialPreset material_preset(Look look);

// Frequency, hertz, of a pendulum with the look's sag: sqrt(g / sag) / 2 pi. `height` in metres.
double preset_frequency(Look look, double height);

}  // namespace sinew
