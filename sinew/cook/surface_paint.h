// Painted parameters of learned dynamic skinning, which replace the fitted ones.
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_model.h"

namespace sinew {

struct SurfacePaintReport {
  std::size_t vertices = 0;  // of the model, with at least one painted parameter
};

// Replaces the model's parameters where the parts of `surface` are painted (Part::fields). Vertices that a seam has
// split get the mean of the painted copies. Throws usage_error if `surface` is not the surface of `character` that the
// model was built from, and input_error if a painted number is beyond the range of its row (character/fields.h).
// Parameters that would be unstable are scaled when the model is cooked or loaded.
SurfacePaintReport apply_surface_paint(const Character& character, const SimulationSurface& surface,
                                       SurfaceModel& model);

}  // namespace sinew
