// Lines in which planes cut surfaces: of a tube their number, length and place are known.
#include "sinew/mesh/surface/plane_section.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using test::pi;

constexpr double tube_radius = 0.25;
constexpr int tube_sides = 16;

TriangleMesh section_tube() { return test::upright_tube(10, tube_sides, 1, tube_radius); }

double perimeter() { return tube_sides * 2 * tube_radius * std::sin(pi / tube_sides); }

TEST(PlaneSection, GoesOnceAroundATube) {
  const TriangleMesh tube = section_tube();
  for (const double height : {0.537, 0.5, 0.1}) {  // between rings of vertices, and through them
    SCOPED_TRACE(height);
    const std::vector<SectionLine> lines = plane_section(tube, {0, height, 0}, {0, 2, 0});
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_TRUE(lines[0].closed);
    const std::vector<Vec3> places = places_of(lines[0], tube.positions);
    EXPECT_NEAR(length_of(places, true), perimeter(), 1e-12);
    for (const Vec3& place : places) EXPECT_NEAR(place.y, height, 1e-14);
  }
}

// A tilted plane cuts a tube in an ellipse, which is at most as long as a circle of its longer radius.
TEST(PlaneSection, IsAnEllipseInATiltedPlane) {
  const TriangleMesh tube = section_tube();
  const Vec3 normal = normalized(Vec3{1, 1, 0});
  const std::vector<SectionLine> lines = plane_section(tube, {0, 0.5, 0}, normal);
  ASSERT_EQ(lines.size(), 1u);
  double farthest = 0;
  for (const Vec3& place : places_of(lines[0], tube.positions)) {
    EXPECT_NEAR(dot(place - Vec3{0, 0.5, 0}, normal), 0, 1e-14);
    farthest = std::max(farthest, distance(place, {0, 0.5, 0}));
  }
  EXPECT_NEAR(farthest, std::sqrt(2) * tube_radius, 1e-12);
}

TEST(PlaneSection, FindsEachOfTwoTubesAndNothingBeyondThem) {
  TriangleMesh two = section_tube();
  const TriangleMesh other = section_tube();
  const int first = static_cast<int>(two.positions.size());
  for (const Vec3& p : other.positions) two.positions.push_back(p + Vec3{1, 0, 0});
  for (const Triangle& t : other.triangles) two.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  EXPECT_EQ(plane_section(two, {0, 0.53, 0}, {0, 1, 0}).size(), 2u);
  EXPECT_TRUE(plane_section(two, {0, 2, 0}, {0, 1, 0}).empty());
  EXPECT_TRUE(plane_section({}, {0, 2, 0}, {0, 1, 0}).empty());
}

TEST(PlaneSection, EndsAtTheRimOfAnOpenSurface) {
  TriangleMesh open = section_tube();
  const std::vector<SectionLine> whole = plane_section(open, {0, 0.53, 0}, {0, 1, 0});
  std::erase_if(open.triangles, [&](const Triangle& t) {  // one triangle that the plane cuts
    return std::find(t.begin(), t.end(), whole[0].points[3].a) != t.end() &&
           std::find(t.begin(), t.end(), whole[0].points[3].b) != t.end() &&
           std::find(t.begin(), t.end(), whole[0].points[4].a) != t.end() &&
           std::find(t.begin(), t.end(), whole[0].points[4].b) != t.end();
  });
  const std::vector<SectionLine> lines = plane_section(open, {0, 0.53, 0}, {0, 1, 0});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_FALSE(lines[0].closed);
  EXPECT_EQ(lines[0].points.size(), whole[0].points.size());
  EXPECT_LT(length_of(places_of(lines[0], open.positions), false), perimeter());
}

}  // namespace
}  // namespace sinew
