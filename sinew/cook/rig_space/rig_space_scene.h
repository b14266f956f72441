// The scene (deform/scene.h) of a cooked rig-space body. `settings` are those that prepare_rig_space() was called with.
#pragma once

#include <memory>

#include "sinew/cook/rig_space/prepare_rig_space.h"
#include "sinew/cook/rig_space/rig_space_settings.h"
#include "sinew/deform/scene.h"

namespace sinew {

Scene rig_space_scene(std::shared_ptr<const CookedRigSpace> cooked, const RigSpaceSettings& settings,
                      FixedKeys keys = {});

// Reads the keys of the settings. Throws input_error that names clip and parameter if they cannot be met.
FixedKeys read_fixed_keys(const CookedRigSpace& cooked, const RigSpaceSettings& settings);

}  // namespace sinew
