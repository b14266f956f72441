// Gradients of a tetrahedron's linear shape functions (its barycentric coordinates).
#pragma once

#include <array>
#include <cstddef>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct ShapeGradients {
  std::array<Vec3, 4> gradient;  // gradients of the barycentric coordinates, 1/m; not finite where the volume is zero
  double volume = 0;             // cubic metres, signed
};

inline ShapeGradients shape_gradients(const TetrahedralMesh& mesh, std::size_t t) {
  const Tetrahedron& corner = mesh.tetrahedra[t];
  const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(corner[k])]; };
  const Vec3 e1 = x(1) - x(0), e2 = x(2) - x(0), e3 = x(3) - x(0);
  const double six_volumes = dot(cross(e1, e2), e3);
  const Vec3 g1 = cross(e2, e3) / six_volumes, g2 = cross(e3, e1) / six_volumes, g3 = cross(e1, e2) / six_volumes;
  return {{-(g1 + g2 + g3), g1, g2, g3}, six_volumes / 6};
}

}  // namespace sinew
