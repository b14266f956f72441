// What the experiments with control lattices measured, as tables.
#pragma once

#include <vector>

#include "sinew/bake/capell_proof/bend.h"
#include "sinew/bake/table.h"

namespace sinew {

Table lattice_bend_table(const std::vector<LatticeBendRun>& runs);

}  // namespace sinew
