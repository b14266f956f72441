// The similarity (translation, rotation, scale: seven numbers) that best takes points to others.
#pragma once

#include <span>

#include "sinew/linalg/small.h"

namespace sinew {

// Points of two bodies that correspond.
struct PointPair {
  Vec3 source, target;  // each in its body's own space, metres
};

// Minimises the squared distances between the moved source points and the target points (Umeyama 1991). A rotation that
// the points leave open, since they are on a line, is the least one; the scale of a single point is 1. Throws
// usage_error without points.
Affine similarity_fit(std::span<const PointPair> pairs);

}  // namespace sinew
