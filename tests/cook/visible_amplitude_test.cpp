// How much flesh is seen to move, against the oscillator's known answers.
#include "sinew/cook/flesh/visible_amplitude.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/cook/flesh/material_preset.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

// The tube moved along x as amplitude * sin(2 pi frequency t), in keys dense enough to be that curve.
Character swaying(double amplitude, double frequency, double seconds) {
  Character character = test::two_bone_tube(6, 8, 2, 0.3, [](double height) { return height; });
  character.file = "made by hand";
  Clip clip{"sway", {}, 0, seconds};
  Channel channel;
  channel.joint = 1;
  for (int k = 0; k <= 1000; ++k) {
    const double t = seconds * k / 1000;
    channel.times.push_back(t);
    for (const double x : {amplitude * std::sin(2 * pi * frequency * t), 0.0, 0.0}) channel.values.push_back(x);
  }
  clip.channels.push_back(channel);
  character.clips.push_back(clip);
  return character;
}

SampledMotion motion_of(const Character& character) { return sample_motion(character, simulation_surface(character)); }

std::vector<Swing> even(const SampledMotion& motion, double sag, double limit) {
  return std::vector<Swing>(motion.vertices.size(), Swing{sag, limit, limit});
}

// Far slower than its own swing, flesh hangs back by a / omega^2 = a sag / g.
TEST(Amount, SlowMotionIsFollowedByTheSagOfItsAcceleration) {
  constexpr double amplitude = 0.2, frequency = 1, sag = 0.002;
  const SampledMotion motion = motion_of(swaying(amplitude, frequency, 2));
  const double acceleration = amplitude * std::pow(2 * pi * frequency, 2);
  const std::vector<double> seen = visible_amplitudes(motion, even(motion, sag, HUGE_VAL), 0.5);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_NEAR(seen[0], acceleration * sag / standard_gravity, 0.03 * seen[0]);
}

// At its own frequency it swings up to a / (2 zeta omega^2).
TEST(Amount, AtItsOwnFrequencyItResounds) {
  constexpr double amplitude = 0.01, frequency = 2, damping_ratio = 0.3;
  const double omega = 2 * pi * frequency, sag = standard_gravity / (omega * omega);
  const SampledMotion motion = motion_of(swaying(amplitude, frequency, 2));
  const std::vector<double> seen = visible_amplitudes(motion, even(motion, sag, HUGE_VAL), damping_ratio);
  EXPECT_NEAR(seen[0], amplitude / (2 * damping_ratio), 0.05 * seen[0]);
}

TEST(Amount, NothingIsSeenBeyondTheLimit) {
  const SampledMotion motion = motion_of(swaying(5, 2, 1));
  EXPECT_LE(visible_amplitudes(motion, even(motion, 0.5, 0.07), 0.2)[0], 0.07);
  EXPECT_GT(visible_amplitudes(motion, even(motion, 0.5, 0.07), 0.2)[0], 0.06);
}

TEST(Amount, TheFactorShowsWhatIsAskedFor) {
  const SampledMotion motion = motion_of(swaying(0.2, 1, 2));
  const std::vector<Swing> swings = even(motion, 0.01, 0.2);
  for (const double asked : {0.004, 0.01, 0.02}) {
    const double factor = sag_factor(motion, swings, 0.2, {asked}, 0.01, 100);
    std::vector<Swing> scaled = swings;
    for (Swing& swing : scaled) swing.sag *= factor;
    EXPECT_NEAR(visible_amplitudes(motion, scaled, 0.2)[0], asked, 0.01 * asked);
  }
  EXPECT_EQ(sag_factor(motion, swings, 0.2, {0.5}, 0.5, 3), 3);
  EXPECT_EQ(sag_factor(motion, swings, 0.2, {1e-9}, 0.5, 3), 0.5);
}

// Tissue that stiffens is moved by x where linear tissue would be by x (1 + (e - 1) x^2 / L^2).
TEST(Amount, TissueThatStiffensMovesLess) {
  const SampledMotion motion = motion_of(swaying(0.2, 1, 2));
  const double linear = visible_amplitudes(motion, even(motion, 0.05, HUGE_VAL), 0.2)[0];
  for (const double length : {0.2 * linear, linear, 50 * linear}) {
    std::vector<Swing> swings = even(motion, 0.05, HUGE_VAL);
    for (Swing& swing : swings) swing.stiffening = length;
    const double x = visible_amplitudes(motion, swings, 0.2)[0];
    EXPECT_NEAR(x * (1 + (std::numbers::e - 1) * x * x / (length * length)), linear, 1e-6 * linear);
  }
}

// The median is wanted, and no clip may exceed the largest.
TEST(Amount, TheLiveliestClipBoundsTheFactor) {
  SampledMotion motion = motion_of(swaying(0.2, 1, 2));
  motion.clips.push_back(motion.clips[0]);
  motion.clips.push_back(motion.clips[0]);
  for (Vec3& a : motion.clips[2].acceleration) a *= 5;
  std::vector<Swing> swings = even(motion, 0.01, HUGE_VAL);
  for (Swing& swing : swings) swing.stiffening = 10;
  const auto seen = [&](const WantedAmplitude& wanted) {
    std::vector<Swing> scaled = swings;
    const double factor = sag_factor(motion, swings, 0.2, wanted, 0.01, 100);
    for (Swing& swing : scaled) swing.sag *= factor;
    return visible_amplitudes(motion, scaled, 0.2);
  };
  EXPECT_NEAR(seen({0.01})[0], 0.01, 1e-4);
  EXPECT_GT(seen({0.01})[2], 0.04);
  EXPECT_NEAR(seen({0.01, 0.03})[2], 0.03, 3e-4);
}

// Flesh becomes no softer than leaves it within its reach, but for the tenth of the times that swings most.
TEST(Amount, NoMoreThanTheReachAllowsIsShown) {
  const SampledMotion motion = motion_of(swaying(0.2, 1, 2));
  std::vector<Swing> swings = even(motion, 0.01, 0.02);
  for (const double reach : {0.005, 0.01}) {
    for (Swing& swing : swings) swing.reach = reach;
    const double factor = sag_factor(motion, swings, 0.2, {0.019}, 0.01, 100);
    std::vector<Swing> scaled = swings;
    for (Swing& swing : scaled) swing.sag *= factor;
    EXPECT_NEAR(lively_swings(motion, scaled, 0.2)[0], reach, 0.01 * reach);
    const double shown = visible_amplitudes(motion, scaled, 0.2)[0];
    EXPECT_GT(shown, 0.9 * reach);
    EXPECT_LT(shown, 1.5 * reach);
  }
}

// Of a clip that stands for nine of ten seconds and jerks in the last one the jerk does not count; of many clips the
// stills do not.
TEST(Amount, LivelySwingsLeaveOutBlowsAndStills) {
  Character character = swaying(0.2, 1, 2);
  Clip still = character.clips[0];
  for (double& value : still.channels[0].values) value = 0;
  Clip blow = character.clips[0];
  for (std::size_t k = 0; k < blow.channels[0].values.size(); ++k)
    if (blow.channels[0].times[k / 3] < 1.96) blow.channels[0].values[k] = 0;  // jumps by less than a cut does
  const std::vector<double> alone = [&] {
    const SampledMotion motion = motion_of(character);
    return lively_swings(motion, even(motion, 0.002, 1), 0.5);
  }();
  character.clips.push_back(still);
  const SampledMotion with_still = motion_of(character);
  EXPECT_EQ(lively_swings(with_still, even(with_still, 0.002, 1), 0.5), alone);
  character.clips = {blow};
  const SampledMotion jerked = motion_of(character);
  const std::vector<Swing> swings = even(jerked, 0.002, 1);
  EXPECT_GT(visible_amplitudes(jerked, swings, 0.5)[0], 1e-3);
  EXPECT_EQ(lively_swings(jerked, swings, 0.5)[0], 0);
}

TEST(Amount, AReachIsTheLimitUnlessThatIsHardlySeen) {
  EXPECT_DOUBLE_EQ(reach_of(0.03, 2), 0.03);
  EXPECT_DOUBLE_EQ(reach_of(0.015, 2), 0.02);
  EXPECT_DOUBLE_EQ(reach_of(0.001, 2), 0.002);
}

TEST(Amount, AStillCharacterKeepsTheLook) {
  const SampledMotion motion = motion_of(swaying(0, 1, 1));
  EXPECT_EQ(sag_factor(motion, even(motion, 0.01, 0.2), 0.2, {0.02}, 0.1, 10), 1);
  EXPECT_EQ(sag_factor({}, {}, 0.2, {0.02}, 0.1, 10), 1);
}

}  // namespace
}  // namespace sinew
