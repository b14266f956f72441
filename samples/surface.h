// The surface of a sample: a closed manifold of triangles, wound counter-clockwise seen from outside.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sdf.h"
#include "sinew/linalg/small.h"

namespace sinew::samples {

using Index = std::uint32_t;
using Triangle = std::array<Index, 3>;

struct Surface {
  std::vector<Vec3> position;
  std::vector<Triangle> triangle;
  std::vector<std::uint8_t> region;  // one per triangle: index of its material
};

struct Quality {
  std::size_t vertices = 0, triangles = 0, islands = 0;
  double smallest_angle = 0;  // degrees
  Vec3 sharpest;              // centre of the triangle that has it
  double area = 0;            // square metres
};

// Throws simulation_error where the surface is not a closed manifold without handles or has a
// triangle that is degenerate or faces inward.
Quality verify(const Surface& surface, const Solid& solid);

// Zero set of the solid by marching tetrahedra (six to a cube of edge `cell`), which always gives a
// closed manifold.
Surface isosurface(const Solid& solid, double cell);

}  // namespace sinew::samples
