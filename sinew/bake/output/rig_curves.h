// The result of rig-space physics: curves of the free parameters, which an animator edits like any others. For keyed
// parameters they are offsets from the keys.
#pragma once

#include <vector>

namespace sinew {

struct RigCurves {
  int clip = -1;                // index into Character::clips; -1: the rest pose
  std::vector<int> parameters;  // indices of the rig's free parameters
  std::vector<double> times;    // one per frame, seconds, clip time
  std::vector<double> values;   // frames x parameters, in the parameters' own units: offsets (rig/offset_rig.h)
};

}  // namespace sinew
