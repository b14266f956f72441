// The scene (deform/scene.h) of what prepare_surface() made.
#pragma once

#include <memory>

#include "sinew/cook/surface/prepare_surface.h"
#include "sinew/deform/scene.h"

namespace sinew {

Scene surface_scene(std::shared_ptr<const CookedSurface> cooked);

}  // namespace sinew
