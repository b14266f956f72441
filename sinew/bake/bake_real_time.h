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

// No step is longer than this, seconds: implicit steps of such a length damp all motion. Where they do not keep up the
// simulation runs slow.
inline constexpr double longest_real_time_step = 1.0 / 15;

// As bake(), with steps as long as the machine needs them, of the lengths that the method has. One display per frame of
// the result: frames_per_second times `speed` a second, where `speed` is simulated seconds per second on the wall. What
// comes out depends on the clock's readings, and on nothing else that differs from run to run. Throws what bake()
// throws, and usage_error for what cannot be done in real time.
BakeResult bake_real_time(const Character& character, const Scene& scene, const RigAnimation* controls,
                          const BakeOptions& options, double speed, const WallClock& clock,
                          const Progress& progress = {});

}  // namespace sinew
