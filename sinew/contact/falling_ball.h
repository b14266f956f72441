// Balls among the colliders that the flesh moves as it moves the flesh.
#pragma once

#include <cstddef>

#include "sinew/linalg/small.h"

namespace sinew {

// A ball during one step. Its collider stands where the ball would come without the flesh.
struct FallingBall {
  std::size_t collider = 0;  // number among the colliders
  double mass = 0;           // kilograms, positive
  Vec3 velocity;             // m/s, world, as the step ends without the flesh
};

// The effect of the flesh on a ball in one step.
struct BallPush {
  Vec3 displacement;  // metres, world, as the step ends
  Vec3 impulse;       // newton seconds, world, over the step
};

}  // namespace sinew
