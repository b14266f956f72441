// Fast estimates (milliseconds) of the visible motion of flesh in a clip, and of the settings that would increase it.
// Uses the oscillators of visible_amplitude.h.
#pragma once

#include <string>
#include <vector>

#include "sinew/cook/flesh/prepare.h"

namespace sinew {

inline constexpr double visible_share = 0.003;  // share of the longest side; smaller motion of the flesh goes unnoticed

// Visible amplitude, metres, in the one clip of `motion` if the flesh sagged by `sag` metres: the 95th percentile over
// the skin of the largest distance from the rig.
double amplitude_at_sag(const CookedFlesh& flesh, const SampledMotion& motion, double sag, double damping_ratio);

// Names of the sampled clips in which the flesh, with its present softness, moves visibly.
std::vector<std::string> clips_with_visible_flesh(const CookedFlesh& flesh);

// An option of `animate` that makes the flesh move visibly, and the amplitude that it gives, as a share of the longest
// side.
struct SofterOption {
  std::string option;  // "--look lively", "--young 1200"; empty: even far softer flesh would not move visibly
  double amplitude = 0;
};

// Searches for that option. `measured` is the present visible amplitude, a share of the longest side; estimates are
// scaled to it.
SofterOption find_softer(const CookedFlesh& flesh, const FleshSettings& settings, const SampledMotion& motion,
                         double measured);

// Share of the skin's vertices that belong to rigid parts.
double rigid_share(const CookedFlesh& flesh);

// Reason why hardly any flesh moves visibly in the one clip of `motion`, and the remedy: the end of a sentence, with
// its full stop. `measured` is the present visible amplitude, a share of the longest side.
std::string explain_small_amplitude(const CookedFlesh& flesh, const FleshSettings& settings,
                                    const SampledMotion& motion, double measured);

}  // namespace sinew
