// Work that cannot wait is not kept waiting by a step that takes long: the step is given up, and made again.
#include "studio/server/live/live_player.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "tests/bake/tube_character.h"

namespace sinew::studio {
namespace {

using namespace test;
using namespace std::chrono_literals;

// A gate in which steps stop, in a loop that can be stopped, while it is closed.
struct Gate {
  std::atomic<bool> closed = false;
  std::atomic<int> entered = 0, passed = 0;

  void pass() {
    if (closed) ++entered;
    while (closed) parallel_for(1, 1, [](std::size_t) { std::this_thread::sleep_for(1ms); });
    ++passed;
  }
};

class GatedFlesh final : public Deformer {
 public:
  GatedFlesh(std::unique_ptr<Deformer> flesh, Gate& gate) : flesh_(std::move(flesh)), gate_(gate) {}
  const DeformerTraits& traits() const override { return flesh_->traits(); }
  void reset(const RigState& rig, const RigState& next) override { flesh_->reset(rig, next); }
  void advance(const RigState& rig, const Environment& environment) override {
    flesh_->advance(rig, environment);
    gate_.pass();
  }
  void goal(const RigState& rig, std::span<Vec3> surface) override { flesh_->goal(rig, surface); }
  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    flesh_->displacements(rig, before, surface);
  }
  std::span<const Vec3> points() const override { return flesh_->points(); }
  EmbeddedSurface* embedded() override { return flesh_->embedded(); }
  StepStatistics statistics() const override { return flesh_->statistics(); }
  std::size_t chosen_step() const override { return flesh_->chosen_step(); }
  void choose_step(std::size_t choice, const RigState& earlier) override { flesh_->choose_step(choice, earlier); }
  void save(Snapshot& snapshot) const override { flesh_->save(snapshot); }
  void load(const Snapshot& snapshot, const RigState& rig, double reach) override {
    flesh_->load(snapshot, rig, reach);
  }

 private:
  std::unique_ptr<Deformer> flesh_;
  Gate& gate_;
};

class LivePlayerTest : public testing::Test {
 protected:
  LivePlayerTest() {
    auto opened = std::make_shared<OpenedCharacter>();
    opened->character = tube_character();
    const FleshSettings settings = quick_settings();
    auto scene = std::make_shared<Scene>(
        flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(opened->character, settings)), settings));
    const auto bare = scene->bare;
    scene->bare = [this, bare] { return std::make_unique<GatedFlesh>(bare(), gate_); };
    loaded_.opened = opened;
    loaded_.scene = scene;
    player_.post([this](LivePlayer& player) {
      player.watch(true);
      player.enter(loaded_, loaded_.opened->character.clips[0].name, true);
    });
  }
  ~LivePlayerTest() override { gate_.closed = false; }

  // Closes the gate and waits until a step stands before it.
  void stop_a_step() {
    const int before = gate_.entered;
    std::promise<void> closed;
    player_.post([&](LivePlayer&) {
      gate_.closed = true;
      closed.set_value();
    });
    closed.get_future().wait();
    wait_for_step_after(before);
  }
  void wait_for_step_after(int before) const {
    while (gate_.entered == before) std::this_thread::sleep_for(1ms);
  }

  // Work that is posted now: ready once the player has done it.
  std::future<void> post(bool can_wait) {
    auto done = std::make_shared<std::promise<void>>();
    player_.post(
        0, 0, [done](LivePlayer&) { done->set_value(); }, can_wait);
    return done->get_future();
  }

  Gate gate_;
  LoadedCharacter loaded_;
  LivePlayer player_{{}};
};

TEST_F(LivePlayerTest, WhatCannotWaitIsDoneInTheMiddleOfAStep) {
  stop_a_step();
  for (int k = 0; k < 3; ++k) {
    const int entered = gate_.entered, passed = gate_.passed;
    post(false).wait();  // for ever, if the step were not given up
    EXPECT_EQ(gate_.passed, passed);
    wait_for_step_after(entered);  // it is made again
  }
}

TEST_F(LivePlayerTest, WhatCanWaitWaitsForTheStep) {
  stop_a_step();
  const std::future<void> drag = post(true);
  EXPECT_EQ(drag.wait_for(200ms), std::future_status::timeout);
  gate_.closed = false;
  drag.wait();
}

TEST_F(LivePlayerTest, ItEndsInTheMiddleOfAStep) {
  stop_a_step();
  player_.end();
  EXPECT_TRUE(gate_.closed);
}

TEST_F(LivePlayerTest, AStreamOfUrgentWorkLetsTheFleshMove) {
  stop_a_step();
  gate_.closed = false;
  const int passed = gate_.passed;
  for (int k = 0; k < 200 && gate_.passed < passed + 5; ++k) {
    post(false).wait();
    std::this_thread::sleep_for(2ms);
  }
  EXPECT_GE(gate_.passed, passed + 5);
}

}  // namespace
}  // namespace sinew::studio
