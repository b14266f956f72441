// Work that cannot wait is not kept waiting by a step that takes long: the step is given up, and made again.
#include "studio/server/live/live_player.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "tests/bake/tube_character.h"
#include "tests/session/shown_surfaces.h"

namespace sinew::studio {
namespace {

using namespace test;
using namespace std::chrono_literals;

constexpr auto slow_step = 1000ms, soon = 500ms;

// Flesh whose steps take long, in many loops, once they are asked to.
class SlowFlesh final : public Deformer {
 public:
  SlowFlesh(std::unique_ptr<Deformer> flesh, const std::atomic<bool>& slow)
      : flesh_(std::move(flesh)), traits_(flesh_->traits()), slow_(slow) {
    traits_.steps.clear();  // the player would choose longer ones
  }
  const DeformerTraits& traits() const override { return traits_; }
  void reset(const RigState& rig, const RigState& next) override { flesh_->reset(rig, next); }
  void advance(const RigState& rig, const Environment& environment) override {
    flesh_->advance(rig, environment);
    for (auto spent = 0ms; slow_ && spent < slow_step; spent += 10ms)
      parallel_for(1, 1, [](std::size_t) { std::this_thread::sleep_for(10ms); });
  }
  void goal(const RigState& rig, std::span<Vec3> surface) override { flesh_->goal(rig, surface); }
  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    flesh_->displacements(rig, before, surface);
  }
  std::span<const Vec3> points() const override { return flesh_->points(); }
  EmbeddedSurface* embedded() override { return flesh_->embedded(); }
  StepStatistics statistics() const override { return flesh_->statistics(); }
  void save(Snapshot& snapshot) const override { flesh_->save(snapshot); }
  void load(const Snapshot& snapshot, const RigState& rig, double reach) override {
    flesh_->load(snapshot, rig, reach);
  }

 private:
  std::unique_ptr<Deformer> flesh_;
  DeformerTraits traits_;
  const std::atomic<bool>& slow_;
};

class LivePlayerTest : public testing::Test {
 protected:
  LivePlayerTest() {
    auto opened = std::make_shared<OpenedCharacter>();
    opened->character = tube_character();
    const FleshSettings settings = quick_settings();
    quick_ = flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(opened->character, settings)), settings);
    auto slow = std::make_shared<Scene>(quick_);
    slow->bare = [this] { return std::make_unique<SlowFlesh>(quick_.bare(), slow_); };
    loaded_.opened = opened;
    loaded_.scene = slow;
    player_.post([this](LivePlayer& player) {
      player.watch(true);
      player.enter(loaded_, loaded_.opened->character.clips[0].name, true);
    });
    std::this_thread::sleep_for(100ms);
  }

  // Seconds until the player does work that is posted now.
  std::chrono::duration<double> wait_for_work(bool can_wait) {
    const auto posted = std::chrono::steady_clock::now();
    std::promise<void> done;
    player_.post(
        0, 0, [&](LivePlayer&) { done.set_value(); }, can_wait);
    done.get_future().wait();
    return std::chrono::steady_clock::now() - posted;
  }

  Scene quick_;
  LoadedCharacter loaded_;
  std::atomic<bool> slow_ = false;
  LivePlayer player_{{}};
};

TEST_F(LivePlayerTest, WhatCannotWaitIsDoneInTheMiddleOfALongStep) {
  slow_ = true;
  std::this_thread::sleep_for(50ms);
  wait_for_work(false);  // for the first long step, which nobody expected
  for (int k = 0; k < 2; ++k) {
    std::this_thread::sleep_for(100ms);  // the next has begun
    EXPECT_LT(wait_for_work(false), soon);
  }
  std::this_thread::sleep_for(100ms);
  EXPECT_GT(wait_for_work(true), soon) << "a drag does not give the step up, or flesh would stand still under it";
}

TEST_F(LivePlayerTest, AStepThatWasGivenUpLeavesNoTrace) {
  slow_ = true;
  for (int k = 0; k < 4; ++k) {
    std::this_thread::sleep_for(100ms);
    wait_for_work(false);
  }
  slow_ = false;
  std::this_thread::sleep_for(200ms);
  std::vector<Vec3> found;
  std::int64_t steps = 0;
  double from = 0;
  std::promise<void> done;
  player_.post([&](LivePlayer& player) {
    found = shown(player.session());
    steps = player.session().save().steps;
    from = player.session().elapsed();
    done.set_value();
  });
  done.get_future().wait();
  ASSERT_GT(steps, 20);
  const Character& character = loaded_.opened->character;
  Scene scene = quick_;
  scene.bare = [this] { return std::make_unique<SlowFlesh>(quick_.bare(), slow_); };
  Playback playback = whole(character.clips[0]);
  playback.range.loop = true;
  Session undisturbed(character, scene, playback);
  while (undisturbed.elapsed() < from - 1e-9) undisturbed.step();
  EXPECT_EQ(shown(undisturbed), found);
}

}  // namespace
}  // namespace sinew::studio
