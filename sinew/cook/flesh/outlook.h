// How much of a character's flesh is seen in a motion, and what another softness would make of it: estimates in
// milliseconds, as looks are decided by (amount.h).
#pragma once

#include <string>
#include <vector>

#include "sinew/cook/flesh/prepare.h"

namespace sinew {

inline constexpr double visible_share = 0.003;  // of the longest side: less motion of the flesh nobody notices

// Metres, in the one clip of `motion`: the 95th percentile over the skin of the largest distance from the rig, if the
// flesh sagged by `sag`, metres.
double would_be_seen(const CookedFlesh& scene, const SampledMotion& motion, double sag, double damping_ratio);

// Names of the character's clips, of those that the scene has sampled, in which the flesh as it is is seen to move.
std::vector<std::string> clips_with_visible_flesh(const CookedFlesh& scene);

// An option with which flesh would be seen, of `animate`, and how much of it: a share of the longest side.
struct SofterOption {
  std::string option;  // "--look lively", "--young 1200"; empty: not even far softer flesh would be
  double seen = 0;
};

// `measured`: what is seen of the flesh as it is, a share of the longest side; estimates are taken in proportion to it.
SofterOption find_softer(const CookedFlesh& scene, const FleshSettings& settings, const SampledMotion& motion,
                         double measured);

// Share of the skin's vertices that are rigid things.
double rigid_share(const CookedFlesh& scene);

// Why hardly any flesh is seen to move in the one clip of `motion`, and what would change that: the end of a sentence,
// with its stop. `measured`: as above.
std::string why_little_is_seen(const CookedFlesh& scene, const FleshSettings& settings, const SampledMotion& motion,
                               double measured);

}  // namespace sinew
