// New keys within a window of a clip, whose other keys stay as they are to the bit.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/clip.h"
#include "sinew/character/skeleton.h"

namespace sinew {

// Times at which a path from `begin` to `end`, seconds, is sampled: both ends, `also`, and the clip's keys between them
// (of `joints`), with even steps where these are farther than 1/30 s apart.
std::vector<double> path_times(const Clip& clip, std::span<const int> joints, double begin, double end,
                               std::span<const double> also);

// Replaces the keys of a joint's channel from the first of `times` to the last. `values`: of rotation or translation,
// times.size() x components. A key that already has its value keeps its bits. Steps stay steps, and splines smooth
// ones: their new keys have the slopes that the channel had there, changed as the values are. A joint without such a
// channel gets one, which is at rest outside of the window. Outside of the keys next to the window the clip gives the
// same bits as before.
void put_keys(const Skeleton& skeleton, int joint, ChannelPath path, std::span<const double> times,
              std::span<const double> values, Clip& clip);

}  // namespace sinew
