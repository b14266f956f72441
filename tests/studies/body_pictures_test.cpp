// Pictures of bodies in the colours of their change of volume.
#include "studies/common/body_pictures.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "studies/reference/cell_lattice.h"

namespace sinew {
namespace {

// A body that keeps its volume is grey; one that gains is red.
TEST(BodyPictures, ShowTheChangeOfVolume) {
  const TetrahedralMesh mesh = cell_lattice({2, 2, 2}, {1, 1, 1}).mesh;
  std::vector<Vec3> larger = mesh.positions;
  for (Vec3& p : larger) p *= 1.1;
  const auto color = [&](const std::vector<Vec3>& positions) {
    const PictureScene scene = body_scene(mesh, positions, 1);
    EXPECT_EQ(scene.meshes[0].surface.triangles.size(), 48u);
    return scene.meshes[0].vertex_colors[0];
  };
  EXPECT_NEAR(color(mesh.positions).x, color(mesh.positions).z, 1e-6);
  EXPECT_GT(color(larger).x, 1.5 * color(larger).z);

  BodyPicture picture;
  picture.scene = body_scene(mesh, mesh.positions, 1);
  const Image sheet = body_pictures({{"one", {picture, picture}}, {"two", {picture}}}, {60, 50, {}, 1});
  EXPECT_EQ(sheet.width, 120);
  EXPECT_EQ(sheet.height, 100);
  EXPECT_THROW(body_pictures({{"none", {}}}, {}), Error);
}

}  // namespace
}  // namespace sinew
