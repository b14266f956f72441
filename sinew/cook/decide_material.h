// What a look comes to in physical units for one character (docs/binding.md, From a look to physical units).
#pragma once

#include <vector>

#include "sinew/cook/prepare.h"

namespace sinew {

// Young's modulus, damping and frequency. `scene` and `body` are those of the base.
MaterialDecision decide_material(const FleshBase& base, const FleshScene& scene, const FleshBody& body,
                                 const FleshSettings& settings);

// Thin parts: springs under which they sag by a third of what the flesh does, whose sag this is, and ends of sheets by more;
// N/m per m^3.
std::vector<double> thin_springs(const FleshDescription& flesh, const FleshBase& base, double sag);

}  // namespace sinew
