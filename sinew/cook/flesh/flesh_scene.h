// The scene (deform/scene.h) of cooked flesh. `settings` are those that prepare_flesh() was called with.
#pragma once

#include <memory>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/scene.h"

namespace sinew {

inline constexpr Capabilities flesh_obeys{.ground = true,
                                          .colliders = true,
                                          .held = true,
                                          .loads = true,
                                          .gravity = true,
                                          .stiffness = true,
                                          .damping = true,
                                          .shapes = true,
                                          .balls = true};

// `keys`: of FleshSettings::keys.
Scene flesh_scene(std::shared_ptr<const CookedFlesh> cooked, const FleshSettings& settings, TissueKeys keys = {});

}  // namespace sinew
