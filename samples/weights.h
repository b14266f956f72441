// Automatic skin weights by heat diffusion inside the solid: bones are warm, flesh conducts, and air
// between two limbs does not. After Baran and Popovic, "Automatic Rigging and Animation of 3D
// Characters" (SIGGRAPH 2007), section 4, with the diffusion in the volume instead of on the surface
// and distances measured through the flesh.
#pragma once

#include <array>
#include <vector>

#include "skeleton.h"
#include "surface.h"

namespace sinew::samples {

// The part of the solid that moves with a joint: a capsule.
struct Bone {
  Index joint = 0;
  Vec3 a, b;
  double radius = 0;
};

// A soft share that a joint takes from what a vertex has: `strength` at the centre, falling to zero
// at the radii of an ellipsoid.
struct Share {
  Index joint = 0;
  Vec3 centre, radii;
  double strength = 0;
};

struct Influence {
  Index joint = 0;
  double weight = 0;
};
// Largest first; weights sum to one.
using Influences = std::array<Influence, 4>;

std::vector<Influences> skin_weights(const Surface& surface, const Solid& solid, const std::vector<Bone>& bones,
                                     const std::vector<Share>& shares, std::size_t joints, double cell);

}  // namespace sinew::samples
