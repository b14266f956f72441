// Flesh that comes to rest with its clip.
#pragma once

#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Over the last `seconds` before `end`, on the clip's time line, displacements fade into those of the first frame, turned
// as `turn` turns the first pose into the last one; no speed is left at the end. Nothing changes where they come within
// `tolerance` of that by themselves, metres. `curves`: values per frame, or none. Returns whether anything changed.
bool come_to_rest(const Mat3& turn, double end, double seconds, double tolerance, Recording& recording,
                  std::vector<double>& curves);

}  // namespace sinew
