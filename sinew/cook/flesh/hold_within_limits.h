// What keeps flesh within its limits by itself, where a look decides how soft it is: springs to where the rig has it,
// as stiff as the character's own clips ask for. The limits of what is shown (displacement_limits()) are a last resort
// then, for clips that are livelier than most.
#pragma once

#include <vector>

#include "sinew/cook/flesh/prepare.h"

namespace sinew {

// Per vertex of the body, N/m per m^3: where the flesh of this sag (metres, on the whole) would swing farther than its
// limit in most clips. A point that swings by r of its reach (reach_of()) is held by as much as takes it there: its own
// stiffness, rho g over its sag, r - 1 times more. `surface` and `body` are those of the base.
std::vector<double> hold_within_limits(const FleshBase& base, const SimulationSurface& surface, const FleshBody& body,
                                       double sag, double damping_ratio);

}  // namespace sinew
