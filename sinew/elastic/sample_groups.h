// Strain samples gathered by the functions on them: the pieces of one cell of a lattice, which share its functions.
#pragma once

#include <vector>

#include "sinew/elastic/strain_samples.h"

namespace sinew {

struct SampleGroups {
  std::vector<std::vector<int>> functions;  // per group, ascending
  std::vector<std::vector<int>> samples;    // per group, ascending; every sample is in one group
};

// A sample joins the first group that has all of its functions, in the order of falling sizes of the samples' sets:
// where a piece of a cell misses some of the cell's functions, it is with the others. Deterministic.
SampleGroups group_by_functions(const StrainSamples& samples);

}  // namespace sinew
