// Clips at the pace of a clock that the test turns: the same bits for the same readings, and what is refused.
#include "sinew/bake/bake_real_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/cook/methods.h"
#include "sinew/cook/mixed/mixed_scene.h"
#include "sinew/cook/surface/surface_scene.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/runtime_file.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/cook/light_methods.h"

namespace sinew {
namespace {

using namespace test;

FleshSettings settings_in_lattice() {
  FleshSettings settings = look_settings();
  settings.lattice.file = auto_lattice;
  return settings;
}

const Character& tube() {
  static const Character character = tube_character();
  return character;
}

const CookedFlesh& scene_of_tube() {
  static const CookedFlesh scene = [] {
    CookedFlesh result = prepare_flesh(tube(), settings_in_lattice());
    const ControlLattice lattice = build_lattice(tube(), result.surface, {100}).lattice;
    result.lattice = prepare_lattice(result, lattice, settings_in_lattice());
    result.lattice_steps = cook_for_steps(result.lattice, longest_real_time_step);
    return result;
  }();
  return scene;
}

// Every look at the clock takes `cost` of the time then, and waiting only what it must.
struct FakeClock {
  std::function<double(double)> cost;
  double time = 0;
  int waits = 0;

  WallClock clock() {
    return {[this] { return time += cost(time); },
            [this](double until) {
              ++waits;
              time = std::max(time, until);
            }};
  }
};

BakeResult play(FakeClock& fake, double speed = 1, const Progress& progress = {},
                const FleshSettings& settings = settings_in_lattice()) {
  const WallClock clock = fake.clock();
  const auto cooked = std::shared_ptr<const CookedFlesh>(std::shared_ptr<const CookedFlesh>(), &scene_of_tube());
  return bake_real_time(tube(), flesh_scene(cooked, settings), nullptr, options_for(0), speed, clock, progress);
}

// What is done in a take acts at its times: with steps of one length as in a bake, whatever the clock says, and with
// several from the first step on that begins after it.
TEST(BakeRealTime, DoesWhatATakeDoesAtItsTimes) {
  const Scene scene = [] {
    const FleshSettings settings = quick_settings();
    return flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(tube(), settings)), settings);
  }();
  BakeOptions options = options_for(0);
  Action poke;
  poke.point = {0.1, 0.9, 0};
  poke.force = {-20, 0, 5};
  poke.radius = 0.1;
  poke.seconds = 0.1;
  Action gravity;
  gravity.kind = Action::Kind::gravity;
  gravity.gravity = {0, 0, 0};
  options.take = {{0.2, poke}, {0.5, gravity}};
  const BakeResult baked = bake(tube(), scene, nullptr, options);
  EXPECT_NE(values(baked), values(bake(tube(), scene, nullptr, options_for(0))));
  for (const double cost : {1e-6, 0.003}) {
    FakeClock fake{[=](double) { return cost; }};
    const WallClock clock = fake.clock();
    EXPECT_EQ(values(bake_real_time(tube(), scene, nullptr, options, 1, clock)), values(baked)) << cost;
  }
  const auto cooked = std::shared_ptr<const CookedFlesh>(std::shared_ptr<const CookedFlesh>(), &scene_of_tube());
  const Scene lattice = flesh_scene(cooked, settings_in_lattice());
  const auto play = [&](const BakeOptions& asked) {
    FakeClock fake{[](double time) { return time < 0.1 ? 1e-6 : 0.01; }};
    return bake_real_time(tube(), lattice, nullptr, asked, 1, fake.clock());
  };
  const BakeResult once = play(options), again = play(options), calm = play(options_for(0));
  EXPECT_GT(once.report.real_time->steps.back().count + once.report.real_time->steps[1].count, 0);
  EXPECT_EQ(values(once), values(again));
  // Nothing is done before its time; soon after, much is.
  const auto frame_of = [](double seconds) { return static_cast<std::size_t>(30 * seconds); };
  for (std::size_t frame = 0; frame <= frame_of(0.2); ++frame)
    ASSERT_EQ(frame_difference(once, frame, calm, frame), 0) << frame;
  EXPECT_GT(frame_difference(once, frame_of(0.2) + 4, calm, frame_of(0.2) + 4), 1e-3);
}

int steps_of(const BakeResult& result, std::size_t choice) { return result.report.real_time->steps[choice].count; }

// A machine fast enough shows what a bake with its fixed step does, to the bit.
TEST(BakeRealTime, AFastMachineShowsTheMotionOfTheFixedStep) {
  const BakeResult fixed = bake_flesh(tube(), scene_of_tube(), settings_in_lattice(), options_for(0));
  for (const double speed : {0.5, 1.0, 2.0}) {
    FakeClock fake{[](double) { return 1e-5; }};
    const BakeResult result = play(fake, speed);
    ASSERT_TRUE(result.report.real_time);
    const RealTimeReport& report = *result.report.real_time;
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(values(result), values(fixed));
    EXPECT_EQ(result.recording.times, fixed.recording.times);
    EXPECT_EQ(report.times_behind, 0);
    EXPECT_EQ(steps_of(result, 0), 240);
    EXPECT_NEAR(report.simulated_seconds, 1, 0.01);
    EXPECT_NEAR(report.seconds * speed, 1, 0.05);
    EXPECT_NEAR(report.steps_per_second, 240 * speed, 12 * speed);
    EXPECT_GT(fake.waits, 25);
    EXPECT_EQ(result.report.frames.size(), 31u);
  }
}

TEST(BakeRealTime, ASlowMachineShowsTheSameMotionByLongerSteps) {
  FakeClock fast{[](double) { return 1e-5; }}, slow{[](double) { return 0.006; }};
  const BakeResult expected = play(fast), result = play(slow);
  EXPECT_GT(steps_of(result, 1) + steps_of(result, 2), 50);
  EXPECT_EQ(values(result).size(), values(expected).size());
  const RealTimeReport& report = *result.report.real_time;
  EXPECT_NEAR(report.simulated_seconds + report.seconds_behind, report.seconds, 0.2);
  double most = 0;
  for (std::size_t frame = 0; frame < 31; ++frame)
    most = std::max(most, frame_difference(result, frame, expected, frame));
  EXPECT_GT(most, 0);
  EXPECT_LT(most, 0.25 * largest_value(expected));
}

TEST(BakeRealTime, HalfASecondLostIsReportedAndJumpsNothing) {
  bool lost = false;
  FakeClock fake{[&](double now) {
    if (lost || now < 0.5) return 1e-5;
    lost = true;
    return 0.5;
  }};
  const BakeResult result = play(fake);
  FakeClock plain{[](double) { return 1e-5; }};
  // The clip stands still meanwhile: what is seen is the same.
  EXPECT_EQ(values(result), values(play(plain)));
  EXPECT_EQ(result.report.real_time->times_behind, 1);
  EXPECT_NEAR(result.report.real_time->seconds_behind, 0.5 - 2 * longest_real_time_step, 0.05);
}

TEST(BakeRealTime, SameReadingsSameBits) {
  std::vector<float> first;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    FakeClock fake{[](double now) { return now > 0.3 ? 0.02 : 0.001; }};
    const BakeResult result = play(fake);
    EXPECT_GT(steps_of(result, 3), 0);
    if (first.empty()) first = values(result);
    EXPECT_EQ(values(result), first);
  }
  set_thread_count(0);
}

Scene made_scene(const std::string& name) { return test::light_scene(tube(), name); }

// Every method, with its one step or with none: what is seen is what a bake gives, and a slow machine runs slow.
TEST(BakeRealTime, PlaysAnyMethod) {
  const auto tetrahedra = std::make_shared<const CookedFlesh>(prepare_flesh(tube(), quick_settings()));
  MixedSettings posed;
  posed.tetrahedra = 600;
  const auto mixed = std::make_shared<const CookedMixed>(prepare_mixed(tube(), posed));
  SurfaceModel model = build_surface_model(tube(), simulation_surface(tube()), {});
  model.reach = 0.1;
  const auto learned =
      std::make_shared<const CookedSurface>(prepare_surface(tube(), cook_runtime_file(model), "tube.surface"));
  for (const Scene& scene : {flesh_scene(tetrahedra, quick_settings()), mixed_scene(mixed, posed),
                             surface_scene(learned), made_scene("springs"), made_scene("dualquat")}) {
    const BakeResult fixed = bake(tube(), scene, nullptr, options_for(0));
    for (const double cost : {1e-5, 0.05}) {
      FakeClock fake{[&](double) { return cost; }};
      const WallClock clock = fake.clock();
      const BakeResult result = bake_real_time(tube(), scene, nullptr, options_for(0), 1, clock);
      EXPECT_EQ(values(result), values(fixed)) << scene.method;
      EXPECT_EQ(result.recording.times, fixed.recording.times) << scene.method;
      const RealTimeReport& report = *result.report.real_time;
      ASSERT_EQ(report.steps.size(), 1u) << scene.method;
      EXPECT_NEAR(report.simulated_seconds, 1, 1.0 / 30) << scene.method;
      EXPECT_EQ(report.times_behind > 0, cost > 1e-3) << scene.method;
      EXPECT_EQ(report.seconds_behind > 1, cost > 1e-3) << scene.method;
    }
  }
}

TEST(BakeRealTime, StopsWhereItIsAsked) {
  FakeClock fake{[](double) { return 1e-5; }};
  int calls = 0;
  const BakeResult result = play(fake, 1, [&](const ProgressReport&) { return ++calls < 10; });
  EXPECT_FALSE(result.complete);
  EXPECT_LT(result.recording.times.size(), 31u);
}

TEST(BakeRealTime, GrabsFollowTheirHandsAtEveryStep) {
  FleshSettings settings = settings_in_lattice();
  GrabSettings grab;
  grab.point = {0.12, 0.8, 0};
  grab.to = {0.2, 0.8, 0};
  settings.grabs.push_back(grab);
  FakeClock fake{[](double) { return 0.006; }};
  const BakeResult result = play(fake, 1, {}, settings);
  EXPECT_TRUE(std::all_of(values(result).begin(), values(result).end(), [](float v) { return std::isfinite(v); }));
  FakeClock free{[](double) { return 0.006; }};
  EXPECT_NE(values(result), values(play(free)));
}

TEST(BakeRealTime, RefusesWhatCannotBe) {
  FakeClock fake{[](double) { return 1e-5; }};
  const WallClock clock = fake.clock();
  const Scene scene = made_scene("springs");
  const auto refuse = [&](const BakeOptions& options, double speed, const std::string& words) {
    const std::string sentence =
        refusal(ErrorKind::usage, [&] { bake_real_time(tube(), scene, nullptr, options, speed, clock); });
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  };
  BakeOptions loop = options_for(0), checkpoint = options_for(0);
  loop.loop = Loop::on;
  checkpoint.checkpoint = "state.bin";
  refuse(loop, 1, "--loop");
  refuse(checkpoint, 1, "checkpoint");
  refuse(options_for(0), 0, "speed");
}

}  // namespace
}  // namespace sinew
