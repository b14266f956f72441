// Rings that are placed by pointing at the skin of a tube, whose middle and girth are known.
#include "sinew/session/ring_placing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/session/ring_skin.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

constexpr double ring_tube_radius = 0.12;

SimulationSurface ringed_tube() {
  static const Character character = test::tube_character();
  return simulation_surface(character);
}

bool held_all_around(const SimulationSurface& surface, const BeltSettings& ring) {
  std::vector<Vec3> places;
  for (const int v : ring_vertices(surface.rest, ring))
    places.push_back(surface.rest.positions[static_cast<std::size_t>(v)]);
  return goes_around(places, ring.point, normalized(ring.normal));
}

TEST(RingPlacing, LiesAcrossTheBoneAroundTheMiddleOfTheLimb) {
  const SimulationSurface surface = ringed_tube();
  const RingPlane plane = plane_across(surface, {0.2, 0.73, 0.01});
  const BeltSettings ring = ring_in(surface, plane);
  EXPECT_NEAR(std::abs(ring.normal.y), 1, 1e-9);
  EXPECT_LT(norm(ring.point - Vec3{0, 0.73, 0}), 1e-9);
  EXPECT_EQ(ring.joint, "upper");
  EXPECT_EQ(ring.size, 1);
  EXPECT_TRUE(held_all_around(surface, ring));
  const std::vector<SectionLine> lines = ring_lines(surface.rest, ring);
  ASSERT_EQ(lines.size(), 1u);
  const double sides = 16, girth = sides * 2 * ring_tube_radius * std::sin(test::pi / sides);
  EXPECT_NEAR(length_of(places_of(lines[0], surface.rest.positions), true), girth, 1e-9);
}

// A bone that branches has a segment into the branch, which may be nearer to the skin than the one along the limb.
TEST(RingPlacing, LiesAcrossTheSegmentThatItsLineIsShortestAround) {
  SimulationSurface surface = ringed_tube();
  for (Bone& bone : surface.bones)
    if (bone.name == "upper") bone.segments.push_back({{0, 0.6, 0}, {ring_tube_radius, 0.8, 0}});
  const BeltSettings ring = ring_in(surface, plane_across(surface, {ring_tube_radius, 0.75, 0}));
  EXPECT_NEAR(std::abs(ring.normal.y), 1, 1e-9);
  EXPECT_LT(norm(ring.point - Vec3{0, 0.75, 0}), 1e-9);
}

// However narrow a ring is asked for: it holds the ends of the edges that its plane crosses.
TEST(RingPlacing, IsAsWideAsTheEdgesThere) {
  const SimulationSurface surface = ringed_tube();
  for (const double height : {0.3, 0.51, 0.77}) {
    const BeltSettings ring = ring_in(surface, plane_across(surface, {ring_tube_radius, height, 0}), 1e-6);
    EXPECT_GT(ring.width, 0.01);
    EXPECT_TRUE(held_all_around(surface, ring)) << height;
  }
  EXPECT_LT(ring_in(surface, plane_across(surface, {0.12, 0.5, 0}), 100).width, 0.6 * 2 * ring_tube_radius);
}

// The visible half of a band around the tube, level or tilted by 20 degrees.
TEST(RingPlacing, FollowsABandThatIsDrawn) {
  const SimulationSurface surface = simulation_surface(
      two_bone_tube(100, 32, 1, ring_tube_radius, [](double height) { return height < 0.5 ? 0.0 : 1.0; }));
  for (const double tilt : {0.0, 20.0}) {
    const Vec3 normal{std::sin(tilt * test::pi / 180), std::cos(tilt * test::pi / 180), 0};
    std::vector<int> band;
    for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) {
      const Vec3& p = surface.rest.positions[v];
      if (p.z > -1e-9 && std::abs(dot(p - Vec3{0, 0.7, 0}, normal)) < 0.04) band.push_back(static_cast<int>(v));
    }
    const RingPlane plane = plane_along(surface, band);
    // Rows of vertices are 10 mm apart: where the band ends is known to 5 mm, and its angle to 5 mm over the radius.
    EXPECT_GT(std::abs(dot(plane.normal, normal)), std::cos(std::atan(0.005 / ring_tube_radius))) << tilt;
    const BeltSettings ring = ring_in(surface, plane, extent_along(plane, surface.rest, band));
    EXPECT_NEAR(ring.point.y, 0.7, 0.03);
    EXPECT_TRUE(held_all_around(surface, ring));
  }
  // A strip along the limb is no band: the ring is across the bone.
  std::vector<int> strip;
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v)
    if (surface.rest.positions[v].x > 0.11 && std::abs(surface.rest.positions[v].z) < 0.05)
      strip.push_back(static_cast<int>(v));
  EXPECT_NEAR(std::abs(plane_along(surface, strip).normal.y), 1, 1e-9);
}

TEST(RingPlacing, IsMovedAlongTheBoneWithWhatItHas) {
  const SimulationSurface surface = ringed_tube();
  BeltSettings ring = ring_in(surface, plane_across(surface, {ring_tube_radius, 0.8, 0}), 0.1);
  ring.size = 0.8;
  ring.name = "garter";
  ring.normal = normalized(Vec3{0.2, 1, 0});
  const BeltSettings moved = ring_moved(surface, ring, {ring_tube_radius, 0.7, 0});
  EXPECT_EQ(moved.size, 0.8);
  EXPECT_EQ(moved.name, "garter");
  EXPECT_EQ(moved.joint, "upper");
  EXPECT_LT(norm(moved.normal - ring.normal), 1e-12);
  EXPECT_NEAR(moved.point.y, 0.7 + 0.2 * ring_tube_radius, 0.01);  // its plane goes through the point of the skin
  const BeltSettings lower = ring_moved(surface, ring, {ring_tube_radius, 0.2, 0});
  EXPECT_EQ(lower.joint, "lower");
  EXPECT_NEAR(std::abs(lower.normal.y), 1, 1e-9);
}

TEST(RingPlacing, RefusesWhatHasNoLineAround) {
  SimulationSurface surface = ringed_tube();
  const auto wrong = [](const auto& action) { return test::refusal(ErrorKind::usage, action); };
  EXPECT_NE(wrong([&] { plane_along(surface, {}); }).find("vertices"), std::string::npos);
  EXPECT_NE(wrong([&] { plane_along(surface, std::vector<int>{1 << 30}); }).find("no vertex"), std::string::npos);
  EXPECT_NE(wrong([&] { plane_along(surface, std::vector<int>{-1}); }).find("no vertex"), std::string::npos);
  // Half of the tube is open along its length.
  std::erase_if(surface.rest.triangles, [&](const Triangle& t) {
    return std::any_of(t.begin(), t.end(),
                       [&](int v) { return surface.rest.positions[static_cast<std::size_t>(v)].z < -1e-9; });
  });
  const RingPlane plane = plane_across(surface, {0, 0.7, ring_tube_radius});
  EXPECT_NE(wrong([&] { ring_in(surface, plane); }).find("goes around"), std::string::npos);
  for (Bone& bone : surface.bones) bone.helper = true;
  EXPECT_NE(wrong([&] { plane_across(surface, {0, 0.7, 0}); }).find("No bone"), std::string::npos);
}

}  // namespace
}  // namespace sinew
