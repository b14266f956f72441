// How normals turn when a morph target moves the surface.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"

namespace sinew {

// Offsets of the unit normals of `part` (vertices x 3) for the position offsets `position`
// (vertices x 3, the part's own space) at weight one: each stored normal is turned by the smallest
// rotation that takes the area-weighted normal of its triangles to that of the moved triangles.
// Vertices that share position and normal (seams of texture coordinates) turn together. Zero where
// a vertex has no triangle of positive area.
std::vector<float> normal_offsets(const Part& part, std::span<const float> position);

}  // namespace sinew
