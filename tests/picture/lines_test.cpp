// Lines over pictures, colours for what may go either way.
#include "sinew/picture/lines.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/picture/colors.h"
#include "sinew/picture/picture.h"

namespace sinew {
namespace {

TEST(PictureLines, ProjectAsTheCameraSees) {
  const Camera camera{{0, 0, 4}, {0, 0, 0}, 2 * std::atan(0.5)};  // four metres high at the target
  const PicturePoint middle = projected(camera, {0, 0, 0}, 200, 100);
  EXPECT_NEAR(middle.x, 100, 1e-12);
  EXPECT_NEAR(middle.y, 50, 1e-12);
  const PicturePoint corner = projected(camera, {4, 2, 0}, 200, 100);
  EXPECT_NEAR(corner.x, 200, 1e-12);
  EXPECT_NEAR(corner.y, 0, 1e-12);
  EXPECT_FALSE(projected(camera, {0, 0, 5}, 200, 100).in_front);
}

// Where a point of a rendered mesh is seen is where it is projected to.
TEST(PictureLines, AgreeWithTheRenderer) {
  PictureScene scene;
  scene.ground = false;
  scene.meshes.emplace_back();
  scene.meshes[0].surface = {{{0.30, 0.20, 0}, {0.34, 0.20, 0}, {0.32, 0.24, 0}}, {{0, 1, 2}}};
  scene.meshes[0].base_color = {0, 0, 0};
  const Camera camera{{0.1, 0.5, 2}, {0, 0, 0}, 0.7};
  const Image image = render(scene, camera, {240, 180, 1});
  double x = 0, y = 0, count = 0;
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column)
      if (image.pixel(column, row)[1] < 60) x += column + 0.5, y += row + 0.5, ++count;
  ASSERT_GT(count, 5);
  const PicturePoint centre = projected(camera, {0.32, 0.20 + 0.04 / 3, 0}, 240, 180);
  EXPECT_NEAR(x / count, centre.x, 1);
  EXPECT_NEAR(y / count, centre.y, 1);
}

TEST(PictureLines, DrawWithinThePicture) {
  Image image(20, 10);
  draw_line(image, {-5, 5}, {12, 5}, {255, 128, 0}, 2);
  EXPECT_EQ(image.pixel(0, 4)[0], 255);
  EXPECT_EQ(image.pixel(5, 5)[1], 128);
  EXPECT_EQ(image.pixel(5, 8)[0], 0);
  EXPECT_EQ(image.pixel(16, 5)[0], 0);
  const Image before = image;
  draw_line(image, {100, 100}, {200, 300}, {255, 255, 255});
  draw_line(image, {0, 0, false}, {20, 10}, {255, 255, 255});
  EXPECT_EQ(image.rgb, before.rgb);
}

TEST(BalanceColor, GoesBothWays) {
  EXPECT_GT(balance_color(0.5).x, balance_color(0.5).z);
  EXPECT_LT(balance_color(-0.5).x, balance_color(-0.5).z);
  EXPECT_EQ(balance_color(-7), balance_color(-1));
  EXPECT_EQ(balance_color(0).x, balance_color(0).z);
  EXPECT_EQ(balance_color(std::nan("")), (Vec3{1, 0, 1}));
}

}  // namespace
}  // namespace sinew
