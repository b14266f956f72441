// Tables of the measurements with control lattices.
#pragma once

#include <vector>

#include "studies/capell/adaptive.h"
#include "studies/capell/bend.h"
#include "studies/capell/bodies.h"
#include "studies/capell/head.h"
#include "studies/capell/limb.h"
#include "studies/capell/open_mouth.h"
#include "studies/capell/paint.h"
#include "studies/capell/two_forms.h"
#include "studies/common/table.h"

namespace sinew {

Table lattice_bend_table(const std::vector<LatticeBendRun>& runs);
// Errors are relative to `converged_sag`, metres.
Table limb_table(const std::vector<LimbRow>& rows, double converged_sag);
Table head_table(const HeadExperiment& experiment);
Table adaptive_table(const AdaptiveExperiment& experiment);
Table mouth_table(const std::vector<MouthRow>& rows);
Table bodies_table(const BodiesExperiment& experiment);
// All experiments in one table, for files.
Table bodies_table(const std::vector<BodiesExperiment>& experiments);
Table paint_table(const PaintExperiment& experiment);
Table two_forms_table(const std::vector<TwoFormsRow>& rows);

}  // namespace sinew
