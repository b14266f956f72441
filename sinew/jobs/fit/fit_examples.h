// Examples of a fit, read from files or simulated.
#pragma once

#include <vector>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/output/compare.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_motion.h"
#include "sinew/jobs/fit_file.h"

namespace sinew {

// Number of the job's own examples; the exercise, if there is one, follows them.
inline std::size_t performances(const FitJob& job) { return job.examples.size(); }

// The part of a clip that an example shows. Throws input_error if there is no clip, or it cannot be played.
BakeOptions example_range(const Character& character, const FitExample& example);

// The moving surface in an example's file.
Track example_track(const FitJob& job, const Character& character, const FitExample& example);

// One per FitJob::examples at the model's steps, followed by the exercise if the job asks for one. Adds an entry for
// each, and notes, to the report `told`. Throws Stopped if the user stops a simulation.
std::vector<SurfaceExample> read_fit_examples(const FitJob& job, Character& character, const SimulationSurface& surface,
                                              const SurfaceModel& model, const Progress& progress, FitReport& told);

}  // namespace sinew
