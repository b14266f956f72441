#include "sinew/cook/flesh/decide_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/cook/flesh/material_preset.h"

namespace sinew {
namespace {

Swing swing_at(double frequency) { return {standard_gravity / std::pow(2 * std::numbers::pi * frequency, 2)}; }

double step_of_clips(double frequency, const FleshSettings& settings = {}) {
  return decide_step(settings, frequency / 2, std::vector{swing_at(frequency)}, SteppedFor::clips);
}

TEST(DecideStep, TheSwingThatSagsMostCountsMost) {
  EXPECT_NEAR(visible_frequency(std::vector{swing_at(3)}), 3, 1e-12);
  EXPECT_NEAR(visible_frequency(std::vector{swing_at(3), swing_at(3), swing_at(30)}), 3, 0.02);
  EXPECT_EQ(visible_frequency({}), 0);
}

TEST(DecideStep, APeriodOfVisibleSwingsHasEnoughStepsWhereClipsArePlayed) {
  EXPECT_EQ(step_of_clips(0.1), 1.0 / 120);
  EXPECT_EQ(step_of_clips(4.2), 1.0 / 120);
  EXPECT_EQ(step_of_clips(4.4), 1.0 / 240);
  EXPECT_EQ(step_of_clips(10.8), 1.0 / 240);
  EXPECT_EQ(step_of_clips(11), 1.0 / 480);
  EXPECT_EQ(step_of_clips(40), 1.0 / 480);  // the whole flesh at 20 Hz
  EXPECT_EQ(step_of_clips(200), 1.0 / 960);
}

TEST(DecideStep, StepsAreNeverLongerThanUsualWhereHandsMayAct) {
  for (const double frequency : {0.1, 4.0, 11.9})
    EXPECT_EQ(decide_step({}, frequency, {}, SteppedFor::sessions), usual_step);
  EXPECT_EQ(decide_step({}, 12.1, {}, SteppedFor::sessions), usual_step / 2);
  FleshSettings grounded;
  grounded.ground = 0;
  EXPECT_EQ(step_of_clips(1, grounded), usual_step);
}

TEST(DecideStep, SettingsAndLinearFleshKeepTheirs) {
  FleshSettings settings;
  settings.step = 0.01;
  EXPECT_EQ(step_of_clips(40, settings), 0.01);
  FleshSettings linear;
  linear.elasticity = Elasticity::linear;
  EXPECT_EQ(step_of_clips(40, linear), usual_step);
  EXPECT_EQ(step_of_clips(1, linear), usual_step);
}

}  // namespace
}  // namespace sinew
