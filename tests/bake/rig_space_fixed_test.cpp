// Keys that fix free parameters of rig-space physics: bakes meet them, leave what was before them, and what runs again
// around an edit equals a run from the start.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sinew/bake/curve_run.h"
#include "sinew/deform/rig_controls.h"
#include "sinew/files/fixed_keys_json.h"
#include "tests/bake/rig_space_scenes.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

using namespace test;

constexpr double rate_of_fixed = 50;  // frames per second: every other step

// The tube on a clip that bends and shakes it, with its upper half free.
struct FixedTube {
  Character character = tube_character();
  RigSpaceSettings settings = quick({"upper.translation.*"});
  CookedRigSpace scene;

  explicit FixedTube(bool adaptive = false) {
    settings.adaptive = adaptive;
    scene = cooked(character, settings);
  }

  RigSpaceSettings with(const std::vector<FixedStretch>& stretches) const {
    RigSpaceSettings result = settings;
    result.keys = fixed_keys_json({{{"swing", stretches}}});
    return result;
  }
  BakeResult bake(const std::vector<FixedStretch>& stretches, const Progress& progress = {},
                  BakeOptions options = options_for(0, rate_of_fixed)) const {
    return baked(character, scene, with(stretches), options, progress);
  }
};

double value_of(const BakeResult& result, std::size_t frame, std::size_t parameter) {
  return result.curves->values[3 * frame + parameter];
}

const std::vector<FixedStretch>& lift() {
  static const std::vector<FixedStretch> keys{
      {"upper.translation.y", 0.1, {{0.4, 0.01, 0.0, 0.0}, {0.5, 0.03, {}, {}}, {0.6, 0.02, -0.1, -0.1}}}};
  return keys;
}

TEST(FixedRigSpace, MeetsItsKeysAndLeavesWhatWasBefore) {
  for (const bool adaptive : {false, true}) {
    const FixedTube tube(adaptive);
    const BakeResult free = tube.bake({}), fixed = tube.bake(lift());
    ASSERT_EQ(free.curves->times.size(), 51u);
    double after = 0;
    for (std::size_t frame = 0; frame <= 50; ++frame) {
      const double time = free.curves->times[frame];
      if (time >= 0.4 && time <= 0.6) {
        EXPECT_NEAR(value_of(fixed, frame, 1), curve_at(lift()[0].keys, time).value, 1e-12) << time;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        if (time <= 0.3 - 0.01)
          EXPECT_EQ(value_of(fixed, frame, i), value_of(free, frame, i)) << time;
        else
          after = std::max(after, std::abs(value_of(fixed, frame, i) - value_of(free, frame, i)));
      }
    }
    EXPECT_GT(after, 0.01);
    // Let go, it comes back towards where it was without keys.
    EXPECT_LT(std::abs(value_of(fixed, 50, 1) - value_of(free, 50, 1)), 0.01);
  }
}

// Keys at the values that physics gives, on every step, are no change but for the solver's tolerance. Damping is left
// out, since it is that of the last Hessian, which keys renew at other steps.
TEST(FixedRigSpace, KeysOnTheCurveItselfChangeNothing) {
  FixedTube tube;
  tube.settings.damping = 0;
  tube.settings.deferred = false;
  tube.scene = cooked(tube.character, tube.settings);
  const BakeResult free = tube.bake({}, {}, options_for(0, 100));
  FixedStretch own{"upper.translation.x", 0, {}};
  for (std::size_t step = 20; step <= 70; ++step)
    own.keys.push_back({free.curves->times[step], value_of(free, step, 0), {}, {}});
  const BakeResult fixed = tube.bake({own}, {}, options_for(0, 100));
  double worst = 0;
  for (std::size_t k = 0; k < free.curves->values.size(); ++k)
    worst = std::max(worst, std::abs(fixed.curves->values[k] - free.curves->values[k]));
  EXPECT_GT(largest_curve(free), 0.005);
  EXPECT_LT(worst, 1e-3 * largest_curve(free));
}

TEST(FixedRigSpace, BeginsAtKeysThatHoldAtTheStart) {
  const FixedTube tube;
  const BakeResult result = tube.bake({{"upper.translation.y", 0.1, {{-0.1, 0.02, 0.0, 0.0}, {0.2, 0.02, 0.0, 0.0}}}});
  EXPECT_NEAR(value_of(result, 0, 1), 0.02, 1e-15);
  EXPECT_NEAR(value_of(result, 5, 1), 0.02, 1e-15);
  EXPECT_LT(std::abs(value_of(result, 50, 1)), 0.01);
}

TEST(FixedRigSpace, ResumesWithTheSameFrames) {
  const FixedTube tube;
  const BakeResult whole = tube.bake(lift());
  BakeOptions options = options_for(0, rate_of_fixed);
  options.checkpoint = scratch_path("checkpoint");
  options.resume = true;
  int frames = 0;
  const BakeResult stopped = tube.bake(
      lift(), [&](const ProgressReport&) { return ++frames < 24; }, options);
  ASSERT_FALSE(stopped.complete);
  const BakeResult resumed = tube.bake(lift(), {}, options);
  EXPECT_EQ(resumed.curves->values, whole.curves->values);
}

TEST(FixedRigSpace, NamesParametersThatAreNotFree) {
  const FixedTube tube;
  EXPECT_EQ(refusal(ErrorKind::input,
                    [&] {
                      tube.bake({{"upper.rotation.x", 0.1, {{0, 0, {}, {}}}}});
                    }),
            "keys: clip 'swing': 'upper.rotation.x' is not among the parameters that physics moves: did you mean "
            "'upper.translation.x'?");
}

// A curve run is a bake of the curves alone; after an edit it begins at a kept frame, and has the bits of a whole run.
TEST(CurveRun, AroundAnEditEqualsARunFromTheStart) {
  const FixedTube tube;
  const RigAnimation* none = nullptr;
  const auto scene_of = [&](const std::vector<FixedStretch>& keys) {
    const RigSpaceSettings settings = tube.with(keys);
    Scene scene = rig_space_scene(borrowed(tube.scene), settings, read_fixed_keys(tube.scene, settings));
    auto controls = std::make_shared<RigControls>();
    const auto animation = std::make_shared<ClipAnimation>(dynamic_cast<const CharacterRig&>(*tube.scene.whole_rig),
                                                           tube.character.clips[0]);
    controls->animation = [animation, none](int clip) { return clip < 0 ? none : animation.get(); };
    scene.controls = controls;
    return scene;
  };
  const Scene free = scene_of({}), fixed = scene_of(lift());
  CurveRun run(tube.character, free, {.clip = 0, .frames_per_second = rate_of_fixed});
  while (!run.done()) run.advance();
  EXPECT_EQ(run.curves().values, tube.bake({}).curves->values);
  const std::size_t first = run.change(fixed);
  EXPECT_EQ(first, 10u);  // of the frames that are kept at 0, 0.2 s, ..., the last one before 0.3 s
  int frames = 0;
  for (; !run.done(); ++frames) run.advance();
  EXPECT_EQ(frames, 41);
  EXPECT_EQ(run.curves().values, tube.bake(lift()).curves->values);
  EXPECT_EQ(run.change(free), 10u);
  while (!run.done()) run.advance();
  EXPECT_EQ(run.curves().values, tube.bake({}).curves->values);

  // Two edits before the run goes on.
  std::vector<FixedStretch> later = lift();
  later[0].keys.back().value = 0.025;
  const Scene both = scene_of(later);
  run.change(fixed);
  EXPECT_LE(run.change(both), 10u);
  while (!run.done()) run.advance();
  EXPECT_EQ(run.curves().values, tube.bake(later).curves->values);
}

}  // namespace
}  // namespace sinew
