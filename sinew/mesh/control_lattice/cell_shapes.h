// Faces of the plain cells, counter-clockwise seen from outside; corners are numbered as in control_lattice.h.
#pragma once

#include <array>

namespace sinew {

inline constexpr std::array<std::array<int, 3>, 4> tetrahedron_faces{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};

inline constexpr std::array<std::array<int, 3>, 2> prism_triangles{{{0, 1, 2}, {3, 5, 4}}};
inline constexpr std::array<std::array<int, 4>, 3> prism_quadrilaterals{{{1, 0, 3, 4}, {2, 1, 4, 5}, {0, 2, 5, 3}}};

inline constexpr std::array<std::array<int, 4>, 6> hexahedron_faces{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

}  // namespace sinew
