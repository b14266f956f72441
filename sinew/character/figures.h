// Several characters in one file: each is a figure, a skeleton that hangs together and what it carries. Sizes, limits
// and amounts of motion are a figure's own, whatever stands beside it.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Per part of the character: the number of its figure, by skeletons whose joints hang together; -1 for parts without a
// skin. The figure that encloses most comes first, in the default pose.
std::vector<int> figures_of_parts(const Character& character);

// The volume that the triangles enclose, seen from their middle: cubic units of the positions.
double volume_about_middle(std::span<const Vec3> positions, std::span<const Triangle> triangles);

}  // namespace sinew
