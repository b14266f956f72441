// Live playback of a clip in a loop.
#pragma once

#include "sinew/bake/clip_end.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/session/playback.h"

namespace sinew::studio {

// The clip's ending, by the rule that bakes use. `travels` as for clip_end().
ClipEnd live_ending(const Character& character, const SimulationSurface& surface, const Clip& clip, bool travels);

// The clip as a loop that leads into its own beginning. `round` is the transform from one cycle to the next.
Playback live_loop(const Character& character, const SimulationSurface& surface, const Clip& clip, const Affine& round);

}  // namespace sinew::studio
