// The examples of a fit, from files or simulated on the spot.
#pragma once

#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_motion.h"
#include "sinew/jobs/fit_file.h"

namespace sinew {

// How many of the examples are the job's; the exercise, where there is one, comes after them.
inline std::size_t performances(const FitJob& job) { return job.examples.size(); }

// One per FitJob::examples, at the model's steps; and the exercise, where the job asks for
// one; the report gets an entry for each, and notes. Throws Stopped where the
// user stops a simulation.
std::vector<SurfaceExample> read_fit_examples(const FitJob& job, Character& character, const SimulationSurface& surface,
                                              const SurfaceModel& model, const Progress& progress, FitReport& told);

}  // namespace sinew
