// Offsets of normals and tangents for morph targets.
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

// Offsets of the unit tangents of `part` (per vertex, its own space), laid out like `position`, where normals get the
// offsets `normal`. A tangent goes with the displaced triangles around its vertex, is made orthogonal to the normal
// that results, and has unit length. Zero where no triangle around the vertex moves.
std::vector<float> tangent_offsets(const Part& part, std::span<const Vec3> tangents, std::span<const float> position,
                                   std::span<const float> normal);

}  // namespace sinew
