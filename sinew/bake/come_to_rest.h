// Flesh that comes to rest with its clip.
#pragma once

#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/linalg/small.h"

namespace sinew {

// 0 until `seconds` before the end, from there to 1 at the end with no speed and no acceleration at both.
double share_before_end(double time, double end, double seconds);

// Over the last `seconds` of the recording, displacements fade into those of the first frame, turned as `turn` turns
// the first pose into the last one; no speed is left at the end. Nothing changes where they come within `tolerance` of
// that by themselves, metres. `curves`: values per frame, or none.
void come_to_rest(const Mat3& turn, double seconds, double tolerance, Recording& recording,
                  std::vector<double>& curves);

}  // namespace sinew
