// The cells that a body is made of, for faces that draw them: which points are joined by edges, and where these are.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// World positions of the points, metres, after a step of a deformer of the scene: `displacements` are its points(),
// `bones` lead from rest space to the world. It may keep work space: one thread at a time.
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
