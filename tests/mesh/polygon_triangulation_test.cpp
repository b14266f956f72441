// Polygons as triangles: as many as there must be, none outside, none turned over, at any number of corners.
#include "sinew/mesh/surface/polygon_triangulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "tests/mesh/shapes.h"

namespace sinew::test {
namespace {

using Polygon = std::vector<Vec3>;

std::vector<Triangle> triangulated(const Polygon& polygon) {
  std::vector<Triangle> triangles;
  triangulate_polygon(polygon, triangles);
  return triangles;
}

double area(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * cross(b - a, c - a).z; }

double area(const Polygon& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += 0.5 * cross(p[i] - p[0], p[(i + 1) % p.size()] - p[0]).z;
  return sum;
}

const Vec3& corner(const Polygon& polygon, int number) { return polygon[static_cast<std::size_t>(number)]; }

// n - 2 triangles that have the polygon's edges once and all others twice, there and back.
void expect_disk(const Polygon& polygon, const std::vector<Triangle>& triangles) {
  ASSERT_EQ(triangles.size(), polygon.size() - 2);
  std::map<std::pair<int, int>, int> edges;
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    const bool outer = (edge.first + 1) % static_cast<int>(polygon.size()) == edge.second;
    EXPECT_EQ(edges.contains({edge.second, edge.first}), !outer) << edge.first << ' ' << edge.second;
  }
}

// In the plane z = 0 no triangle is turned over, and together they have the polygon's area.
void expect_filled(const Polygon& polygon) {
  const std::vector<Triangle> triangles = triangulated(polygon);
  expect_disk(polygon, triangles);
  const double whole = area(polygon), side = whole < 0 ? -1 : 1;
  double sum = 0;
  for (const Triangle& t : triangles) {
    const double part = side * area(corner(polygon, t[0]), corner(polygon, t[1]), corner(polygon, t[2]));
    EXPECT_GE(part, -1e-12 * std::fabs(whole));
    sum += std::fabs(part);
  }
  EXPECT_NEAR(sum, std::fabs(whole), 1e-9 * std::fabs(whole));
}

Polygon regular(int corners) {
  Polygon polygon;
  for (int k = 0; k < corners; ++k)
    polygon.push_back({std::cos(2 * pi * k / corners), std::sin(2 * pi * k / corners), 0});
  return polygon;
}

// A comb of so many teeth.
Polygon comb(int teeth) {
  Polygon polygon;
  for (int k = 0; k < teeth; ++k) {
    polygon.push_back({k + 0.0, 5, 0});
    polygon.push_back({k + 0.5, 0.1, 0});
  }
  polygon.push_back({teeth + 0.0, 5, 0});
  polygon.push_back({teeth + 0.0, 0, 0});
  polygon.push_back({0, 0, 0});
  std::reverse(polygon.begin(), polygon.end());
  return polygon;
}

// Two arms of a spiral side by side.
Polygon spiral(int corners) {
  Polygon polygon;
  for (const double side : {0.0, 0.5})
    for (int k = 0; k < corners; ++k) {
      const int step = side == 0 ? k : corners - 1 - k;
      const double angle = 0.05 * step;
      polygon.push_back({(1 + 0.2 * angle + side) * std::cos(angle), (1 + 0.2 * angle + side) * std::sin(angle), 0});
    }
  return polygon;
}

Polygon ragged(int corners, unsigned seed) {
  std::mt19937 random(seed);
  Polygon polygon = regular(corners);
  for (Vec3& x : polygon) x *= 0.1 + 0.9 * static_cast<double>(random()) / 4294967296.0;
  return polygon;
}

TEST(PolygonTriangulation, ShapesOfAllKinds) {
  for (const int corners : {3, 4, 5, 6, 7, 30, 500}) expect_filled(regular(corners));
  for (const int teeth : {1, 2, 3, 40}) expect_filled(comb(teeth));
  expect_filled(spiral(120));
  for (unsigned seed = 0; seed < 40; ++seed) expect_filled(ragged(5 + static_cast<int>(seed) * 3, seed));
  // Clockwise ones are kept so.
  Polygon reversed = comb(7);
  std::reverse(reversed.begin(), reversed.end());
  expect_filled(reversed);
}

TEST(PolygonTriangulation, AQuadrilateralIsCutWhereItIsInside) {
  EXPECT_EQ(triangulated({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}), (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  expect_filled({{0, 0, 0}, {2, 0, 0}, {0.2, 0.2, 0}, {0, 2, 0}});
  expect_filled({{2, 0, 0}, {0.2, 0.2, 0}, {0, 2, 0}, {0, 0, 0}});
}

TEST(PolygonTriangulation, CornersOnALineAndTouchingCorners) {
  Polygon square;
  for (int side = 0; side < 4; ++side)
    for (int k = 0; k < 10; ++k) {
      const double t = 0.1 * k;
      square.push_back(side == 0   ? Vec3{t, 0, 0}
                       : side == 1 ? Vec3{1, t, 0}
                       : side == 2 ? Vec3{1 - t, 1, 0}
                                   : Vec3{0, 1 - t, 0});
    }
  expect_filled(square);
  // A square with a square hole, cut open between two corners, which both stand twice.
  expect_filled(
      {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0}, {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}});
  // An hourglass whose waist is one place.
  expect_filled({{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {2, 2, 0}, {0, 2, 0}, {1, 1, 0}});
}

TEST(PolygonTriangulation, WhatIsNoPolygonIsADiskAllTheSame) {
  expect_disk(Polygon(7, Vec3{1, 2, 3}), triangulated(Polygon(7, Vec3{1, 2, 3})));
  Polygon line;
  for (int k = 0; k < 50; ++k) line.push_back({0.1 * k, 0.2 * k, 0.3 * k});
  expect_disk(line, triangulated(line));
  const Polygon bow{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0.5, 0}};
  expect_disk(bow, triangulated(bow));
  Polygon scribble;
  std::mt19937 random(7);
  const auto number = [&] { return static_cast<double>(random()) / 4294967296.0; };
  for (int k = 0; k < 3000; ++k) scribble.push_back({number(), number(), number()});
  expect_disk(scribble, triangulated(scribble));
  for (Vec3& x : scribble) x *= 1e200;
  expect_disk(scribble, triangulated(scribble));
  EXPECT_TRUE(triangulated({{0, 0, 0}, {1, 0, 0}}).empty());
}

TEST(PolygonTriangulation, ABentRimIsClosedAlongItsMeanNormal) {
  // The rim of a saddle, in no plane, and turned away from all axes.
  Polygon rim = regular(60);
  for (Vec3& x : rim) {
    const Vec3 bent{x.x, x.y, 0.3 * x.x * x.y};
    x = {bent.z + 0.1 * bent.x, bent.x, bent.y};
  }
  const std::vector<Triangle> triangles = triangulated(rim);
  expect_disk(rim, triangles);
  for (const Triangle& t : triangles)
    EXPECT_GT(cross(corner(rim, t[1]) - corner(rim, t[0]), corner(rim, t[2]) - corner(rim, t[0])).x, 0);
}

// With fans one corner would have them all; and so many corners would take minutes where a step costs as many.
TEST(PolygonTriangulation, NoCornerGetsManyTrianglesAndManyCornersAreNoMatter) {
  for (const Polygon& polygon : {regular(100'000), comb(20'000), ragged(50'000, 1), spiral(10'000)}) {
    const std::vector<Triangle> triangles = triangulated(polygon);
    ASSERT_EQ(triangles.size(), polygon.size() - 2);
  }
  std::map<int, int> valence;
  for (const Triangle& t : triangulated(regular(4096)))
    for (const int v : t) ++valence[v];
  int most = 0;
  for (const auto& [vertex, count] : valence) most = std::max(most, count);
  EXPECT_LE(most, 30);
}

}  // namespace
}  // namespace sinew::test
