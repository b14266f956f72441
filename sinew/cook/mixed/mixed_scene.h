// The scene (deform/scene.h) of a cooked mixed body. `settings` are those that prepare_mixed() was called with.
#pragma once

#include <memory>

#include "sinew/cook/mixed/mixed_settings.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/deform/scene.h"

namespace sinew {

Scene mixed_scene(std::shared_ptr<const CookedMixed> cooked, const MixedSettings& settings);

}  // namespace sinew
