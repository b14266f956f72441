// Fewer keys for the same motion: those of a clip that every joint's place can do without, within a bound.
#pragma once

#include <cstddef>

#include "sinew/character/clip.h"
#include "sinew/character/skeleton.h"

namespace sinew {

struct ReducedKeys {
  Clip clip;
  std::vector<int> joints;            // whose keys were thinned out, ascending
  std::size_t before = 0, after = 0;  // keys of all channels
  double farthest = 0;  // of any joint, or of the end of a last bone, from where the clip has it: file units, world
};

// `bound`: farthest that it may be, file units. The keys that stay keep their times and values to the bit, and the clip
// its ends. Joints that splines or steps move, morph weights and properties stay as they are. The distance is measured
// at the times of all keys and half-way between them.
ReducedKeys reduce_keys(const Skeleton& skeleton, const Clip& clip, double bound);

}  // namespace sinew
