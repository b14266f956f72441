// Solids of any shape: the signed distance from a mesh, kept on a grid.
#pragma once

#include <memory>

#include "sinew/mesh/field_grid.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct SolidMesh {
  TriangleMesh surface;  // in a space of its own, metres
  FieldGrid distance;    // from the surface, metres, negative inside; reaches a little beyond it
  double lost = 0;       // share of the surface's area on parts that are too thin for the grid to tell, 0 to 1
};

// Inside is where the winding number is above 1/2 or, of a mesh that is inside out, below -1/2: overlapping pieces are
// one solid, and small holes are closed. Edges are rounded by about half a cell of the grid, which has about 250,000
// nodes. Null where nothing is inside, as of a flat sheet.
std::shared_ptr<const SolidMesh> solid_mesh(TriangleMesh surface);

// Distance and its gradient at any place. Beyond the grid, it grows by the distance from the grid.
FieldValue distance_from(const SolidMesh& solid, const Vec3& place);

}  // namespace sinew
