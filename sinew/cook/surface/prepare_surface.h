// Prepares a character and a fitted model for learned dynamic skinning.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_body.h"
#include "sinew/deform/surface/surface_model.h"

namespace sinew {

struct CookedSurface {
  SimulationSurface surface;
  SurfaceModel description;  // as its file says, in the order of the surface's vertices
  std::shared_ptr<const OpenSurfaceModel> model;
  double height = 0;  // metres
};

// `file` holds a model as cook_runtime_file() writes it, `name` is used in messages, and `along` is the setting. The
// model is as in the file; factors of its parameters are in the surface's fields (model_factors.h). Throws input_error
// if the file is invalid, or was fitted to another character: other parts, bones or rest shape.
CookedSurface prepare_surface(const Character& character, std::span<const std::byte> file, const std::string& name,
                              const std::string& along = "");

}  // namespace sinew
