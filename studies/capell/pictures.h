// Pictures of the experiments with control lattices.
#pragma once

#include <vector>

#include "sinew/files/png.h"
#include "studies/capell/adaptive.h"
#include "studies/capell/bend.h"
#include "studies/capell/head.h"
#include "studies/capell/open_mouth.h"
#include "studies/capell/paint.h"

namespace sinew {

// One row per angle, with the linearisations side by side, coloured by change of volume.
Image lattice_bend_picture(const LatticeBar& bar, const std::vector<LatticeBendRun>& runs);

// The turned head with each linearisation; blue where the surface differs from the nonlinear one.
Image head_picture(const HeadExperiment& experiment);

// The opened mouth in each lattice; blue where it differs from the fine solution.
Image mouth_picture(const MouthExperiment& experiment);

// Frames of the uniform and the adaptive run; red where detail is in use.
Image adaptive_picture(const AdaptiveExperiment& experiment);

// A filmstrip of the shaken head: the rig, uniform material, painted material. Painted parts are blue if soft, red if
// stiff.
Image paint_picture(const PaintExperiment& experiment);

}  // namespace sinew
