// Decides whether low-frequency modes of the body improve a fit, and which ones.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/surface/fit/fit_surface.h"

namespace sinew {

struct ModeOptions {
  int most = 8;           // largest number of modes
  double coupling = 0;    // SurfaceModel::mode_coupling
  SurfaceFitOptions fit;  // of the trial fit
};

// Adds to the model the modes of the body that the examples show, and subtracts them from the examples, so that the
// surface learns the rest. If a short trial fits the examples as well without modes, both stay unchanged. Returns a
// sentence about the result for the user. Throws Stopped.
std::string choose_modes(const CookedFlesh& flesh, const ModeOptions& options, SurfaceModel& model,
                         std::vector<SurfaceExample>& examples, const Progress& progress = {});

}  // namespace sinew
