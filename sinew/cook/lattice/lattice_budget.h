// How many functions of a lattice's basis a step may solve for within a given time, on this machine.
#pragma once

#include <cstddef>
#include <memory>

#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

// Measured by a few steps of the body, shaken by `bones` bones as a whole, with counts that halve the range each time.
// At least those of the coarsest level. The count depends on the machine and its day; what follows from a count does
// not, so that runs which must be the same are given the count.
int functions_within(double milliseconds, const std::shared_ptr<LatticeBody>& body, std::size_t bones);

}  // namespace sinew
