// The examples of a fit, from files or simulated on the spot.
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/character/character.h"
#include "sinew/deform/surface/surface_motion.h"
#include "sinew/jobs/fit_file.h"

namespace sinew {

// One per FitJob::examples, at the model's steps; the report gets an entry for each, and notes. Throws Stopped where the
// user stops a simulation.
std::vector<SurfaceExample> read_fit_examples(const FitJob& job, Character& character, const SimulationSurface& surface,
                                              const SurfaceModel& model, const Progress& progress, FitReport& told);

}  // namespace sinew
