// How a clip is played over and over while somebody watches.
#pragma once

#include "sinew/bake/clip_end.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/session/playback.h"

namespace sinew::studio {

// How it ends, told from the rig's motion as a bake does. `travels`: as for clip_end().
ClipEnd live_ending(const Character& character, const SimulationSurface& surface, const Clip& clip, bool travels);

// The clip as a loop that leads into its own beginning. It begins where the clip does in each round that follows only
// as seen from `round`, which carries a round to the next.
Playback live_loop(const Character& character, const SimulationSurface& surface, const Clip& clip, const Affine& round);

}  // namespace sinew::studio
