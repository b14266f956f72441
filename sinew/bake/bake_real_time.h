// A bake at the pace of the wall clock, which records the frames that would have been displayed (Capell 2004, section
// 4.9; docs/lattice_flesh.md, Real time).
#pragma once

#include "sinew/bake/bake_options.h"
#include "sinew/base/progress.h"
#include "sinew/base/wall_clock.h"
#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/deform/scene.h"

namespace sinew {

// Uses the shortest step length of the method that this machine keeps up with. `speed` is simulated seconds per
// wall-clock second, so that frames_per_second times `speed` frames are displayed per second. The result depends on the
// clock's readings, but on nothing else that varies between runs. Throws what bake() throws, and usage_error for
// options that are impossible in real time.
BakeResult bake_real_time(const Character& character, const Scene& scene, const RigAnimation* controls,
                          const BakeOptions& options, double speed, const WallClock& clock,
                          const Progress& progress = {});

}  // namespace sinew
