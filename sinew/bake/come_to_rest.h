// Fades recorded flesh to rest at the end of its clip.
#pragma once

#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Smooth step that is 0 until `seconds` before the end and 1 at the end, with zero first and second derivatives at
// both.
double share_before_end(double time, double end, double seconds);

// Fades displacements over the last `seconds` of the recording into those of the first frame, rotated by `rotation`
// from the first pose to the last one; the speed at the end is zero. Changes nothing if the displacements come within
// `tolerance` metres of that by themselves. `curves` holds values per frame, or is empty.
void come_to_rest(const Mat3& rotation, double seconds, double tolerance, Recording& recording,
                  std::vector<double>& curves);

}  // namespace sinew
