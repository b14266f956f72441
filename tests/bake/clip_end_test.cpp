// What a clip's end is taken for, on points that move as a formula says; and what that does to the flesh of a tube.
#include "sinew/bake/clip_end.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "sinew/bake/come_to_rest.h"
#include "sinew/bake/loop_closing.h"
#include "sinew/bake/quality.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;
using std::numbers::pi;

// Two limbs of a body one metre high: how far each is moved along x, and the whole body's way, metres.
struct Moved {
  double left = 0, right = 0;
  Affine body{};
};
using Motion = std::function<Moved(double seconds)>;

std::vector<Vec3> limbs(const Moved& moved) {
  std::vector<Vec3> points;
  for (int k = 0; k <= 10; ++k) {
    const double height = 0.1 * k;
    points.push_back(moved.body * Vec3{moved.left * height, height, 0.2});
    points.push_back(moved.body * Vec3{moved.right * height, height, -0.2});
  }
  return points;
}

ClipEnd end_of(double seconds, const Motion& motion, bool travels = true) {
  std::vector<std::vector<Vec3>> surface;
  const int looks = sample_count_of_clip(seconds);
  for (int k = 0; k < looks; ++k) surface.push_back(limbs(motion(seconds * k / (looks - 1))));
  return clip_end(surface, seconds / (looks - 1), travels);
}

double swing(double seconds, double period, double phase = 0) {
  return 0.2 * std::sin(2 * pi * seconds / period + phase);
}

// Goes there and back between two times, at rest before and after.
double there_and_back(double seconds, double from, double to) {
  if (seconds <= from || seconds >= to) return 0;
  const double s = (seconds - from) / (to - from);
  return 0.3 * std::pow(std::sin(pi * s), 2);
}

TEST(ClipEnd, CyclesMoveOn) {
  const auto walk = [](double t) { return Moved{swing(t, 1), -swing(t, 1)}; };
  EXPECT_EQ(end_of(1, walk).ending, Ending::moving_on);
  EXPECT_EQ(end_of(3, walk).ending, Ending::moving_on);
  // Cut where both limbs turn: no speed, all acceleration.
  EXPECT_EQ(end_of(1,
                   [](double t) {
                     return Moved{swing(t, 1, pi / 2), -swing(t, 1, pi / 2)};
                   })
                .ending,
            Ending::moving_on);
  // Breathing, as between three keys that are eased.
  EXPECT_EQ(end_of(4,
                   [](double t) {
                     return Moved{0.02 * (1 - std::cos(2 * pi * t / 4)), 0};
                   })
                .ending,
            Ending::moving_on);
}

TEST(ClipEnd, ACycleMayLackTheFrameThatIsItsFirstOneAgain) {
  const ClipEnd end = end_of(1 - 1 / 24.0, [](double t) { return Moved{swing(t, 1), -swing(t, 1)}; });
  EXPECT_EQ(end.ending, Ending::moving_on) << end.why;
  // Half of a cycle is none.
  EXPECT_EQ(end_of(0.4, [](double t) { return Moved{swing(t, 1), -swing(t, 1)}; }).ending, Ending::elsewhere);
}

TEST(ClipEnd, AWalkThatTravelsIsACycle) {
  // Round a circle of three metres.
  const auto along = [](double t) {
    const Mat3 turned = to_matrix(axis_angle({0, 1, 0}, 0.5 * t));
    return Affine{turned, Vec3{0, 0, 3} - turned * Vec3{0, 0, 3}};
  };
  const auto walk = [&](double t) { return Moved{swing(t, 1), -swing(t, 1), along(t)}; };
  const ClipEnd end = end_of(1, walk);
  EXPECT_EQ(end.ending, Ending::moving_on) << end.why;
  EXPECT_LT(frobenius_norm(end.travel.linear - along(1).linear), 1e-6);
  EXPECT_LT(distance(end.travel.translation, along(1).translation), 1e-6);
  EXPECT_EQ(end_of(1, walk, false).ending, Ending::elsewhere);
  // Up is elsewhere.
  EXPECT_EQ(end_of(1, [](double t) { return Moved{swing(t, 1), 0, {{}, {0, 0.5 * t, 0}}}; }).ending, Ending::elsewhere);
}

// Root motion and a last frame that is left out, together: each round goes on where the frame would have been.
TEST(ClipEnd, AWalkThatTravelsMayLackItsLastFrameToo) {
  for (const double rate : {24.0, 30.0}) {
    const auto along = [](double t) { return Affine{{}, {1.2 * t, 0, 0.3 * t}}; };
    const auto walk = [&](double t) { return Moved{swing(t, 1), -swing(t, 1), along(t)}; };
    const ClipEnd end = end_of(1 - 1 / rate, walk);
    EXPECT_EQ(end.ending, Ending::moving_on) << end.why;
    EXPECT_LT(distance(end.travel.translation, along(1).translation), 0.01) << rate;
    EXPECT_EQ(end_of(0.4, walk).ending, Ending::elsewhere);
    EXPECT_EQ(end_of(1 - 1 / rate, walk, false).ending, Ending::elsewhere);
  }
}

TEST(ClipEnd, WhatStandsOrStopsThereComesToRest) {
  const ClipEnd attack = end_of(1.5, [](double t) { return Moved{there_and_back(t, 0.3, 1.1), 0}; });
  EXPECT_EQ(attack.ending, Ending::at_rest) << attack.why;
  // A hit: off at once, back slowly.
  const ClipEnd hit = end_of(1, [](double t) { return Moved{0.3 * std::sin(pi * t) * std::exp(-6 * t), 0}; });
  EXPECT_EQ(hit.ending, Ending::at_rest) << hit.why;
  // A jerk at the loop_blend: up a slope, and down where it began.
  const ClipEnd pulse = end_of(2, [](double t) { return Moved{0.3 * std::sin(pi * t / 2), 0}; });
  EXPECT_EQ(pulse.ending, Ending::at_rest) << pulse.why;
  EXPECT_EQ(end_of(1, [](double) { return Moved{}; }).why, "stands still");
}

TEST(ClipEnd, DeathsEndElsewhere) {
  const auto death = [](double t) {
    const double s = std::min(t, 1.0);
    return Moved{0, 0, {to_matrix(axis_angle({0, 0, 1}, pi / 2 * s * s)), {}}};
  };
  EXPECT_EQ(end_of(2, death).ending, Ending::elsewhere);
  EXPECT_EQ(end_of(1, death).ending, Ending::elsewhere);
}

// A swing that dies away is told from six frames of it, and what all rounds to come would add is their sum.
TEST(LoopClosing, AddsTheRoundsToCome) {
  const double rate = 0.9, angle = 0.4, length = 12.5;
  const auto difference = [&](double frames) { return std::pow(rate, frames) * std::cos(angle * frames + 0.3); };
  LoopClosing::Limits limits{13, length, 1e-9, 6, 8};
  limits.swing = {{0.97, 0.1}, {0.7, 1}};
  LoopClosing closing(limits);
  std::int64_t frame = 0;
  while (!closing.add(1, frame, {{difference(static_cast<double>(frame)), 0, 0}}, {})) ++frame;
  EXPECT_EQ(frame, 8);
  ASSERT_TRUE(closing.fades());
  for (std::int64_t f = 0; f < 13; ++f) {
    double sum = 0;
    for (int round = f > 8 ? 0 : 1; round < 40; ++round) sum += difference(static_cast<double>(f) + round * length);
    std::array<Vec3, 1> due;
    closing.due(f, due, {});
    EXPECT_NEAR(due[0].x, sum, 1e-6) << f;
  }
}

TEST(LoopClosing, IsDoneWhereNothingDiffers) {
  LoopClosing closing({30, 29, 1e-3, 5});
  std::int64_t frame = 0;
  while (!closing.add(1, frame, {{frame < 4 ? 1.0 : 1e-4, 0, 0}}, {})) ++frame;
  EXPECT_EQ(frame, 8);
  EXPECT_FALSE(closing.fades());
}

// Bends there and back, quickly, and stands.
Character with_bend(double until, double length, double last_angle = 0) {
  Character character = tube_character();
  Clip& clip = character.clips[0];
  clip.name = "bend";
  clip.end = length;
  Channel& bend = clip.channels[0];
  bend.times.clear();
  bend.values.clear();
  for (int k = 0; k <= 60; ++k) {
    const double t = length * k / 60, s = std::min(t / until, 1.0);
    const double angle = 0.8 * std::pow(std::sin(pi * s), 2) + last_angle * s * s * (3 - 2 * s);
    bend.times.push_back(t);
    bend.values.insert(bend.values.end(), {0, 0, std::sin(angle / 2), std::cos(angle / 2)});
  }
  clip.channels.resize(1);
  return character;
}

BakeResult automatic(const Character& character, Reference reference = Reference::rig) {
  BakeOptions options = options_for(0);
  options.loop = Loop::automatic;
  return test::bake(character, quick_settings(reference), options);
}

std::size_t last_frame(const BakeResult& result) { return result.recording.times.size() - 1; }

TEST(ClipEnd, AOneShotsFleshComesToRestWithoutAPop) {
  const Character character = with_bend(0.8, 1);
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    const BakeResult result = automatic(character, reference),
                     as_it_is = test::bake(character, quick_settings(reference), options_for(0));
    const std::size_t last = last_frame(result);
    ASSERT_TRUE(result.report.end.has_value());
    EXPECT_EQ(result.report.end->decided, "comes to rest");
    EXPECT_GT(frame_difference(as_it_is, last, as_it_is, 0), 2e-3) << "there is nothing to bring to rest";
    EXPECT_LT(frame_difference(result, last, result, 0), 1e-6);
    EXPECT_LT(frame_difference(result, last - 1, result, last), 1e-3) << "it still moves";
    EXPECT_EQ(frame_difference(result, last / 2, as_it_is, last / 2), 0) << "only its end changes";
  }
}

TEST(ClipEnd, WhatEndsElsewhereIsLeftAlone) {
  const Character character = with_bend(0.8, 1, 1.2);
  const BakeResult result = automatic(character);
  ASSERT_TRUE(result.report.end.has_value());
  EXPECT_EQ(result.report.end->decided, "ends elsewhere");
  EXPECT_EQ(values(result), values(test::bake(character, quick_settings(), options_for(0))));
}

// A ball falls once, so that a clip which loops without it ends as it is.
TEST(ClipEnd, ClipsWithFallingBallsAreNotLooped) {
  const Character character = tube_character();
  FleshSettings settings = quick_settings();
  BakeOptions options = options_for(0);
  options.loop = Loop::automatic;
  const BakeResult alone = test::bake(character, settings, options);
  ASSERT_TRUE(alone.report.end.has_value());
  EXPECT_EQ(alone.report.end->decided, "loops");
  ColliderSettings ball;
  ball.point = {5, 1, 0};  // falls beside the tube
  ball.radius = 0.1;
  ball.falls = true;
  settings.colliders = {ball};
  const BakeResult result = test::bake(character, settings, options);
  EXPECT_FALSE(result.report.end.has_value());
  EXPECT_EQ(values(result), values(test::bake(character, settings, options_for(0))));
  options.loop = Loop::on;
  EXPECT_NE(refusal(ErrorKind::usage, [&] { test::bake(character, settings, options); }).find("ball"),
            std::string::npos);
}

TEST(ClipEnd, RangesAndTakesAreLeftAlone) {
  const Character character = tube_character();
  BakeOptions options = options_for(0);
  options.loop = Loop::automatic;
  options.begin = 0;
  EXPECT_FALSE(test::bake(character, quick_settings(), options).report.end.has_value());
  options.begin.reset();
  Action poke;
  poke.point = {0, 0.8, 0.12};
  poke.force = {0, 0, -1};
  poke.radius = 0.1;
  poke.seconds = 0.1;
  options.take.push_back({0.1, poke});
  EXPECT_FALSE(test::bake(character, quick_settings(), options).report.end.has_value());
}

// The tube swings as it does on the spot while it is carried along: in its own frames, flesh does the same.
TEST(ClipEnd, ALoopThatTravelsIsTheLoopOnTheSpot) {
  const Character spot = tube_character();
  Character travels = spot;
  Channel& way = travels.clips[0].channels[1];
  for (std::size_t k = 0; k < way.times.size(); ++k) way.values[3 * k + 2] += 1.5 * way.times[k];
  const BakeResult there = automatic(travels), here = automatic(spot);
  EXPECT_EQ(there.report.end->decided, "loops");
  EXPECT_EQ(there.report.end->why, "moves on through its end, farther along");
  EXPECT_LT(frame_difference(there, 0, there, last_frame(there)), 1e-6);
  for (std::size_t f = 0; f <= last_frame(there); ++f) EXPECT_LT(frame_difference(there, f, here, f), 2e-4) << f;
}

// The tube's cycle, so many times as fast, without its last frame.
Character with_a_frame_left_out(double faster) {
  Character character = tube_character();
  Clip& clip = character.clips[0];
  for (Channel& channel : clip.channels) {
    channel.times.pop_back();
    channel.values.resize(channel.values.size() - static_cast<std::size_t>(channel.components));
    for (double& time : channel.times) time /= faster;
  }
  clip.end = clip.channels[0].times.back();
  return character;
}

// Its rig jumps over the loop_blend; flesh does not feel it.
TEST(ClipEnd, AFrameThatIsLeftOutIsNoJerk) {
  const BakeResult result = automatic(with_a_frame_left_out(1)), whole = automatic(tube_character());
  EXPECT_EQ(result.report.end->decided, "loops") << result.report.end->why;
  EXPECT_LT(largest_value(result), 1.3 * largest_value(whole));
}

// Flesh is simulated where bones are led to the loop's beginning, and written where the clip has them: its edges are
// bounded there.
TEST(ClipEnd, WhatIsLedThroughASeamIsBoundedWhereItIsWritten) {
  const Character character = with_a_frame_left_out(2);
  FleshSettings settings = quick_settings();
  settings.young = 5000;
  settings.elasticity = Elasticity::linear;  // does not stiffen, so that the bound acts
  BakeOptions options = options_for(0, 60);
  options.loop = Loop::automatic;
  const BakeResult result = test::bake(character, settings, options);
  ASSERT_EQ(result.report.end->decided, "loops") << result.report.end->why;
  const Quality quality = measure_quality(character, result.recording);
  EXPECT_GT(quality.worst.value(), 1.25) << "nothing had to be bounded";
  EXPECT_LT(quality.worst.value(), 1.32);
}

}  // namespace
}  // namespace sinew
