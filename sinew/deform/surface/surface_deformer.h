// The method `surface` (learned dynamic skinning) as a deformer: the run-time for engines moves the surface.
#pragma once

#include <memory>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/surface/surface_body.h"

namespace sinew {

inline constexpr Capabilities surface_obeys{.held = true, .loads = true};

// `surface`: the one that the model was made for; must outlive the result.
std::unique_ptr<Deformer> surface_deformer(std::shared_ptr<const OpenSurfaceModel> model,
                                           const SimulationSurface& surface);

}  // namespace sinew
