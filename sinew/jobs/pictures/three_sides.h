// Renders coloured surfaces from the front, the side and the back into one picture.
#pragma once

#include <string>
#include <vector>

#include "sinew/files/png.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct ShownSurface {
  TriangleMesh surface;
  std::vector<Vec3> colors;  // per vertex, linear RGB
  std::string label;
};

// A row for each surface, all seen by one camera.
Image three_sides(const std::vector<ShownSurface>& rows);

}  // namespace sinew
