// Estimates of a material from motion, on points that swing by a formula.
#include "sinew/cook/flesh/estimate_material.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sinew/base/error.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

// Five points at rising distances from the core, let go: stiffness is heard in their frequency, damping in their decay,
// the core in how far they swing.
std::vector<float> swinging(const MaterialValues& m, bool core_acts = true) {
  std::vector<float> seen;
  const double w = std::sqrt(m.young / 100), core = core_acts ? m.core : 0.5;
  for (int point = 1; point <= 5; ++point)
    for (int frame = 0; frame < 40; ++frame) {
      const double t = frame / 60.0, size = 0.01 * std::max(0.2 * point - 0.7 * core, 0.0);
      const double x = size * std::exp(-m.damping * w * t) * std::sin(w * t);
      seen.insert(seen.end(), {static_cast<float>(x), 0.0F, static_cast<float>(0.3 * x)});
    }
  return seen;
}

const MaterialValues hidden{9000, 0.21, 0.35}, start{20000, 0.1, 0.5};
constexpr double accuracy = 1e-6;

TEST(EstimateMaterial, FindsWhatIsHidden) {
  int runs = 0;
  const MaterialEstimate found = estimate_material(swinging(hidden), start, accuracy, [&](const MaterialValues& m) {
    ++runs;
    return swinging(m);
  });
  EXPECT_NEAR(found.values[0].value, hidden.young, 2e-3 * hidden.young);
  EXPECT_NEAR(found.values[1].value, hidden.damping, 5e-3 * hidden.damping);
  EXPECT_NEAR(found.values[2].value, hidden.core, 0.01);
  for (const EstimatedValue& value : found.values) {
    EXPECT_EQ(value.undetermined, "") << value.key;
    EXPECT_LT(value.error, 0.05) << value.key;
  }
  EXPECT_LT(found.residual, 0.02 * found.observed);
  EXPECT_EQ(found.runs, runs);
  EXPECT_LT(runs, 100);
}

TEST(EstimateMaterial, IsDeterministic) {
  const auto run = [](const MaterialValues& m) { return swinging(m); };
  const MaterialEstimate a = estimate_material(swinging(hidden), start, accuracy, run),
                         b = estimate_material(swinging(hidden), start, accuracy, run);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(a.values[k].value, b.values[k].value);
    EXPECT_EQ(a.values[k].error, b.values[k].error);
  }
}

// Noise is what errors are made of: the values lie within a few of them.
TEST(EstimateMaterial, StandardErrorsCoverNoise) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 5e-4);
  std::vector<float> observed = swinging(hidden);
  for (float& x : observed) x += static_cast<float>(noise(random));
  const MaterialEstimate found =
      estimate_material(observed, start, accuracy, [](const MaterialValues& m) { return swinging(m); });
  const double truth[] = {hidden.young, hidden.damping, hidden.core};
  for (std::size_t k = 0; k < 3; ++k) {
    const EstimatedValue& value = found.values[k];
    EXPECT_GT(value.error, 1e-3) << value.key;
    EXPECT_LT(std::abs(value.value - truth[k]), 3 * value.error * value.value) << value.key;
  }
}

TEST(EstimateMaterial, AValueWithoutEffectIsNotTold) {
  const auto run = [](const MaterialValues& m) { return swinging(m, false); };
  const MaterialEstimate found = estimate_material(run(hidden), start, accuracy, run);
  EXPECT_NE(found.values[2].undetermined, "");
  EXPECT_EQ(found.values[2].value, start.core);
  EXPECT_EQ(found.values[0].undetermined + found.values[1].undetermined, "");
  EXPECT_NEAR(found.values[0].value, hidden.young, 2e-3 * hidden.young);
  EXPECT_NEAR(found.values[1].value, hidden.damping, 5e-3 * hidden.damping);
}

TEST(EstimateMaterial, NothingIsToldWhereNothingMoves) {
  const auto run = [](const MaterialValues&) { return std::vector<float>(300, 0.0F); };
  const MaterialEstimate found = estimate_material(run(hidden), start, accuracy, run);
  for (const EstimatedValue& value : found.values) EXPECT_NE(value.undetermined, "") << value.key;
}

// Flesh too soft to be run is a bad fit, and any other error is the caller's.
TEST(EstimateMaterial, RunsThatFail) {
  const auto soft_fails = [](const MaterialValues& m) {
    if (m.young < 3000) throw simulation_error("diverged");
    return swinging(m);
  };
  EXPECT_NEAR(estimate_material(swinging(hidden), start, accuracy, soft_fails).values[0].value, hidden.young, 30);
  const auto all_fail = [](const MaterialValues&) -> std::vector<float> { throw simulation_error("diverged"); };
  test::refusal(ErrorKind::simulation, [&] { estimate_material(swinging(hidden), start, accuracy, all_fail); });
  const auto refuses = [](const MaterialValues& m) {
    if (m.young < 3000) throw usage_error("no such flesh");
    return swinging(m);
  };
  test::refusal(ErrorKind::usage, [&] { estimate_material(swinging(hidden), start, accuracy, refuses); });
}

}  // namespace
}  // namespace sinew
