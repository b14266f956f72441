// A model of a character's surface as fits come out, without a fit.
#pragma once

#include <memory>

#include "sinew/cook/surface/surface_scene.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/runtime_file.h"
#include "tests/bake/tube_character.h"

namespace sinew::test {

// As soft and as lightly damped as fits of jiggling flesh come out.
inline Scene jiggling_surface_model(const Character& character) {
  const SimulationSurface surface = simulation_surface(character);
  SurfaceModelOptions options;
  options.height = standing_height(surface.rest);
  SurfaceModel model = build_surface_model(character, surface, options);
  for (VertexParameters& p : model.parameters)
    p = {.alpha = 0.08, .beta = 0.3, .gamma = 0.05, .lambda = 0.1, .delta = 0.15};
  return surface_scene(
      std::make_shared<const CookedSurface>(prepare_surface(character, cook_runtime_file(model), "model")));
}

}  // namespace sinew::test
