// Parameters of surface dynamics that somebody painted on the character, in place of those that were fitted.
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_model.h"

namespace sinew {

struct SurfacePaintReport {
  std::size_t vertices = 0;  // of the model that have at least one painted parameter
};

// What is painted on the parts of `surface` (Part::surface_paint) replaces the model's own; vertices that a seam has
// split get the mean of those copies that are painted. `surface` must be the one of `character` that the model was
// built of, else usage_error. Throws input_error where a painted number is out of the parameter's range: alpha, beta,
// gamma and delta from 0 to 1, lambda from 0 to 0.5. Steps stay stable: what cooks or loads a model scales what would
// not be.
SurfacePaintReport apply_surface_paint(const Character& character, const SimulationSurface& surface,
                                       SurfaceModel& model);

}  // namespace sinew
