// The skin that each bone carries, measured from skin weights and shapes: the evidence from which an anatomy is found.
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// A bone's region: the skin that follows it more than any other bone.
struct BoneRegion {
  double area = 0;         // square metres
  double firmness = 0;     // mean over the region of this bone's share of the weight, 0 to 1
  Vec3 centre;             // rest space, metres
  Vec3 spread;             // standard deviations along the region's principal axes, descending; metres
  double branch_area = 0;  // area of the region and of those of all bones below, square metres
  // Number of links of the longest chain below that consists of bones with at least a thousandth of the skin.
  int branch_depth = 0;
  int twin = -1;  // a bone whose region has the same size and shape elsewhere, such as the other hand; -1: none
};

struct BoneRegions {
  std::vector<BoneRegion> bones;           // per bone of the surface
  std::vector<std::vector<int>> children;  // per bone
  double area = 0;                         // area of the whole skin, square metres
};

BoneRegions bone_regions(const SimulationSurface& surface);

}  // namespace sinew
