// Flesh in a control lattice with a variable time step, chosen from a few lengths.
//
// A body is cooked for one step length, since its factors and matrices are those of one system. There is one body per
// length, and change_step() converts the state between them.
#pragma once

#include <memory>
#include <vector>

#include "sinew/deform/lattice/lattice_flesh.h"

namespace sinew {

// Longest step that is chosen to keep up with real time, seconds; longer implicit steps damp all motion. Beyond it the
// simulation runs slower than real time.
inline constexpr double longest_real_time_step = 1.0 / 15;

// `bodies`: the same flesh cooked for different steps (cook_for_steps()), ascending, each a whole multiple of the
// first, with which the simulation begins. Throws usage_error if they are not.
std::unique_ptr<LatticeBodyMotion> variable_step_flesh(std::vector<std::shared_ptr<const LatticeBody>> bodies);

// Returns the body, and the same cooked for 2, 4, 8 ... times its step, up to `longest` seconds.
std::vector<std::shared_ptr<const LatticeBody>> cook_for_steps(std::shared_ptr<const LatticeBody> body, double longest);

}  // namespace sinew
