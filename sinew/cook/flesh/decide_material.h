// What a look comes to in physical units for one character (docs/binding.md, From a look to physical units).
#pragma once

#include <span>
#include <vector>

#include "sinew/cook/flesh/prepare.h"

namespace sinew {

// Young's modulus, damping and frequency. `scene` and `body` are those of the base.
MaterialDecision decide_material(const FleshBase& base, const CookedFlesh& scene, const FleshBody& body,
                                 const FleshSettings& settings);

// How each sampled vertex of the base's motion swings where the flesh sags by `sag` on the whole, metres: in
// proportion. `hold`: of hold_within_limits(), or empty.
std::vector<Swing> sampled_swings(const FleshBase& base, const FleshBody& body, double sag,
                                  std::span<const double> hold = {});

// The sag that a look comes to with these motions, metres. `swings`: where the flesh sags by `sag`; `height` and
// `longest` side of the character, metres.
double sag_of_look(Look look, double height, double longest, const SampledMotion& motion, std::vector<Swing> swings,
                   double sag);

// Thin parts: springs under which they sag by a third of what the flesh does, whose sag this is, and ends of sheets by
// more; N/m per m^3.
std::vector<double> thin_springs(const FleshDescription& flesh, const FleshBase& base, double sag);

}  // namespace sinew
