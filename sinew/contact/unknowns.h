// The points of a body (vertices of tetrahedra, functions of a lattice) that a step solves for.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/linalg/small.h"

namespace sinew {

// Numbering of the points that are solved for.
struct Unknowns {
  std::span<const int> of_point;  // point of the body -> unknown, or -1 if it follows the skeleton
  std::span<const int> point;     // unknown -> point, ascending

  std::size_t size() const { return point.size(); }
};

// Adds factor x to per_point; x has three numbers per unknown.
inline void add_unknowns(const Unknowns& unknowns, double factor, std::span<const double> x,
                         std::span<Vec3> per_point) {
  for (std::size_t u = 0; u < unknowns.size(); ++u)
    per_point[static_cast<std::size_t>(unknowns.point[u])] += factor * Vec3{x[3 * u], x[3 * u + 1], x[3 * u + 2]};
}

}  // namespace sinew
