// Strain samples gathered by the functions on them: the pieces of one cell of a lattice, which share its functions.
#pragma once

#include <vector>

#include "sinew/elastic/strain_samples.h"

namespace sinew {

struct SampleGroups {
  std::vector<std::vector<int>> functions;  // per group, ascending
  std::vector<std::vector<int>> samples;    // per group, ascending; every sample is in one group
};

// Sets of functions are taken by falling size. One joins the smallest group so far that has all of its functions and at
// most twice as many: a piece of a cell on which some of the cell's functions vanish is with the others, a small cell
// within the support of a large one is not. Deterministic.
SampleGroups group_by_functions(const StrainSamples& samples);

}  // namespace sinew
