// What each bone carries of the skin, as far as skin weights and shapes tell: the evidence that an anatomy is found by.
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// The region of a bone is the skin that follows it more than any other bone.
struct BoneRegion {
  double area = 0;         // square metres
  double firmness = 0;     // mean over the region of how much of its weight is this bone's, up to 1
  Vec3 centre;             // rest space, metres
  Vec3 spread;             // standard deviations along its own axes, falling: metres
  double branch_area = 0;  // of the region and those of all bones below this one
  int branch_depth = 0;    // links of the longest chain below: bones that carry a thousandth of the skin or more
  int twin = -1;  // a bone with a region of the same size and shape elsewhere, as of a left and a right hand; or -1
};

struct BoneRegions {
  std::vector<BoneRegion> bones;           // per bone of the surface
  std::vector<std::vector<int>> children;  // per bone
  double area = 0;                         // of the whole skin
};

BoneRegions bone_regions(const SimulationSurface& surface);

}  // namespace sinew
