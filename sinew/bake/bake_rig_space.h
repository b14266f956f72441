// Runs rig-space physics over a clip: values of the free parameters, and the surface that the rig makes of them.
#pragma once

#include <string>

#include "sinew/bake/bake_options.h"
#include "sinew/cook/prepare_rig_space.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/rig.h"

namespace sinew {

// Throws input_error where the clip of this name moves a free parameter; keys that leave it at rest are let be.
void refuse_keyed(const RigSpaceScene& scene, const RigAnimation& animation, const std::string& file, const std::string& clip);

// `animation`: the options' clip as parameters of scene.rig; null: the rest pose. The solver steps at the settings' rate;
// frames lie between steps, so that every frame rate samples one and the same motion. Throws input_error where a free
// parameter is keyed, unless its keys leave it at rest.
BakeResult bake_rig_space(const Character& character, const RigSpaceScene& scene, const RigSpaceSettings& settings,
                          const RigAnimation* animation, const BakeOptions& options, const Progress& progress = {});

}  // namespace sinew
