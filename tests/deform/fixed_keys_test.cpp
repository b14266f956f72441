// Keys that fix computed controls: their curve, the times at which it holds, and what is wrong with keys.
#include "sinew/deform/fixed_keys.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sinew {
namespace {

// Keys of t^3 - t with their slopes.
std::vector<FixedKey> cubic_keys(const std::vector<double>& times) {
  std::vector<FixedKey> keys;
  for (const double t : times) keys.push_back({t, t * t * t - t, 3 * t * t - 1, 3 * t * t - 1});
  return keys;
}

TEST(FixedKeys, AreMetAndReproduceACubic) {
  const std::vector<FixedKey> keys = cubic_keys({-0.5, 0.25, 2});
  for (double t = -0.5; t <= 2; t += 0.125) {
    const CurvePoint point = curve_at(keys, t);
    EXPECT_NEAR(point.value, t * t * t - t, 1e-14);
    EXPECT_NEAR(point.slope, 3 * t * t - 1, 1e-13);
  }
  for (const FixedKey& key : keys) EXPECT_EQ(curve_at(keys, key.time).value, key.value);
  EXPECT_DOUBLE_EQ(curve_at(keys, 2.1).value, 6 + 0.1 * 11);
}

TEST(FixedKeys, LeaveOpenSlopesToTheirNeighbours) {
  const std::vector<FixedKey> keys{{0, 1, {}, {}}, {1, 3, {}, 0.0}, {2, 9, {}, {}}};
  EXPECT_EQ(slopes_of(keys, 0), (KeySlopes{0, 0}));
  EXPECT_EQ(slopes_of(keys, 1), (KeySlopes{4, 0}));
  const CurveBounds bounds = bounds_of(keys);
  for (double t = 0; t <= 2; t += 0.01) {
    EXPECT_GE(curve_at(keys, t).value, bounds.low);
    EXPECT_LE(curve_at(keys, t).value, bounds.high);
  }
}

// A control is led to its first key, held on the steps that end in the stretch or just over its end, and then let go.
TEST(FixedKeys, HoldFromTheEaseOnUntilTheStepAfterTheLast) {
  const std::vector<ControlRange> controls{{"a", -10, 10}, {"b", -10, 10}};
  const std::vector<FixedStretch> stretches{{"b", 0.2, {{0.5, 1, 2.0, 2.0}, {0.605, 1.5, 4.0, 4.0}}}};
  std::vector<FixedControl> fixed;
  const auto at = [&](double time) {
    fixed_at(stretches, controls, time, 0.01, fixed);
    return fixed;
  };
  EXPECT_TRUE(at(0.3).empty());
  ASSERT_EQ(at(0.31).size(), 1u);
  EXPECT_EQ(fixed[0].control, 1);
  EXPECT_NEAR(fixed[0].in, 0.19, 1e-15);
  EXPECT_EQ(fixed[0].value, 1);
  EXPECT_EQ(fixed[0].rate, 2);
  ASSERT_EQ(at(0.5).size(), 1u);
  EXPECT_EQ(fixed[0].in, 0);
  EXPECT_EQ(fixed[0].value, 1);
  ASSERT_EQ(at(0.61).size(), 1u);
  EXPECT_NEAR(fixed[0].value, 1.5 + 0.005 * 4, 1e-15);
  EXPECT_TRUE(at(0.62).empty());
}

TEST(FixedKeys, OneStretchFollowsAnother) {
  const std::vector<ControlRange> controls{{"a", -10, 10}};
  const std::vector<FixedStretch> stretches{{"a", 0.1, {{0.55, 7, {}, {}}}},
                                            {"a", 0.1, {{0.3, 1, {}, {}}, {0.5, 2, {}, {}}}}};
  std::vector<FixedControl> fixed;
  fixed_at(stretches, controls, 0.5, 0.01, fixed);
  EXPECT_EQ(fixed, (std::vector<FixedControl>{{0, 0, 2, 0}}));
  fixed_at(stretches, controls, 0.52, 0.01, fixed);
  ASSERT_EQ(fixed.size(), 1u);
  EXPECT_EQ(fixed[0].value, 7);
}

TEST(FixedKeys, DifferWhereTheEarliestStretchDoes) {
  const FixedStretch early{"a", 0.1, {{0.5, 1, {}, {}}}}, late{"b", 0.25, {{2, 1, {}, {}}}};
  FixedStretch moved = late;
  moved.keys[0].value = 2;
  const auto difference = [](std::vector<FixedStretch> a, std::vector<FixedStretch> b) {
    return first_difference(a, b);
  };
  EXPECT_EQ(difference({early, late}, {late, early}), std::nullopt);
  EXPECT_EQ(difference({early, late}, {early, moved}), 1.75);
  EXPECT_EQ(difference({late}, {early, late}), 0.4);
}

TEST(FixedKeys, WhatIsWrongIsASentence) {
  const std::vector<ControlRange> controls{{"belly.rotation.x", -2, 2}};
  const auto complaint = [&](std::vector<FixedStretch> stretches) { return complaint_about(stretches, controls); };
  const FixedStretch good{"belly.rotation.x", 0.1, {{0, 1, {}, {}}, {1, -1, {}, {}}}};
  EXPECT_EQ(complaint({good}), "");
  EXPECT_EQ(complaint({{"belly.rotaton.x", 0.1, good.keys}}),
            "'belly.rotaton.x' is not among the parameters that physics moves: did you mean 'belly.rotation.x'?");
  EXPECT_EQ(
      complaint({{"belly.rotation.x", 0.1, {{0, 1, {}, {}}, {1, 1, -9.0, 0.0}}}}),
      "'belly.rotation.x' has keys whose curve may leave the range from -2 to 2; bring them nearer to it, or make "
      "their slopes less.");
  EXPECT_EQ(complaint({good, {"belly.rotation.x", 0.1, {{0.5, 0, {}, {}}}}}),
            "'belly.rotation.x' has two stretches of keys that overlap at 0.5 s; join them, or move one.");
}

}  // namespace
}  // namespace sinew
