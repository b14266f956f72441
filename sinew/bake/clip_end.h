// Decides from the rig's motion whether a clip continues into its own beginning.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

enum class Ending {
  elsewhere,  // in a different pose: a death, a jump up, sitting down
  at_rest,    // in its first pose, not as part of a cycle: an attack, a hit
  moving_on,  // in its first pose with the same velocities: a walk, a run, breathing
};

struct ClipEnd {
  Ending ending = Ending::elsewhere;
  std::string why;  // the reason, in a few words
  // Transform from the first pose to the last one: the identity, or a translation along the ground with a rotation
  // about the vertical. Metres, world.
  Affine travel;
};

// Number of samples taken of a clip of this length: 24 per second, at least 9 and at most 49.
int sample_count_of_clip(double seconds);

// `surface` holds the surface as the rig poses it, at samples `seconds` apart from the clip's beginning to its end,
// both included; metres, world, the same points each time. With `travels`, poses may also differ by a translation along
// the ground and a rotation about the vertical. docs/baking.md, Loops, gives the rule.
ClipEnd clip_end(std::span<const std::vector<Vec3>> surface, double seconds, bool travels);

// Samples this surface of the character over a whole clip, which must not have zero length.
ClipEnd clip_end(const Character& character, const SimulationSurface& surface, const Clip& clip, bool travels);

}  // namespace sinew
