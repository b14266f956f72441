// Poses a mixed body over a clip and records it (docs/mixed_fem.md).
#pragma once

#include "sinew/bake/bake_options.h"
#include "sinew/cook/prepare_mixed.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"

namespace sinew {

// Every frame is solved by itself, at its own time, so that it depends neither on the frame rate nor on the frames
// before it. What is recorded is the difference between the surface that the body carries and the one that the rig's
// skin weights give, without the rig's own morph targets in both: those then act as they do on the rig. `loop` has no
// meaning here: poses that are the same give the same surface.
BakeResult bake_mixed(const Character& character, const MixedScene& scene, const MixedSettings& settings,
                      const BakeOptions& options, const Progress& progress = {});

}  // namespace sinew
