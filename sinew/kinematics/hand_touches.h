// Hands that touch the body keep touching it when motion is carried to a body of another shape: a hand near the skin of
// trunk, head, legs or the other arm is led to the same place of the other body's skin (body_shape.h), which no joint
// angles know; hands that meet do so there.
#pragma once

#include "sinew/kinematics/body_shape.h"

namespace sinew {

struct HandTouches {
  int touching = 0;    // frames in which a hand touches
  double largest = 0;  // longest way by which a hand was led, as a share of the leg
};

// A body of the source, as it plays the clip.
struct TouchingBody {
  const RiggedBody& body;
  const AnatomicalFrames& frames;
  const BodyShape& shape;
};

// Changes the arms of `carried`, which is `clip` carried over with the feet in place. A hand closer to the skin than
// 0.05 legs is at the same distance from it, and hands up to 0.15 legs away follow less and less. Palms that are less
// than 0.1 legs apart stay as far apart, those up to 0.2 follow less and less. Hands that the motion turns keep their
// rotations. Motion without a skin does not tell what it touches, and front legs of bodies on all fours are no hands:
// both stay as they are.
HandTouches lead_touching_hands(const TouchingBody& source, const Clip& clip, const TouchingBody& target,
                                const BodyPoser& poser, TransferredMotion& carried);

}  // namespace sinew
