// Whether a fit is better with low-frequency modes of the body, and with which.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/surface/fit/fit_surface.h"

namespace sinew {

struct ModeOptions {
  int most = 8;           // modes
  double coupling = 0;    // SurfaceModel::mode_coupling
  SurfaceFitOptions fit;  // of the trial
};

// Gives the model those modes of the scene's body that the examples show; the examples then are what is left for the
// surface to learn. Where a short trial says that the surface alone comes as near to the examples, both stay as they
// are. Returns what was found, a sentence for people. Throws Stopped.
std::string choose_modes(const CookedFlesh& scene, const ModeOptions& options, SurfaceModel& model,
                         std::vector<SurfaceExample>& examples, const Progress& progress = {});

}  // namespace sinew
