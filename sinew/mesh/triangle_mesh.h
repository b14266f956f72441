// A surface: vertex positions and triangles, counter-clockwise seen from outside.
#pragma once

#include <array>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

using Triangle = std::array<int, 3>;

struct TriangleMesh {
  std::vector<Vec3> positions;      // n, metres unless a function says otherwise
  std::vector<Triangle> triangles;  // m, indices into positions
};

}  // namespace sinew
