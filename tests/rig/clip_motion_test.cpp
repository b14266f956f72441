// Cuts of a clip are found where its motion does not explain a jump; held poses become motion for physics.
#include "sinew/rig/clip_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/character/channel.h"
#include "tests/rig/cut_clips.h"

namespace sinew {
namespace {

using namespace test;

ClipMotion motion_of(const Clip& clip) {
  const Character character = plain_tube();
  return clip_motion(character, simulation_surface(character), clip);
}

Clip with_teleport(double rate, double time, const Vec3& jump, Interpolation interpolation = Interpolation::linear) {
  Clip clip = sampled_swing(rate, 2, interpolation);
  teleport(clip, time, jump);
  return clip;
}

TEST(ClipMotion, SmoothMotionIsNotCut) {
  for (const double rate : {12.0, 24.0, 30.0, 60.0, 120.0}) {
    EXPECT_TRUE(motion_of(sampled_swing(rate, 2)).cuts.empty()) << rate;
    EXPECT_TRUE(motion_of(sampled_swing(rate, 2, Interpolation::step)).cuts.empty()) << rate;
  }
}

TEST(ClipMotion, ATeleportIsACutWhereItsKeysAre) {
  for (const double rate : {24.0, 30.0, 60.0})
    for (const double jump : {0.06, 1.0, 20.0}) {
      const ClipMotion motion = motion_of(with_teleport(rate, 1, {jump, 0, 0}));
      ASSERT_EQ(motion.cuts.size(), 1u) << rate << " keys a second, " << jump << " m";
      EXPECT_NEAR(motion.cuts[0].begin, 1 - 1 / rate, 1e-9);
      EXPECT_NEAR(motion.cuts[0].end, 1, 1e-9);
      EXPECT_NEAR(motion.cuts[0].jump, jump, 0.03);
      EXPECT_FALSE(motion.driven.has_value());
      EXPECT_TRUE(motion.is_cut(0.9, 1.1));
      EXPECT_FALSE(motion.is_cut(1, 1.1));
    }
}

TEST(ClipMotion, EachOfSeveralCutsIsFound) {
  Clip clip = sampled_swing(30, 3);
  for (const double time : {0.5, 1.2, 1.4, 2.5}) teleport(clip, time, {0, 0, 2});
  EXPECT_EQ(motion_of(clip).cuts.size(), 4u);
}

// One frame of a resampled cut is as long as it was; two keys at one time are a jump without length.
TEST(ClipMotion, TwoKeysAtOneTimeAreACutOfNoLength) {
  Clip clip = sampled_swing(30, 2);
  Channel& shake = clip.channels[1];
  shake.times.insert(shake.times.begin() + 30, std::nextafter(shake.times[30], 0.0));
  shake.values.insert(shake.values.begin() + 90, shake.values.begin() + 90, shake.values.begin() + 93);
  for (std::size_t k = 31; k < shake.times.size(); ++k) shake.values[3 * k + 2] += 3;
  const ClipMotion motion = motion_of(clip);
  ASSERT_EQ(motion.cuts.size(), 1u);
  EXPECT_LT(motion.cuts[0].end - motion.cuts[0].begin, 1e-4);
  EXPECT_NEAR(motion.cuts[0].end, 1, 1e-4);
}

// A pose that snaps fast is motion where the frames beside it move as fast, or where it snaps all the time.
TEST(ClipMotion, FastMotionIsNone) {
  Clip blow = sampled_swing(30, 2);
  const double way[] = {0.1, 0.3, 0.5, 0.6, 0.65, 0.67};
  Channel& shake = blow.channels[1];
  for (std::size_t k = 30; k < shake.times.size(); ++k) shake.values[3 * k] += way[std::min<std::size_t>(k - 30, 5)];
  EXPECT_TRUE(motion_of(blow).cuts.empty());
  Clip fours = sampled_swing(24, 2);
  for (Channel& channel : fours.channels)
    for (std::size_t k = 0; k < channel.times.size(); ++k)
      for (std::size_t c = 0; c < static_cast<std::size_t>(channel.components); ++c) {
        const auto width = static_cast<std::size_t>(channel.components);
        channel.values[k * width + c] = channel.values[k / 4 * 4 * width + c];
      }
  EXPECT_TRUE(motion_of(fours).cuts.empty());
}

TEST(ClipMotion, DenseStepsAreJoinedAsSamples) {
  const Clip held = sampled_swing(30, 2, Interpolation::step);
  const std::optional<Clip> driven = with_moving_steps(held, {});
  ASSERT_TRUE(driven);
  std::vector<double> a(3);
  for (double t = 0; t < 2; t += 0.013) {
    evaluate(driven->channels[1], t, a);
    EXPECT_NEAR(a[0], 0.05 * std::sin(2 * pi * t), 0.02 * 0.05) << t;
  }
}

// A held pose is left where it changes, and the next is reached a twelfth of a second later, or when that changes.
TEST(ClipMotion, SparseStepsGoOverIntoEachOther) {
  Channel steps{
      1, ChannelPath::translation, Interpolation::step, {0, 0.5, 0.9, 1.5}, 3, {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0}};
  const Clip clip{"held", {steps}, 0, 2};
  const std::optional<Clip> driven = with_moving_steps(clip, {});
  ASSERT_TRUE(driven);
  const auto at = [&](double t) {
    std::vector<double> value(3);
    evaluate(driven->channels[0], t, value);
    return value[0];
  };
  EXPECT_EQ(at(0.3), 0);
  EXPECT_NEAR(at(0.5), 0, 1e-9);
  EXPECT_NEAR(at(0.5 + 1.0 / 24), 0.5, 1e-9);
  EXPECT_NEAR(at(0.6), 1, 1e-9);
  EXPECT_NEAR(at(1), 2, 1e-9);
  EXPECT_NEAR(at(1.5), 2, 1e-9);
  EXPECT_NEAR(at(1.6), 0, 1e-9);
}

TEST(ClipMotion, ACutOfHeldPosesStaysAJump) {
  for (const double rate : {6.0, 12.0, 30.0}) {
    const Clip clip = with_teleport(rate, 1, {4, 0, 0}, Interpolation::step);
    const ClipMotion motion = motion_of(clip);
    ASSERT_EQ(motion.cuts.size(), 1u) << rate;
    ASSERT_TRUE(motion.driven);
    EXPECT_LT(motion.cuts[0].end - motion.cuts[0].begin, 1e-3);
    std::vector<double> before(3), after(3);
    evaluate(motion.driven->channels[1], motion.cuts[0].begin, before);
    evaluate(motion.driven->channels[1], motion.cuts[0].end, after);
    EXPECT_GT(after[0] - before[0], 3.9) << rate;
  }
}

// Key times are single precision: a key that falls on a frame counts for it.
TEST(ClipMotion, AStepOnAFrameCountsForTheFrame) {
  Channel steps{0, ChannelPath::translation, Interpolation::step, {}, 3, {}};
  for (int k = 0; k <= 120; ++k) {
    steps.times.push_back(static_cast<double>(static_cast<float>(k / 12.0)));
    steps.values.insert(steps.values.end(), {double(k), 0, 0});
  }
  std::vector<double> value(3);
  for (int frame = 0; frame <= 240; ++frame) {
    evaluate(steps, frame / 24.0, value);
    EXPECT_EQ(value[0], frame / 2) << frame;
  }
}

TEST(ClipMotion, OneSentenceTellsOfAllCuts) {
  EXPECT_EQ(describe_cuts("clip 'Run'", {}), "");
  const std::vector<Cut> cuts{{0.9, 1, 0.2}, {1.9, 2, 5}};
  EXPECT_EQ(
      describe_cuts("clip 'Run'", cuts),
      "In clip 'Run' the rig jumps at 1 s and 2 s, by up to 5 m, which its motion before and after does not explain: "
      "this counts as a cut, across which the flesh is carried along.");
}

}  // namespace
}  // namespace sinew
