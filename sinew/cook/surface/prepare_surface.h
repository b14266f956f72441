// From a character and a fitted model to what moves it by that model.
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
  SurfaceModel description;  // as its file has it, in the order of the surface's vertices
  std::shared_ptr<const OpenSurfaceModel> model;
  double height = 0;  // metres
};

// `file`: a model as cook_runtime_file makes it; `name`: its own, for messages. Throws input_error where it is not
// sound, or was fitted to another character: other parts, bones, or another shape at rest.
CookedSurface prepare_surface(const Character& character, std::span<const std::byte> file, const std::string& name);

}  // namespace sinew
