// Polygons of any shape as triangles.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Appends n - 2 triangles of corner numbers, 0 to n - 1, which fill a polygon of n corners and keep its winding;
// nothing for fewer than three corners. Polygons may be concave, lie in no plane (they are looked at along their mean
// normal), touch themselves, and have corners that repeat or lie on a line. Every corner is in a triangle, so that
// neighbours stay joined along every edge; triangles without area come only where nothing else is left. Where a polygon
// crosses itself the triangles are what the corners allow. Takes n log n steps in practice: ears are cut off in rounds,
// each every other one, so that no corner gets many triangles, and what stands in an ear is found in a grid.
void triangulate_polygon(std::span<const Vec3> corners, std::vector<Triangle>& triangles);

}  // namespace sinew
