// Chooses the internal time step of flesh where the settings do not say (docs/time_stepping.md, Choosing the step).
#pragma once

#include <span>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/visible_amplitude.h"

namespace sinew {

// The use that steps of flesh are for.
enum class SteppedFor {
  sessions,  // hands may act at any time, in real time
  clips,     // played as they are
};

// Frequency, hertz, at which flesh swings where it swings most: the mean square over these swings, each weighted by the
// square of its sag. 0 where nothing sags.
double visible_frequency(std::span<const Swing> swings);

// The step, seconds: usual_step, or a half or a quarter of it where nonlinear flesh swings fast. For clips, where
// nothing but their own motion acts, it is longer where flesh swings slowly. `frequency`: of the whole flesh, hertz.
double decide_step(const FleshSettings& settings, double frequency, std::span<const Swing> swings, SteppedFor what);

}  // namespace sinew
