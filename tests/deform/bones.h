// Skeletons and bodies for the tests of rotation clusters, the rotation field and pins.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "tests/elastic/blocks.h"

namespace sinew::test {

// One bone between each joint and the next, each the parent of the one after.
inline std::vector<Bone> chain(const std::vector<Vec3>& joints) {
  std::vector<Bone> bones;
  for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
    Bone bone;
    bone.name = "bone " + std::to_string(k);
    bone.parent = static_cast<int>(k) - 1;
    bone.segments = {{joints[k], joints[k + 1]}};
    bones.push_back(bone);
  }
  return bones;
}

inline Vec3 barycentre(const TetrahedralMesh& mesh, std::size_t t) {
  Vec3 sum;
  for (const int v : mesh.tetrahedra[t]) sum += mesh.positions[at(v)];
  return sum / 4;
}

// Adds another body to `mesh`, moved; nothing is shared.
inline void add_body(TetrahedralMesh& mesh, const TetrahedralMesh& other, const Vec3& by) {
  const auto first = static_cast<int>(mesh.positions.size());
  for (const Vec3& p : other.positions) mesh.positions.push_back(p + by);
  for (const Tetrahedron& t : other.tetrahedra)
    mesh.tetrahedra.push_back({first + t[0], first + t[1], first + t[2], first + t[3]});
}

// Two bars along x from 0 to 4, the lower thick (2 x 2), the upper thin (0.5 x 0.5), 0.01 apart in y, joined at x = 0
// by nothing but a block behind it that shares vertices with both.
inline TetrahedralMesh fork() {
  // One grid, from which the gap is left out.
  const Block grid = block({20, 12, 8}, {5, 3, 2});
  TetrahedralMesh mesh;
  mesh.positions = grid.mesh.positions;
  for (std::size_t t = 0; t < grid.mesh.tetrahedra.size(); ++t) {
    const Vec3 c = barycentre(grid.mesh, t);
    const bool behind = c.x < 1, lower = c.y<2, upper = c.y> 2.25;
    if (behind || lower || upper) mesh.tetrahedra.push_back(grid.mesh.tetrahedra[t]);
  }
  return mesh;
}

}  // namespace sinew::test
