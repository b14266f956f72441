// Flesh in a control lattice whose steps may be of one of a few lengths, and change from one to another as it moves.
//
// A body is cooked for one step: its factors and matrices are those of one system. So there is a body for each length,
// and the state goes from one to the other by change_step().
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_flesh.h"

namespace sinew {

class VariableStepFlesh : public LatticeBodyMotion {
 public:
  virtual std::size_t steps() const = 0;
  virtual double step_of(std::size_t choice) const = 0;  // seconds
  virtual std::size_t choice() const = 0;

  // The steps that follow have this length. `before`: the bones one such step before the last state, rest space to
  // world, metres. Position and velocity of the body do not change.
  virtual void choose(std::size_t choice, std::span<const Affine> before) = 0;
};

// `bodies`: the same flesh cooked for different steps, by ascending step (cook_for_steps()). The first one begins. Throws
// usage_error where they are not.
std::unique_ptr<VariableStepFlesh> variable_step_flesh(std::vector<std::shared_ptr<const LatticeBody>> bodies);

// A cooked body and the same for twice its step, four times ... up to `longest` seconds.
std::vector<std::shared_ptr<const LatticeBody>> cook_for_steps(std::shared_ptr<const LatticeBody> body, double longest);

}  // namespace sinew
