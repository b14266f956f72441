// Curves along limbs: chains of bones, places of vertices along them, and how values meet paint.
#include "sinew/deform/limb_curves.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/base/refusal.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

constexpr FieldInUse uses[] = {{field("stiffness"), 1}, {field("rigid"), 0}, {field("poisson"), 0.45}};

SimulationSurface tube_surface() {
  return simulation_surface(test::two_bone_tube(24, 16, 1, 0.12, [](double height) {
    const double t = std::clamp((height - 0.4) / 0.2, 0.0, 1.0);
    return t * t * (3 - 2 * t);
  }));
}

LimbCurve curve_of(const char* name, std::vector<FixedKey> keys, const char* from = "lower", const char* to = "upper") {
  return {name, from, to, std::move(keys)};
}

const std::vector<double>& apply(SimulationSurface& surface, const std::vector<LimbCurve>& curves) {
  apply_limb_curves(curves, "along.json", uses, surface);
  return surface.fields[find_field(curves[0].field)];
}

TEST(LimbCurves, AlongAStraightLimbALineIsThatLineOfTheHeight) {
  SimulationSurface surface = tube_surface();
  const LimbCurve line = curve_of("stiffness", {{0, 0.5, 2.5, 2.5}, {1, 3, 2.5, 2.5}});
  const LimbChain chain = limb_chain(surface.bones, line, "");
  ASSERT_EQ(chain.points.size(), 3u);
  const double length = chain.points.back().y;
  EXPECT_GT(length, 0.9);  // the last bone ends within the flesh
  EXPECT_LE(length, 1);
  const std::vector<double>& values = apply(surface, {line});
  ASSERT_EQ(values.size(), surface.rest.positions.size());
  for (std::size_t v = 0; v < values.size(); ++v)
    EXPECT_NEAR(values[v], 0.5 + 2.5 * std::min(1.0, surface.rest.positions[v].y / length), 1e-12);
}

TEST(LimbCurves, AConstantIsThatPaint) {
  for (const double constant : {0.3, 2.7}) {
    SimulationSurface surface = tube_surface();
    for (const double value : apply(surface, {curve_of("stiffness", {{0.4, constant, {}, {}}})}))
      EXPECT_EQ(value, constant);
  }
}

TEST(LimbCurves, ValuesFadeWithTheSkinWeights) {
  SimulationSurface surface = tube_surface();
  const std::vector<double>& values = apply(surface, {curve_of("stiffness", {{0, 3, {}, {}}}, "upper", "upper")});
  bool any_between = false;
  for (std::size_t v = 0; v < values.size(); ++v) {
    double share = 0;
    const Influences& influences = surface.influences[v];
    for (int k = 0; k < influences.count; ++k)
      if (surface.bones[static_cast<std::size_t>(influences.joint[static_cast<std::size_t>(k)])].name == "upper")
        share += influences.weight[static_cast<std::size_t>(k)];
    EXPECT_NEAR(values[v], 1 + 2 * share, 1e-12);
    any_between |= share > 0.1 && share < 0.9;
  }
  EXPECT_TRUE(any_between);
}

TEST(LimbCurves, MultipliersMultiplyEachOtherAndThePaint) {
  SimulationSurface surface = tube_surface();
  surface.fields[field("stiffness")].assign(surface.rest.positions.size(), 0.5);
  for (const double value :
       apply(surface, {curve_of("stiffness", {{0, 3, {}, {}}}), curve_of("stiffness", {{0, 4, {}, {}}})}))
    EXPECT_NEAR(value, 6, 1e-12);
}

TEST(LimbCurves, OfMarksTheLargestCounts) {
  SimulationSurface surface = tube_surface();
  surface.fields[field("rigid")].assign(surface.rest.positions.size(), 0.0);
  surface.fields[field("rigid")][7] = 1;
  const std::vector<double>& values = apply(surface, {curve_of("rigid", {{0, 0.25, {}, {}}})});
  for (std::size_t v = 0; v < values.size(); ++v) EXPECT_EQ(values[v], v == 7 ? 1 : 0.25);
}

TEST(LimbCurves, WhatReplacesASettingGoesWhereNothingIsPainted) {
  SimulationSurface surface = tube_surface();
  surface.fields[field("poisson")].assign(surface.rest.positions.size(), -1.0);
  surface.fields[field("poisson")][7] = 0.1;
  const std::vector<double>& values = apply(surface, {curve_of("poisson", {{0, 0.3, {}, {}}}, "upper", "upper")});
  for (std::size_t v = 0; v < values.size(); ++v) {
    const double y = surface.rest.positions[v].y;
    if (v == 7) {
      EXPECT_EQ(values[v], 0.1);
    } else if (y > 0.61) {
      EXPECT_NEAR(values[v], 0.3, 1e-12);
    } else if (y < 0.39) {
      EXPECT_EQ(values[v], -1);
    } else if (values[v] >= 0) {
      EXPECT_TRUE(values[v] >= 0.3 - 1e-12 && values[v] <= 0.45 + 1e-12) << values[v];
    }
  }
}

TEST(LimbCurves, SplinesStayWithinTheRangeOfTheirField) {
  const LimbCurve steep = curve_of("stiffness", {{0, 1, 0, -50}, {1, 1, 90, 0}});
  for (int k = 0; k <= 100; ++k) {
    EXPECT_GE(value_along(steep, k / 100.0), 0.01);
    EXPECT_LE(value_along(steep, k / 100.0), 100);
  }
  // Constant before the first and after the last key.
  const LimbCurve middle = curve_of("stiffness", {{0.4, 2, 5, 5}, {0.6, 3, 5, 5}});
  EXPECT_EQ(value_along(middle, 0), 2);
  EXPECT_EQ(value_along(middle, 1), 3);
}

// A leaf bone whose joint lies on the chain has its skin.
TEST(LimbCurves, TwistBonesBelongToTheirLimb) {
  SimulationSurface surface = tube_surface();
  Bone twist = surface.bones[0], far = surface.bones[0];
  twist.name = "twist";
  far.name = "wing";
  twist.parent = far.parent = 0;
  twist.segments = {{{0, 0.2, 0}, {0, 0.3, 0}}};
  far.segments = {{{0.3, 0.2, 0}, {0.5, 0.2, 0}}};
  surface.bones.push_back(twist);
  surface.bones.push_back(far);
  const LimbChain chain = limb_chain(surface.bones, curve_of("stiffness", {{0, 1, {}, {}}}), "");
  EXPECT_EQ(chain.place_of_bone, (std::vector<int>{0, 1, 0, -1}));
  Influences influences;
  influences.count = 2;
  influences.joint = {2, 3};
  influences.weight = {0.75, 0.25};
  const LimbPlace place = place_along(chain, {0.1, 0.25, 0}, influences);
  EXPECT_NEAR(place.share, 0.75, 1e-15);
  EXPECT_NEAR(place.distance, 0.25 / chain.points.back().y, 1e-12);
}

TEST(LimbCurves, WhatIsWrongIsASentence) {
  const auto complaint = [](const LimbCurve& curve) {
    return test::refusal(ErrorKind::input, [&] {
      SimulationSurface surface = tube_surface();
      apply(surface, {curve});
    });
  };
  const std::vector<FixedKey> keys{{0, 1, {}, {}}};
  EXPECT_EQ(complaint(curve_of("stiffness", keys, "lower", "uper")),
            "along.json: curve 1: no bone of the skin is named 'uper': did you mean 'upper'?");
  EXPECT_EQ(complaint(curve_of("stiffness", keys, "upper", "lower")),
            "along.json: curve 1: 'lower' does not hang from 'upper'; name the chain's bone nearer to the root as "
            "`from`.");
  EXPECT_EQ(complaint(curve_of("density", keys)),
            "along.json: curve 1: 'density' cannot be given along a limb here; stiffness, rigid and poisson can.");
  EXPECT_EQ(test::refusal(ErrorKind::input,
                          [&] {
                            SimulationSurface surface = tube_surface();
                            surface.weighted = false;
                            apply(surface, {curve_of("stiffness", keys)});
                          }),
            "along.json: the character has no skin weights, so that no skin belongs to a limb; leave it out.");
  EXPECT_EQ(test::refusal(ErrorKind::input,
                          [&] {
                            SimulationSurface surface = tube_surface();
                            for (Bone& bone : surface.bones) bone.segments = {{{0, 1, 0}, {0, 1, 0}}};
                            apply(surface, {curve_of("stiffness", keys)});
                          }),
            "along.json: curve 1: the chain from 'lower' to 'upper' has no length; let it end at another bone.");
}

}  // namespace
}  // namespace sinew
