// Renders a coloured surface from the front, the side and the back into one picture.
#pragma once

#include <string>
#include <vector>

#include "sinew/files/png.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// `colors` are per vertex, linear RGB.
Image three_sides(const TriangleMesh& surface, const std::vector<Vec3>& colors, const std::string& label);

}  // namespace sinew
