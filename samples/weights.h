// Automatic skin weights by heat diffusion inside the solid: bones are warm, flesh conducts, and air
// between two limbs does not. After Baran and Popovic, "Automatic Rigging and Animation of 3D
// Characters" (SIGGRAPH 2007), section 4, with the diffusion in the volume instead of on the surface
// and distances measured through the flesh.
#pragma once

#include <array>
#include <string>
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

// Collects the bones of a skeleton. Sides are given on the left (+x) and mirrored.
class BoneList {
 public:
  explicit BoneList(const Skeleton& skeleton) : skeleton_(skeleton) {}
  void add(const std::string& joint, const Vec3& a, const Vec3& b, double radius);
  void add_pair(const std::string& joint, const Vec3& a, const Vec3& b, double radius);
  // A pair along the part of the segment from a to b that lies between two shares of it.
  void add_limbs(const std::string& joint, const Vec3& a, const Vec3& b, double from, double to, double radius);

  std::vector<Bone> bones;

 private:
  const Skeleton& skeleton_;
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
// Largest first; weights sum to one. skin_weights() gives four at most, which every player reads.
using Influences = std::array<Influence, 8>;

std::vector<Influences> skin_weights(const Surface& surface, const Solid& solid, const std::vector<Bone>& bones,
                                     const std::vector<Share>& shares, std::size_t joints, double cell);

}  // namespace sinew::samples
