// Runs a character's flesh over a clip and records where physics takes its surface: the one loop for every method.
//
// Solvers step at the scene's own rate; frames lie between steps, so that every frame rate samples one and the same
// motion.
#pragma once

#include "sinew/bake/bake_options.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/deform/scene.h"

namespace sinew {

// `controls`: the options' clip as parameters of the scene's rig; null for scenes without controls, and for the rest
// pose. Throws usage_error for what the settings let act and the method does not obey, simulation_error where the flesh
// is not what flesh can be (run_watch.h), input_error for a checkpoint that is damaged or another run's.
BakeResult bake(const Character& character, const Scene& scene, const RigAnimation* controls,
                const BakeOptions& options, const Progress& progress = {});

}  // namespace sinew
