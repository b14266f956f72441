// The cells of a simulated body as edges between points, for drawing.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Computes the world positions of the points, metres, from a deformer's points() (`displacements`) and the bones' rest
// space to world transforms. Not thread-safe: it may keep work space.
using PlaceCells =
    std::function<void(std::span<const Vec3> displacements, std::span<const Affine> bones, std::span<Vec3> places)>;

struct BodyCells {
  std::string kind = "none";  // lattice, tetrahedra, or none: the method has no cells
  std::size_t cells = 0, points = 0;
  std::vector<std::array<int, 2>> edges;  // pairs of points; those on the outside come first
  std::size_t outer = 0;                  // number of edges on the outside
  PlaceCells place{};                     // empty: the deformer's points are the positions themselves
};

}  // namespace sinew
