// A fit that can be stopped and gone on with.
#pragma once

#include <span>

#include "sinew/deform/surface/fit/held_out.h"
#include "sinew/jobs/fit_file.h"

namespace sinew {

// fit_with_held_out(), or fit_surface() where nothing can be held out or the scheme is not the gradient's; from the
// job's checkpoint where it is to be resumed and there is one. Where it is stopped, the checkpoint is written. Throws
// input_error where the checkpoint is another fit's.
SurfaceFitResult fit_or_resume(const FitJob& job, SurfaceModel& model, std::span<SurfaceExample> examples,
                               HeldOut& held_out, const Progress& progress);

}  // namespace sinew
