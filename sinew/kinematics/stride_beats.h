// When a body takes its steps in a clip that repeats: the times at which a foot is farthest forward.
#pragma once

#include <vector>

#include "sinew/character/clip.h"
#include "sinew/kinematics/anatomical_frames.h"

namespace sinew {

// Times in seconds of the clip, ascending from a first one at which the left foot is farthest forward; left and right
// alternate, so that their number is even. Feet count from the hips, so that walks in place have steps as well. Empty
// if the feet do not step: if there are none, if they swing by less than a fifth of the leg, or not in turn. `bones`
// must be complete.
std::vector<double> stride_beats(const Skeleton& skeleton, const BodyBones& bones, const AnatomicalFrames& frames,
                                 const Clip& clip);

}  // namespace sinew
