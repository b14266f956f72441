// Faces and edges of a tetrahedron.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "sinew/linalg/small.h"

namespace sinew {

// Corners of the face opposite each corner, counter-clockwise seen from outside where the volume is positive.
inline constexpr std::size_t outward_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

inline double longest_edge(const std::array<Vec3, 4>& corners) {
  double squared = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) {
      const double here = squared_norm(corners[i] - corners[j]);
      squared = here > squared ? here : squared;
    }
  return std::sqrt(squared);
}

}  // namespace sinew
