// Moves a fitted surface model over a clip and records it (docs/surface_dynamics.md).
#pragma once

#include "sinew/bake/bake_options.h"
#include "sinew/cook/prepare_surface.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"

namespace sinew {

// By the run-time itself, as a game would: steps of the model's length, frames between two of them interpolated, so that
// one motion is seen at any frame rate.
// With `loop` the range is repeated until the flesh is cyclic.
BakeResult bake_surface(const Character& character, const SurfaceScene& scene, const BakeOptions& options,
                        const Progress& progress = {});

}  // namespace sinew
