// Strain samples grouped by their functions: the samples in one cell of a lattice share its functions.
#pragma once

#include <vector>

#include "sinew/elastic/strain_samples.h"

namespace sinew {

struct SampleGroups {
  std::vector<std::vector<int>> functions;  // per group, ascending
  std::vector<std::vector<int>> samples;    // per group, ascending; every sample is in one group
};

// Sets of functions are processed by decreasing size. A set joins the smallest existing group that has all of its
// functions and at most twice as many: a part of a cell on which some of the cell's functions vanish joins the cell,
// but a small cell within the support of a large one does not. Deterministic.
SampleGroups group_by_functions(const StrainSamples& samples);

}  // namespace sinew
