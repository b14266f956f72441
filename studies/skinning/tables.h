// Tables of the comparison of skinning.
#pragma once

#include <vector>

#include "studies/common/table.h"
#include "studies/skinning/comparison.h"

namespace sinew {

// One row per bend and family.
Table skinning_table(const SkinningComparison& comparison);

// One row per family, over all bends of all characters: worst and mean measures.
Table skinning_summary(const std::vector<SkinningComparison>& comparisons);

}  // namespace sinew
