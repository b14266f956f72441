// A skeleton as a trunk, from the root to the head, with limbs on either side, found by names and by where the skin is.
// Characters have y up; names of sides tell where they look, and without any they look along z.
#pragma once

#include <vector>

#include "sinew/anatomy/bone_names.h"
#include "sinew/anatomy/bone_regions.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// Joints from one end to the other, and a limb's tip.
struct BoneChain {
  std::vector<int> bones;
  std::vector<Vec3> points;  // heads of the bones; of a limb then the tip, at least two
  std::vector<double> way;   // per point, metres from the first
  double from = 0;           // of a limb: where it leaves the trunk, as a share of the trunk's way
  int side = 0;              // as in BoneName

  double length() const { return way.back(); }
  Vec3 at(double metres) const;
  double nearest(const Vec3& p) const;  // metres of the way
};

struct BodyBuild {
  // `surface` has bones, and must outlive this.
  explicit BodyBuild(const SimulationSurface& surface);

  Vec3 forward() const { return cross(left, {0, 1, 0}); }
  const Vec3& head(int bone) const { return surface->bones[static_cast<std::size_t>(bone)].segments.front().head; }

  const SimulationSurface* surface;
  BoneRegions regions;
  Vec3 left{1, 0, 0};           // horizontal, of length 1
  double longest = 0;           // longest side of the character, metres
  std::vector<BoneName> names;  // per bone; legs are thighs and shins by what they carry
  BoneChain trunk;              // ends in the head's joint, if a bone is called so
  std::vector<BoneChain> limbs;
};

}  // namespace sinew
