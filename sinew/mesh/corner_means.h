// Values of tetrahedra from values at their vertices.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Per tetrahedron, the mean of value(vertex) over its corners.
template <class Value>
std::vector<double> corner_means(const TetrahedralMesh& mesh, const Value& value) {
  std::vector<double> result;
  result.reserve(mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) {
    double sum = 0;
    for (const int v : t) sum += value(static_cast<std::size_t>(v));
    result.push_back(sum / 4);
  }
  return result;
}

}  // namespace sinew
