#include "sinew/mesh/boundary_surface.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sinew {
namespace {

// Faces opposite to each corner, counter-clockwise seen from outside where the volume is positive.
constexpr std::array<std::array<std::size_t, 3>, 4> faces_outward{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

struct BoundaryFace {
  Triangle sorted, triangle;
  int tetrahedron;
};

}  // namespace

BoundarySurface boundary_surface(const TetrahedralMesh& mesh) {
  std::vector<BoundaryFace> all;
  all.reserve(4 * mesh.tetrahedra.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
    for (const auto& face : faces_outward) {
      const Tetrahedron& corners = mesh.tetrahedra[t];
      const Triangle triangle{corners[face[0]], corners[face[1]], corners[face[2]]};
      Triangle sorted = triangle;
      std::sort(sorted.begin(), sorted.end());
      all.push_back({sorted, triangle, static_cast<int>(t)});
    }
  std::stable_sort(all.begin(), all.end(),
                   [](const BoundaryFace& a, const BoundaryFace& b) { return a.sorted < b.sorted; });
  std::vector<BoundaryFace> single;
  for (std::size_t k = 0; k < all.size();) {
    std::size_t next = k + 1;
    while (next < all.size() && all[next].sorted == all[k].sorted) ++next;
    if (next == k + 1) single.push_back(all[k]);
    k = next;
  }
  std::stable_sort(single.begin(), single.end(),
                   [](const BoundaryFace& a, const BoundaryFace& b) { return a.tetrahedron < b.tetrahedron; });
  BoundarySurface surface;
  for (const BoundaryFace& face : single) {
    surface.triangles.push_back(face.triangle);
    surface.tetrahedron.push_back(face.tetrahedron);
  }
  return surface;
}

}  // namespace sinew
