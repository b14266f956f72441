// The bake: runs a session over a clip and records how physics moves its surface. One loop serves all methods.
//
// Solvers step at the scene's own rate. Frames are sampled between steps, so that every frame rate samples the same
// motion.
#pragma once

#include "sinew/bake/bake_options.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/deform/scene.h"

namespace sinew {

// `controls` holds the options' clip as parameters of the scene's rig; null for scenes without controls and for the
// rest pose. Throws usage_error if the settings contain loads that the method does not support, simulation_error if the
// result is implausible (run_watch.h), and input_error if the checkpoint is damaged or belongs to another run.
BakeResult bake(const Character& character, const Scene& scene, const RigAnimation* controls,
                const BakeOptions& options, const Progress& progress = {});

}  // namespace sinew
