// Fits that can be stopped and resumed.
#pragma once

#include <span>

#include "sinew/deform/surface/fit/held_out.h"
#include "sinew/jobs/fit_file.h"

namespace sinew {

// Calls fit_with_held_out(), or fit_surface() if nothing can be held out or the scheme is not gradient-based; continues
// from the job's checkpoint if it is to be resumed and exists. Writes the checkpoint if stopped. Throws input_error if
// the checkpoint belongs to another fit.
SurfaceFitResult fit_or_resume(const FitJob& job, SurfaceModel& model, std::span<SurfaceExample> examples,
                               HeldOut& held_out, const Progress& progress);

}  // namespace sinew
