// Shapes taken from one character and put on another (Capell 2004, section 7.2).
#include "sinew/shape/component.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "tests/mesh/shapes.h"
#include "tests/shape/largest.h"

namespace sinew {
namespace {

using namespace test;

SimulationSurface ball(const Vec3& centre, double radius) {
  SimulationSurface surface;
  surface.rest = sphere(centre, radius, 64);
  surface.influences.resize(surface.rest.positions.size());
  return surface;
}

// A dent with a sideways pull, around a point of the ball.
std::vector<Vec3> dented(const SimulationSurface& surface, const Vec3& centre, const Vec3& at, double size) {
  std::vector<Vec3> displacement;
  for (const Vec3& x : surface.rest.positions) {
    const double r = distance(x, at) / size;
    const double bell = r < 1 ? std::pow(1 - r * r, 2) : 0;
    displacement.push_back(0.2 * size * bell * (normalized(centre - x) + Vec3{0.3, 0, 0}));
  }
  return displacement;
}

TEST(Component, WhatIsTakenComesBackInItsPlace) {
  const Vec3 centre{0.2, 1, 0}, front = centre + Vec3{0, 0, 0.5};
  const SimulationSurface surface = ball(centre, 0.5);
  const std::vector<Vec3> displacement = dented(surface, centre, front, 0.2);
  const ComponentPlace place = place_of(surface, displacement);
  EXPECT_LT(distance(place.centre, front), 0.02);
  EXPECT_GT(place.radius, 0.1);
  EXPECT_LT(place.radius, 0.3);
  const ComponentPlace wide{front, 0.3, 0, false};
  const std::vector<Vec3> again = deploy_component(extract_component(surface, displacement, wide), surface, wide);
  for (std::size_t s = 0; s < again.size(); ++s)
    EXPECT_LT(distance(again[s], displacement[s]), 0.05 * largest(displacement)) << s;
}

TEST(Component, ItIsScaledAndTurnedWithItsPlace) {
  const Vec3 centre{0, 1, 0}, front = centre + Vec3{0, 0, 0.5};
  const SimulationSurface small = ball(centre, 0.5), large = ball({3, 2, 1}, 1.5);
  const ShapeComponent dent = extract_component(small, dented(small, centre, front, 0.2), {front, 0.3, 0, false});
  // The same place three times as large, on the left side of the body: what pulled to the left, now pulls back.
  const Vec3 left = Vec3{3, 2, 1} + Vec3{1.5, 0, 0};
  const std::vector<Vec3> there = deploy_component(dent, large, {left, 0.9, 0, false});
  Vec3 at_centre, mirrored_at_centre;
  const std::vector<Vec3> mirrored = deploy_component(dent, large, {left, 0.9, 0, true});
  double nearest = HUGE_VAL;
  for (std::size_t s = 0; s < there.size(); ++s)
    if (const double away = distance(large.rest.positions[s], left); away < nearest)
      nearest = away, at_centre = there[s], mirrored_at_centre = mirrored[s];
  const double size = 3 * 0.2 * 0.2;
  EXPECT_LT(distance(at_centre, size * Vec3{-1, 0, -0.3}), 0.1 * size);
  EXPECT_LT(distance(mirrored_at_centre, size * Vec3{-1, 0, 0.3}), 0.1 * size);
  for (std::size_t s = 0; s < there.size(); ++s)
    if (distance(large.rest.positions[s], left) > 1.0) {
      EXPECT_EQ(there[s], Vec3{});
    }
}

TEST(Component, FilesReturnIt) {
  const SimulationSurface surface = ball({}, 1);
  ShapeComponent dent = extract_component(surface, dented(surface, {}, {0, 0, 1}, 0.4), {{0, 0, 1}, 0.5, 0, false});
  dent.name = "dent", dent.from = "ball.glb", dent.height = 2;
  const std::string text = component_json(dent);
  const ShapeComponent again = component_from_json(text, "dent.json");
  EXPECT_EQ(component_json(again), text);
  EXPECT_EQ(again.name, "dent");
  EXPECT_EQ(again.height, 2);
  for (std::size_t k = 0; k < dent.displacement.size(); ++k)
    EXPECT_LT(distance(again.displacement[k], dent.displacement[k]), 1e-6);
  for (const char* wrong : {"{}", R"({"version": 2})", R"({"version": 1, "radius": 0})",
                            R"({"version": 1, "radius": 1, "height": 1, "displacement": [[0, 0, 0]]})"})
    EXPECT_THROW(component_from_json(wrong, "wrong.json"), Error) << wrong;
}

TEST(Component, WhatCannotBeTakenIsRefused) {
  const SimulationSurface surface = ball({}, 1);
  const std::vector<Vec3> none(surface.rest.positions.size());
  EXPECT_THROW(place_of(surface, none), Error);
  EXPECT_THROW(extract_component(surface, none, {{0, 0, 1}, 0, 0, false}), Error);
}

}  // namespace
}  // namespace sinew
