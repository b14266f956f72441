// Triangulation of arbitrary polygons.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Appends n - 2 triangles of corner numbers, 0 to n - 1, which fill a polygon of n corners and keep its winding; none
// for fewer than three corners. Polygons may be concave, not planar (they are projected along their mean normal), touch
// themselves, and have repeated or collinear corners. Every corner is in a triangle, so that neighbours stay joined
// along every edge; triangles without area are made only where nothing else is left. The result is arbitrary where a
// polygon crosses itself. Takes n log n steps in practice: each round cuts off every other ear, so that no corner gets
// many triangles, and a grid finds corners inside an ear.
void triangulate_polygon(std::span<const Vec3> corners, std::vector<Triangle>& triangles);

}  // namespace sinew
