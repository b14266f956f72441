// Numbering of the vertices that are not held; systems of equations contain only these.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct FreeVertices {
  std::vector<int> number;  // per vertex: its number among the free ones, or -1 where it is held
  std::vector<int> vertex;  // per free vertex, increasing

  int count() const { return static_cast<int>(vertex.size()); }
};

// Throws usage_error for a held vertex that does not exist, or where none is free.
FreeVertices free_vertices(std::size_t vertices, std::span<const int> held);

// The values of the free vertices, three numbers each.
std::vector<double> gather(const FreeVertices& free, std::span<const Vec3> values);

// The positions (or coefficients) after the free vertices moved by `share` times a step with three numbers each.
std::vector<Vec3> moved_positions(std::span<const Vec3> positions, const FreeVertices& free,
                                  std::span<const double> step, double share);

}  // namespace sinew
