// Runs flesh over a clip and records it (docs/flesh.md).
#pragma once

#include "sinew/bake/bake_options.h"
#include "sinew/cook/prepare.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"

namespace sinew {

// The solver steps at the body's fixed rate; frames between two steps are interpolated in the vertices'
// own frames, so that every frame rate samples one and the same motion.
BakeResult bake_flesh(const Character& character, const FleshScene& scene, const FleshSettings& settings,
                      const BakeOptions& options, const Progress& progress = {});

}  // namespace sinew
