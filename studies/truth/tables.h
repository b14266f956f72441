// Tables of the experiments of docs/truth.md.
#pragma once

#include <vector>

#include "studies/common/table.h"
#include "studies/truth/truth.h"

namespace sinew {

Table truth_table(const std::vector<TruthExperiment>& experiments);
// Flesh of nonlinear elasticity.
Table nonlinear_flesh_table(const std::vector<TruthExperiment>& experiments);
Table truth_parts_table(const std::vector<TruthExperiment>& experiments);
Table truth_places_table(const std::vector<TruthExperiment>& experiments);  // three joints of each
Table other_truths_table(const std::vector<TruthExperiment>& experiments);
Table truth_methods_table(const std::vector<TruthExperiment>& experiments);

}  // namespace sinew
