// The scene (deform/scene.h) of a model that prepare_surface() opened.
#pragma once

#include <memory>

#include "sinew/cook/surface/prepare_surface.h"
#include "sinew/deform/scene.h"

namespace sinew {

Scene surface_scene(std::shared_ptr<const CookedSurface> cooked);

}  // namespace sinew
