// The filmstrip of a bake: the rig alone above, the same frames with flesh below.
#pragma once

#include "sinew/bake/recording.h"
#include "sinew/character/character.h"
#include "sinew/picture/filmstrip.h"

namespace sinew {

// World surfaces of all triangulated parts at a recorded frame, metres; with the recorded displacement
// of the simulated parts, and accessories along with them, where `flesh`.
PictureScene posed_scene(const Character& character, const Recording& recording, int frame, bool flesh);

// The liveliest frame of each of `count` equal spans of the recording, in which flesh is farthest from the rig, at least
// half a span after the one before: evenly spread frames would show the flesh at rest more often than not.
std::vector<int> liveliest_frames(const Recording& recording, int count);

// `frames` pictures a row, of the liveliest frames.
Filmstrip preview_filmstrip(const Character& character, const Recording& recording, int frames = 6);

}  // namespace sinew
