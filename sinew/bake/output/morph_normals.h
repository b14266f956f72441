// Offsets of normals for morph targets.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"

namespace sinew {

// Offsets of the unit normals of `part` (vertices x 3) for the position offsets `position` (vertices x 3, the part's
// own space) at weight one. Each stored normal is rotated by the smallest rotation that maps the area-weighted normal
// of its triangles to that of the moved triangles. Vertices that share position and normal (texture seams) are rotated
// alike. Zero at vertices without a triangle of positive area.
std::vector<float> normal_offsets(const Part& part, std::span<const float> position);

}  // namespace sinew
