// Scenes (deform/scene.h) of what each method's own cook made, by the settings that it was made with.
#pragma once

#include <memory>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/mixed/mixed_settings.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/cook/rig_space/prepare_rig_space.h"
#include "sinew/cook/rig_space/rig_space_settings.h"
#include "sinew/cook/surface/prepare_surface.h"
#include "sinew/deform/scene.h"

namespace sinew {

Scene flesh_scene(std::shared_ptr<const FleshScene> cooked, const FleshSettings& settings);
Scene mixed_scene(std::shared_ptr<const MixedScene> cooked, const MixedSettings& settings);
Scene rig_space_scene(std::shared_ptr<const RigSpaceScene> cooked, const RigSpaceSettings& settings);
Scene surface_scene(std::shared_ptr<const SurfaceScene> cooked);

}  // namespace sinew
