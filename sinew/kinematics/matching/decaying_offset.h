// A difference that dies away: what a body does when motion goes over to another clip begins where the body is, with
// its velocity and acceleration, and is the clip's own after a time ("inertialisation", after Bollo 2018).
#pragma once

#include "sinew/linalg/small.h"

namespace sinew {

// A difference in three frames, the last of which is the present.
struct OffsetHistory {
  Vec3 before_that, before, now;
};

class DecayingOffset {
 public:
  DecayingOffset() = default;
  // Goes on from a difference with the velocity and acceleration of its last frames, and is 0 with both after `frames`:
  // the one polynomial of degree 5 that does.
  DecayingOffset(const OffsetHistory& history, double frames);

  // The difference so many frames after the present.
  Vec3 at(double frame) const;

 private:
  double frames_ = 0;
  Vec3 coefficients_[3];  // of (1 - t)^3, (1 - t)^3 t and (1 - t)^3 t^2, with t the share of the frames
};

}  // namespace sinew
