// How a clip ends, told from the rig's motion alone: whether it goes on into its own beginning.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

enum class Ending {
  elsewhere,  // in another pose: a death, a jump up, sitting down
  at_rest,    // in the pose that it began in, but not on the way through it: an attack, a hit
  moving_on,  // in that pose, and with the speeds that it began with: a walk, a run, breathing
};

struct ClipEnd {
  Ending ending = Ending::elsewhere;
  std::string why;  // a few words for people
  // What carries the first pose to where the last one is: nothing, or a way along the ground and a turn about the
  // vertical. Metres, world.
  Affine travel;
};

// How many times of a clip of so many seconds are looked at: 24 a second, at least 9 and at most 49.
int looks_at_clip(double seconds);

// `surface`: where the rig has the surface at these times, evenly spread from the clip's beginning to its end, both
// included; `seconds` apart; metres, world, the same points each time. `travels`: whether a pose counts as the same
// wherever it stands. docs/baking.md, Loops, has the rule.
ClipEnd clip_end(std::span<const std::vector<Vec3>> surface, double seconds, bool travels);

// The same of all of a clip that is longer than nothing, by the rig's motion of this surface of the character.
ClipEnd clip_end(const Character& character, const SimulationSurface& surface, const Clip& clip, bool travels);

}  // namespace sinew
