// The result of rig-space physics: values of the free parameters over time, which an animator edits like any others.
// For parameters that the animator keyed they are offsets from the keys.
#pragma once

#include <vector>

namespace sinew {

struct RigCurves {
  int clip = -1;                // index into Character::clips
  std::vector<int> parameters;  // of the rig: those that physics moved
  std::vector<double> times;    // one per frame, seconds on the clip's own time line
  std::vector<double>
      values;  // frames x parameters, in the parameters' own units: offsets to what is keyed (rig/offset_rig.h)
};

}  // namespace sinew
