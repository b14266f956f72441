#include "sinew/picture/picture.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/picture/colors.h"
#include "sinew/picture/legend.h"
#include "sinew/picture/normals.h"
#include "sinew/picture/ray_scene.h"
#include "sinew/picture/srgb.h"
#include "sinew/picture/texture_sampler.h"
#include "sinew/picture/visible_triangles.h"

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

TEST(RayScene, WhatIsInTheWay) {
  const std::vector<Vec3> positions{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const std::vector<Triangle> triangles{{0, 1, 2}};
  const RayScene rays(positions, triangles);
  EXPECT_TRUE(rays.occluded({1, 2, 5}, {0, 0, -1}, 0, 100));
  EXPECT_TRUE(rays.occluded({1, 2, 5}, {0, 0, -1}, 0, 5.01));
  EXPECT_FALSE(rays.occluded({1, 2, 5}, {0, 0, -1}, 0, 4.99));
  EXPECT_FALSE(rays.occluded({3, 3, 5}, {0, 0, -1}, 0, 100));
  EXPECT_FALSE(rays.occluded({1, 2, 5}, {0, 0, 1}, 0, 100));
  EXPECT_FALSE(RayScene({}, {}).occluded({0, 0, 1}, {0, 0, -1}, 0, 10));
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

// A square facing the camera, 2 by 2 about the origin, in the plane z = 0; (0, 0) of its texture at its upper left.
PictureMesh square(const MaterialTexture& texture) {
  PictureMesh mesh;
  mesh.surface = {{{-1, 1, 0}, {1, 1, 0}, {1, -1, 0}, {-1, -1, 0}}, {{0, 3, 2}, {0, 2, 1}}};
  mesh.base_color = {1, 1, 1};
  mesh.texture_coordinates = {{{0, 0}}, {{1, 0}}, {{1, 1}}, {{0, 1}}};
  mesh.finish.texture = std::make_shared<const TextureSampler>(texture);
  return mesh;
}

// Two by two fields: red, green; blue, see-through.
MaterialTexture four_fields() {
  Texture picture{2, 2, {200, 0, 0, 255, 0, 200, 0, 255, 0, 0, 200, 255, 200, 200, 200, 0}};
  MaterialTexture texture;
  texture.picture = std::make_shared<const Texture>(picture);
  texture.nearest = true;
  return texture;
}

Image picture_of(const PictureMesh& mesh, int size = 64) {
  PictureScene scene;
  scene.ground = false;
  scene.meshes = {mesh};
  Camera camera;
  camera.eye = {0, 0, 10};
  camera.vertical_field_of_view = 2 * std::atan(0.125);  // 2.5 high in the plane of the square
  return render(scene, camera, {size, size, 2});
}

// Of a pixel: the strongest channel where it stands out, or -1.
int hue(const Image& image, int x, int y) {
  const std::uint8_t* p = image.pixel(x, y);
  for (int c = 0; c < 3; ++c)
    if (p[c] > p[(c + 1) % 3] + 40 && p[c] > p[(c + 2) % 3] + 40) return c;
  return -1;
}

TEST(PictureTexture, FieldsAreWhereTheCoordinatesSay) {
  const Image image = picture_of(square(four_fields()));
  EXPECT_EQ(hue(image, 18, 18), 0);
  EXPECT_EQ(hue(image, 46, 18), 1);
  EXPECT_EQ(hue(image, 18, 46), 2);
  EXPECT_EQ(hue(image, 46, 46), -1);  // opaque materials have no holes
  EXPECT_FALSE(is_background(image, 46, 46));
  EXPECT_TRUE(is_background(image, 2, 32));
  // The border between the fields is in the middle.
  EXPECT_EQ(hue(image, 31, 18), 0);
  EXPECT_EQ(hue(image, 32, 18), 1);
}

TEST(PictureTexture, MasksCutOutAndBlendsLetThrough) {
  PictureMesh mesh = square(four_fields());
  mesh.finish.alpha_mode = AlphaMode::mask;
  const Image cut = picture_of(mesh);
  EXPECT_TRUE(is_background(cut, 46, 46));
  EXPECT_EQ(hue(cut, 18, 18), 0);

  mesh.finish.texture = nullptr;
  mesh.base_color = {0, 0, 0};
  mesh.finish.alpha_mode = AlphaMode::blend;
  mesh.finish.opacity = 0.5;
  const Image half = picture_of(mesh);
  double through = 0;
  for (int y = 24; y < 40; ++y)
    for (int x = 24; x < 40; ++x)
      through += std::pow(half.pixel(x, y)[1] / 255.0, 2.2) / std::pow(background_color(y, 64)[1] / 255.0, 2.2);
  EXPECT_NEAR(through / 256, 0.5, 0.08);  // the black square itself shines a little
}

TEST(PictureTexture, RepeatsMirrorsAndClamps) {
  const auto hues = [](TextureWrap wrap) {
    MaterialTexture texture = four_fields();
    texture.wrap_u = wrap;
    PictureMesh mesh = square(texture);
    for (auto& place : mesh.texture_coordinates) place = {2 * place[0] - 0.5f, 0.25f};  // from -0.5 to 1.5
    const Image image = picture_of(mesh);
    return std::array{hue(image, 10, 32), hue(image, 24, 32), hue(image, 40, 32), hue(image, 54, 32)};
  };
  EXPECT_EQ(hues(TextureWrap::repeat), (std::array{1, 0, 1, 0}));
  EXPECT_EQ(hues(TextureWrap::clamp), (std::array{0, 0, 1, 1}));
  EXPECT_EQ(hues(TextureWrap::mirror), (std::array{0, 0, 1, 1}));
}

// A fine chessboard seen from afar is even grey, in linear light.
TEST(PictureTexture, SmallPixelsAreAveraged) {
  Texture board{256, 256, {}};
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x)
      board.rgba.insert(board.rgba.end(), {(x + y) % 2 ? std::uint8_t{0} : std::uint8_t{255}, 0, 0, 255});
  MaterialTexture texture;
  texture.picture = std::make_shared<const Texture>(board);
  const TextureSampler sampler(texture);
  EXPECT_EQ(sampler.level(1, 65536), 0);
  EXPECT_EQ(sampler.level(1, 256), 4);
  EXPECT_NEAR(sampler.at(0.3, 0.6, 4).color.x, 0.5, 0.01);
  EXPECT_NEAR(sampler.at(0.5 / 256, 0.5 / 256, 0).color.x, 1, 1e-6);
  EXPECT_NEAR(sampler.at(1.5 / 256, 0.5 / 256, 0).color.x, 0, 1e-6);
}

// Colours of triangles by turns: what is nearer is seen, whichever comes first, also from behind.
TEST(VisibleTriangles, TheNearestIsSeenAndItsPointIsExact) {
  Camera camera;
  camera.eye = {0, 0, 5};
  const CameraRays rays(camera, {}, 20, 20);
  const std::vector<Vec3> positions{{-2, -2, 0}, {2, -2, 0}, {0, 2, 0}, {-2, -2, 1}, {0, 2, 1}, {2, -2, 1}};
  for (const bool swapped : {false, true}) {
    const std::vector<Triangle> triangles =
        swapped ? std::vector<Triangle>{{3, 4, 5}, {0, 1, 2}} : std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}};
    const VisibleTriangles visible(rays, positions, triangles, 20, 20, {}, [](auto...) { return true; });
    EXPECT_EQ(visible.triangle(10, 10), swapped ? 0 : 1);
    const auto seen = static_cast<std::size_t>(visible.triangle(10, 10));
    EXPECT_TRUE(visible.from_behind(seen));
    const TrianglePoint point = visible.point(seen, 10, 10);
    EXPECT_NEAR(point.distance, 4, 1e-12);
    const Vec3 a = positions[3], b = positions[4], c = positions[5];
    const Vec3 on_triangle = (1 - point.u - point.v) * a + point.u * b + point.v * c;
    EXPECT_NEAR(distance(on_triangle, rays.eye + point.distance * rays.towards(10, 10)), 0, 1e-12);
  }
}

// Neighbours leave no gap between them; triangles through the eye's own plane are drawn where they are in front of it.
TEST(VisibleTriangles, EdgesAreTightAndNothingNeedsClipping) {
  Camera camera;
  camera.eye = {0.1, 0.2, 3};
  const CameraRays rays(camera, {}, 200, 200);
  std::vector<Vec3> positions{{0, 0, 0}};
  std::vector<Triangle> fan;
  for (int i = 0; i < 37; ++i)
    positions.push_back(
        {4 * std::cos(2 * std::numbers::pi * i / 37), 4 * std::sin(2 * std::numbers::pi * i / 37), 0.3 * (i % 3)});
  for (int i = 0; i < 37; ++i) fan.push_back({0, 1 + i, 1 + (i + 1) % 37});
  const VisibleTriangles tight(rays, positions, fan, 200, 200, {}, [](auto...) { return true; });
  int gaps = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) gaps += tight.triangle(x, y) < 0;
  EXPECT_EQ(gaps, 0);

  // A floor that reaches from far in front to far behind the eye.
  const std::vector<Vec3> floor{{-1000, -1, 1000}, {1000, -1, 1000}, {0, -1, -1000}};
  const VisibleTriangles through(rays, floor, std::vector<Triangle>{{0, 1, 2}}, 200, 200, {},
                                 [](auto...) { return true; });
  EXPECT_EQ(through.triangle(100, 199), 0);
  EXPECT_EQ(through.triangle(100, 85), 0);  // the horizon is at 74, as the eye looks down
  EXPECT_EQ(through.triangle(100, 60), -1);
}

TEST(PictureLegend, RoundsUpToOneTwoThreeOrFive) {
  for (const auto& [value, rounded] :
       {std::pair{0.011, 0.02}, {0.02, 0.02}, {0.021, 0.03}, {0.31, 0.5}, {0.51, 1.0}, {7.0, 10.0}})
    EXPECT_NEAR(round_for_legend(value), rounded, 1e-12);
  EXPECT_EQ(round_for_legend(0), 1);
}

TEST(PictureSrgb, EveryByteComesBackAndBordersAreHalfWay) {
  for (int byte = 0; byte < 256; ++byte) EXPECT_EQ(srgb_byte(linear_from_srgb(static_cast<std::uint8_t>(byte))), byte);
  for (int i = 0; i <= 5000; ++i) {
    const double linear = i / 5000.0;
    const double encoded = 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
    EXPECT_NEAR(srgb_byte(static_cast<float>(linear)), encoded, 0.5001);
  }
  EXPECT_EQ(srgb_byte(-1), 0);
  EXPECT_EQ(srgb_byte(7), 255);
  EXPECT_EQ(srgb_byte(std::nanf("")), 0);
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
