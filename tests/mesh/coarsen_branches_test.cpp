// Faces of more than two tetrahedra, and copies of cells.
#include <gtest/gtest.h>

#include "coarsen_blocks.h"
#include "sinew/mesh/lattice_building/coarsen_branches.h"
#include "sinew/mesh/lattice_building/coarsen_copies.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// A palm with `fingers` tetrahedra at one face, in one place.
TetrahedralMesh branching(int fingers) {
  TetrahedralMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, -1}};
  mesh.tetrahedra = {{0, 2, 1, 3}};
  for (int f = 0; f < fingers; ++f) {
    mesh.positions.push_back({0.3, 0.3, 1});
    mesh.tetrahedra.push_back({0, 1, 2, 4 + f});
  }
  return mesh;
}

TEST(CoarsenBranches, EachFingerGetsAPieceOfTheFace) {
  for (int fingers = 1; fingers <= 6; ++fingers) {
    SCOPED_TRACE(fingers);
    const TetrahedralMesh mesh = branching(fingers);
    std::vector<Vec3> centre;
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) centre.push_back(test::direction(int(t)));
    const UnbranchedMesh result = separate_branches(mesh, centre);
    const TetrahedralComplex complex(result.mesh);
    test::expect_sound(complex);
    EXPECT_EQ(measure_quality(result.mesh).components, 1);
    EXPECT_NEAR(test::complex_volume(complex), (1.0 + fingers) / 6, 1e-12);
    // Through faces alone one gets from the palm to every finger.
    std::vector<char> reached(mesh.tetrahedra.size(), 0), seen(result.mesh.tetrahedra.size(), 0);
    std::vector<int> open;
    for (std::size_t t = 0; t < seen.size(); ++t)
      if (result.tetrahedron[t] == 0) {
        open.push_back(int(t));
        seen[t] = 1;
      }
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      reached[std::size_t(result.tetrahedron[std::size_t(t)])] = 1;
      for (std::size_t k = 0; k < 4; ++k)
        if (const int other = across(complex, t, k); other >= 0 && !seen[std::size_t(other)]) {
          seen[std::size_t(other)] = 1;
          open.push_back(other);
        }
    }
    EXPECT_EQ(std::count(reached.begin(), reached.end(), 1), fingers + 1);
  }
}

TEST(CoarsenBranches, MeshesWithoutBranchesStayAsTheyAre) {
  const TetrahedralMesh mesh = test::block(3, 2, 2);
  const UnbranchedMesh result = separate_branches(mesh, std::vector<Vec3>(mesh.tetrahedra.size()));
  EXPECT_EQ(result.mesh.tetrahedra.size(), mesh.tetrahedra.size());
  EXPECT_EQ(result.mesh.positions.size(), mesh.positions.size());
}

TEST(CoarsenBranches, CopiesThatAreAlikeBecomeOne) {
  const TetrahedralMesh mesh = branching(3);
  const std::vector<int> cell{0, 1, 1, 1};
  const auto merged = merge_copies(mesh, cell, [](int a, int b) { return a + b == 3; });  // the first two fingers
  ASSERT_TRUE(merged.has_value());
  EXPECT_EQ(merged->mesh.tetrahedra.size(), 3u);
  EXPECT_EQ(merged->mesh.positions.size(), mesh.positions.size() - 1);
  EXPECT_EQ(merged->tetrahedron[1], merged->tetrahedron[2]);
  EXPECT_NE(merged->tetrahedron[1], merged->tetrahedron[3]);
}

}  // namespace
}  // namespace sinew
