// Flesh in a control lattice whose steps may be of one of a few lengths, and change from one to another as it moves.
//
// A body is cooked for one step: its factors and matrices are those of one system. So there is a body for each length,
// and the state goes from one to the other by change_step().
#pragma once

#include <memory>
#include <vector>

#include "sinew/deform/lattice/lattice_flesh.h"

namespace sinew {

// No step that keeps up with the clock is longer than this, seconds: implicit steps of such a length damp all motion.
// Where they do not keep up the simulation runs slow.
inline constexpr double longest_real_time_step = 1.0 / 15;

// `bodies`: the same flesh cooked for different steps, by ascending step (cook_for_steps()), each a whole multiple of
// the first, which begins. Throws usage_error where they are not.
std::unique_ptr<LatticeBodyMotion> variable_step_flesh(std::vector<std::shared_ptr<const LatticeBody>> bodies);

// A cooked body and the same for twice its step, four times ... up to `longest` seconds.
std::vector<std::shared_ptr<const LatticeBody>> cook_for_steps(std::shared_ptr<const LatticeBody> body, double longest);

}  // namespace sinew
