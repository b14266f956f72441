// Springs to the rig's shape that keep flesh within its displacement limits, as stiff as the character's own clips
// require. Used where a look decides the softness. The display clamp (displacement_limits()) then only acts in
// unusually lively clips.
#pragma once

#include <vector>

#include "sinew/cook/flesh/prepare.h"

namespace sinew {

// Spring stiffness per body vertex, N/m per m^3, nonzero where flesh of this overall sag (metres) would swing
// beyond its limit in most clips. A point whose swing is r times its reach (reach_of()) gets r - 1 times its own
// stiffness, rho g / sag, which reduces the swing to the reach. `surface` and `body` are those of the base.
std::vector<double> hold_within_limits(const FleshBase& base, const SimulationSurface& surface, const FleshBody& body,
                                       double sag, double damping_ratio);

}  // namespace sinew
