// Runs a character's flesh over a clip at the pace of the clock on the wall, and records what was seen of it (Capell
// 2004, section 4.9; docs/lattice_flesh.md, Real time).
#pragma once

#include "sinew/bake/bake_options.h"
#include "sinew/base/progress.h"
#include "sinew/base/wall_clock.h"
#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/deform/scene.h"

namespace sinew {

// Bakes at the pace of the wall clock, with the shortest of the method's step lengths that this machine keeps up with.
// `speed` is simulated seconds per second on the wall, so that frames_per_second times `speed` frames are shown in a
// second. The result depends on the clock's readings, and on nothing else that differs from run to run. Throws what
// bake() throws, and usage_error for what cannot be done in real time.
BakeResult bake_real_time(const Character& character, const Scene& scene, const RigAnimation* controls,
                          const BakeOptions& options, double speed, const WallClock& clock,
                          const Progress& progress = {});

}  // namespace sinew
