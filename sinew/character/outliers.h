// Outliers: data absurdly far from the rest, such as a vertex at 1e9 or a key at 1e30 from a faulty exporter. A body
// that reached that far would have no resolution left for the character.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"

namespace sinew {

// Points are sorted by distance from the middle, and those beyond a wide gap are outliers. Thin, long and scattered
// characters have no such gap.
struct OutlierCriterion {
  double surely = 0.5;      // fraction of the points, the nearest, that are never outliers
  double widest_gap = 100;  // widest gap before the next point, relative to the radius of the points within
  double farthest = 1e4;    // largest distance, relative to the radius of those that never are outliers
};

// Extent of a set of points, and its outliers.
struct Reach {
  double radius = 0;          // radius of the others around the middle (the median of each coordinate)
  std::vector<int> outliers;  // ascending
};

// Finds the outliers among finite positions, in any unit.
Reach find_reach(std::span<const Vec3> positions, const OutlierCriterion& criterion = {});

// Vertices of a character's surface (its skinned parts, or all if none is skinned) that are outliers in the default
// pose or in bind space.
struct OutlierVertices {
  int part = -1;              // index into Character::parts
  std::vector<int> vertices;  // ascending
};
std::vector<OutlierVertices> find_outlier_vertices(const Character& character);

// Finds vertices that are no outliers but lie over five times farther out than all others in the default pose, at most
// one in 200: a misplaced vertex, or an object put aside.
std::vector<OutlierVertices> find_far_vertices(const Character& character);

// Finds joints of a skin (indices into Skin::joints) bound at over 10,000 times the extent of its vertices or the scale
// of its other joints.
std::vector<int> find_outlier_joints(const Character& character, int skin);

// Vertices that a morph target moves by more than 10,000 times the radius of the part.
struct OutlierOffsets {
  int target = -1;            // index into Part::targets
  std::vector<int> vertices;  // ascending
};
std::vector<OutlierOffsets> find_outlier_offsets(const Part& part);

// Radius of the character's surface in the default pose, file units; 0 if it has none.
double reach_of(const Character& character);

// Finds channels of a clip that move a joint by more than 100,000 times `reach` (reach_of the character) or scale it by
// more than 100,000.
std::vector<int> find_outlier_channels(const Character& character, const Clip& clip, double reach);

}  // namespace sinew
