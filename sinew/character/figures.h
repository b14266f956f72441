// Several characters in one file. Each is a figure: a connected skeleton and its skin. Sizes, limits and amounts
// of motion are measured per figure.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Index of each part's figure; -1 for parts without a skin. The figure that encloses the largest volume in the default
// pose is 0.
std::vector<int> figures_of_parts(const Character& character);

// The volume that the triangles enclose, with holes closed towards their centre; cubic units of the positions.
double volume_about_middle(std::span<const Vec3> positions, std::span<const Triangle> triangles);

}  // namespace sinew
