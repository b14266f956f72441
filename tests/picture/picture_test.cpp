#include "sinew/picture/picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/picture/colors.h"
#include "sinew/picture/normals.h"
#include "sinew/picture/ray_scene.h"

namespace sinew {
namespace {

// A ball of the given number of rings, poles along y.
TriangleMesh ball(const Vec3& centre, double radius, int rings) {
  TriangleMesh mesh;
  const int around = 2 * rings;
  for (int i = 0; i <= rings; ++i)
    for (int j = 0; j < around; ++j) {
      const double polar = std::numbers::pi * i / rings, azimuth = 2 * std::numbers::pi * j / around;
      mesh.positions.push_back(centre + radius * Vec3{std::sin(polar) * std::cos(azimuth), std::cos(polar),
                                                      std::sin(polar) * std::sin(azimuth)});
    }
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j, b = i * around + (j + 1) % around, c = a + around, d = b + around;
      if (i > 0) mesh.triangles.push_back({a, b, d});
      if (i + 1 < rings) mesh.triangles.push_back({a, d, c});
    }
  return mesh;
}

PictureScene ball_scene(double height) {
  PictureScene scene;
  scene.meshes.push_back({ball({0, height, 0}, 1, 24), {0.7, 0.5, 0.4}, {}});
  return scene;
}

int brightness(const Image& image, int x, int y) {
  const std::uint8_t* p = image.pixel(x, y);
  return p[0] + p[1] + p[2];
}

bool is_background(const Image& image, int x, int y) {
  const Vec3 expected = background_color(y, image.height);
  for (std::size_t channel = 0; channel < 3; ++channel)
    if (std::abs(static_cast<int>(expected[channel]) - image.pixel(x, y)[channel]) > 1) return false;
  return true;
}

TEST(RayScene, DistanceAndBarycentricsOfAHit) {
  const std::vector<Vec3> positions{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const std::vector<Triangle> triangles{{0, 1, 2}};
  const RayScene rays(positions, triangles);
  const RayHit hit = rays.closest_hit({1, 2, 5}, {0, 0, -1}, 0, 100);
  EXPECT_EQ(hit.triangle, 0);
  EXPECT_NEAR(hit.distance, 5, 1e-6);
  EXPECT_NEAR(hit.u, 0.25, 1e-6);
  EXPECT_NEAR(hit.v, 0.5, 1e-6);
  EXPECT_EQ(rays.closest_hit({1, 2, 5}, {0, 0, -1}, 0, 4).triangle, -1);
  EXPECT_EQ(rays.closest_hit({3, 3, 5}, {0, 0, -1}, 0, 100).triangle, -1);
  EXPECT_TRUE(rays.occluded({1, 2, 5}, {0, 0, -1}, 0, 100));
  EXPECT_FALSE(rays.occluded({1, 2, 5}, {0, 0, 1}, 0, 100));
}

TEST(RayScene, NothingToHit) {
  const RayScene rays({}, {});
  EXPECT_EQ(rays.closest_hit({0, 0, 1}, {0, 0, -1}, 0, 10).triangle, -1);
  EXPECT_FALSE(rays.occluded({0, 0, 1}, {0, 0, -1}, 0, 10));
}

TEST(PictureNormals, BallIsSmoothAndBoxKeepsItsEdges) {
  const TriangleMesh sphere = ball({3, 1, 2}, 2, 32);
  const auto normals = corner_normals(sphere, 1.05);
  for (std::size_t t = 0; t < sphere.triangles.size(); ++t) {
    const Vec3 a = sphere.positions[static_cast<std::size_t>(sphere.triangles[t][0])];
    EXPECT_GT(dot(normals[t][0], normalized(a - Vec3{3, 1, 2})), 0.998);
  }
  // Two faces of a box, sharing an edge at a right angle.
  const TriangleMesh corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {{0, 1, 2}, {0, 2, 3}}};
  const auto hard = corner_normals(corner, 1.05);
  EXPECT_NEAR(hard[0][0].z, 1, 1e-12);
  EXPECT_NEAR(hard[1][0].x, -1, 1e-12);
}

TEST(PictureNormals, SeamsOfEqualPositionsDoNotShow) {
  const double h = 0.2;
  const TriangleMesh joined{{{0, 0, 0}, {1, 0, h}, {0, 1, 0}, {-1, 0, h}}, {{0, 1, 2}, {0, 2, 3}}};
  TriangleMesh split = joined;
  split.positions.push_back(joined.positions[0]);
  split.positions.push_back(joined.positions[2]);
  split.triangles[1] = {4, 5, 3};
  const auto expected = corner_normals(joined, 1.05), found = corner_normals(split, 1.05);
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(distance(expected[t][c], found[t][c]), 0, 1e-12);
}

TEST(Picture, EmptySceneIsTheBackground) {
  PictureScene scene;
  scene.ground = false;
  const Image image = render(scene, Camera{}, {40, 30, 2});
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) ASSERT_TRUE(is_background(image, x, y)) << x << "," << y;
}

TEST(Picture, BallIsRoundAndFillsItsPart) {
  PictureScene scene = ball_scene(0);
  scene.ground = false;
  Camera camera;
  camera.eye = {0, 0, 10};
  const int size = 101;
  const Image image = render(scene, camera, {size, size, 2});
  // The silhouette's radius in pixels follows from the tangent cone of the ball.
  const double tangent = 1 / std::sqrt(10.0 * 10.0 - 1);
  const double radius = tangent / std::tan(camera.vertical_field_of_view / 2) * size / 2;
  int covered = 0, mirrored_apart = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      covered += !is_background(image, x, y);
      mirrored_apart += is_background(image, x, y) != is_background(image, size - 1 - x, y);
    }
  EXPECT_NEAR(covered, std::numbers::pi * radius * radius, 0.05 * std::numbers::pi * radius * radius);
  EXPECT_LT(mirrored_apart, size);
  EXPECT_TRUE(is_background(image, 0, 0));
}

TEST(Picture, LitBallIsSymmetricAboutTheLight) {
  // Seen from straight above the key light's horizontal direction the ball's picture mirrors itself.
  PictureScene scene = ball_scene(0);
  scene.ground = false;
  Camera camera;
  camera.eye = 10 * normalized(Vec3{-0.55, 0, 0.75});
  const int size = 101;
  const Image image = render(scene, camera, {size, size, 2});
  double difference = 0, lit = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size / 2; ++x) {
      difference += std::abs(brightness(image, x, y) - brightness(image, size - 1 - x, y));
      lit += brightness(image, x, y);
    }
  EXPECT_LT(difference / lit, 0.01);
  // Light from above: the upper half is brighter than the lower.
  EXPECT_GT(brightness(image, size / 2, size / 4 + 5), brightness(image, size / 2, 3 * size / 4 - 5) + 60);
}

TEST(Picture, GroundShowsAShadowAndNothingElse) {
  const PictureScene scene = ball_scene(1);
  const Camera camera = fit_camera({&scene}, 1, {}, 0.2);
  const int size = 120;
  const Image with = render(scene, camera, {size, size, 2});
  PictureScene floating = scene;
  floating.ground = false;
  const Image without = render(floating, camera, {size, size, 2});
  int darker = 0, brighter = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      if (!is_background(without, x, y)) continue;
      darker += brightness(with, x, y) < brightness(without, x, y) - 60;
      brighter += brightness(with, x, y) > brightness(without, x, y) + 3;
    }
  EXPECT_GT(darker, size * size / 100);
  EXPECT_EQ(brighter, 0);
  EXPECT_TRUE(is_background(with, 0, 0));
}

TEST(Picture, GroundHidesWhatIsBelowIt) {
  PictureScene scene = ball_scene(-5);
  Camera camera;
  camera.eye = {0, 3, 10};
  camera.target = {0, -5, 0};
  const Image image = render(scene, camera, {40, 40, 1});
  // The ball's own colour is reddish; the ground keeps the backdrop's hue.
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x) EXPECT_LT(image.pixel(x, y)[0] - image.pixel(x, y)[2], 15);
}

TEST(Picture, FittedCameraTouchesTheMargins) {
  const PictureScene near_scene = ball_scene(1), far_scene = ball_scene(4);
  for (double aspect : {0.5, 1.0, 2.0}) {
    const double margin = 0.1;
    const Camera camera = fit_camera({&near_scene, &far_scene}, aspect, {0.6, 0.2}, margin);
    const Vec3 back = normalized(camera.eye - camera.target);
    const Vec3 right = normalized(cross({0, 1, 0}, back)), up = cross(back, right);
    double most = 0;
    for (const PictureScene* scene : {&near_scene, &far_scene})
      for (const Vec3& p : scene->meshes[0].surface.positions) {
        const Vec3 offset = p - camera.eye;
        const double depth = -dot(offset, back), half = std::tan(camera.vertical_field_of_view / 2) * depth;
        most = std::max({most, std::abs(dot(offset, up)) / half, std::abs(dot(offset, right)) / (half * aspect)});
      }
    EXPECT_NEAR(most, 1 - 2 * margin, 1e-9);
  }
}

TEST(Picture, SameBitsForAnyNumberOfThreads) {
  const PictureScene scene = ball_scene(1);
  const Camera camera = fit_camera({&scene}, 1);
  set_thread_count(1);
  const Image one = render(scene, camera, {64, 64, 2});
  for (int threads : {2, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(render(scene, camera, {64, 64, 2}).rgb, one.rgb) << threads;
  }
  set_thread_count(0);
}

TEST(Picture, ScaleAndPlaceDoNotMatter) {
  const PictureScene scene = ball_scene(1);
  PictureScene moved = scene;
  for (Vec3& p : moved.meshes[0].surface.positions) p = 1000 * p + Vec3{5e4, 0, -3e4};
  const Image a = render(scene, fit_camera({&scene}, 1), {80, 80, 2});
  const Image b = render(moved, fit_camera({&moved}, 1), {80, 80, 2});
  int apart = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) apart += std::abs(a.rgb[i] - b.rgb[i]) > 4;
  EXPECT_LT(apart, 80 * 80 * 3 / 200);
}

TEST(Picture, VertexColoursReplaceTheBaseColour) {
  PictureScene scene = ball_scene(0);
  scene.ground = false;
  scene.meshes[0].vertex_colors.assign(scene.meshes[0].surface.positions.size(), Vec3{0, 0.6, 0});
  Camera camera;
  camera.eye = {0, 0, 6};
  const Image image = render(scene, camera, {41, 41, 1});
  const std::uint8_t* middle = image.pixel(20, 20);
  EXPECT_GT(middle[1], middle[0] + 60);
  EXPECT_GT(middle[1], middle[2] + 60);
}

TEST(Picture, HostileScenesAreErrors) {
  PictureScene scene = ball_scene(0);
  scene.meshes[0].surface.positions[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(render(scene, Camera{}, {8, 8, 1}), Error);
  scene = ball_scene(0);
  scene.meshes[0].surface.triangles[0][1] = 1 << 20;
  EXPECT_THROW(render(scene, Camera{}, {8, 8, 1}), Error);
  EXPECT_THROW(render({}, Camera{}, {0, 8, 1}), Error);
  EXPECT_THROW(render({}, Camera{}, {8, 8, 0}), Error);
  EXPECT_THROW(render({}, Camera{}, {1 << 20, 1 << 20, 1}), Error);
}

TEST(PictureColors, HeatGrowsLighterAndShowsWhatIsNoNumber) {
  double before = -1;
  for (int i = 0; i <= 20; ++i) {
    const Vec3 color = heat_color(i / 20.0);
    const double luminance = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z;
    EXPECT_GT(luminance, before);
    before = luminance;
  }
  EXPECT_EQ(heat_color(-3), heat_color(0));
  EXPECT_EQ(heat_color(7), heat_color(1));
  EXPECT_EQ(heat_color(std::nan("")), (Vec3{1, 0, 1}));
  const std::vector<double> values{2, 4, 6};
  EXPECT_EQ(heat_colors(values, 2, 6)[1], heat_color(0.5));
}

}  // namespace
}  // namespace sinew
