// Number of a lattice's basis functions that a step can solve for within a given time on this machine.
#pragma once

#include <cstddef>
#include <memory>

#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

// Measured with a few steps of the body, its `bones` bones shaken together, by bisection over the number of functions.
// At least the number of functions of the coarsest level. The result depends on the machine and its load, but the
// simulation depends on the number alone: runs that must agree are given the number instead of a budget.
int functions_within(double milliseconds, const std::shared_ptr<LatticeBody>& body, std::size_t bones);

}  // namespace sinew
