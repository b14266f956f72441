// A session whose steps change in length: at the clock's pace, looked at between steps, kept and restored.
#include "sinew/session/real_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "sinew/bake/bake.h"
#include "sinew/bake/bake_real_time.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/cook/methods.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;

class ChangingSteps : public testing::Test {
 protected:
  static const Character& tube() {
    static const Character character = tube_character();
    return character;
  }
  static const Scene& scene() {
    static const Scene made = [] {
      FleshSettings settings = quick_settings();
      settings.lattice.file = auto_lattice;
      auto cooked = std::make_shared<CookedFlesh>(prepare_flesh(tube(), settings));
      cooked->lattice = prepare_lattice(*cooked, build_lattice(tube(), cooked->surface, {100}).lattice, settings);
      cooked->lattice_steps = cook_for_steps(cooked->lattice, longest_real_time_step);
      return flesh_scene(std::shared_ptr<const CookedFlesh>(cooked), settings);
    }();
    return made;
  }

  static std::vector<Vec3> surface_of(Session& session) {
    std::vector<Vec3> positions(session.scene().surface->rest.positions.size());
    session.surface(positions);
    return positions;
  }

  static double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double most = 0;
    for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, distance(a[v], b[v]));
    return most;
  }

  static Action hold() {
    Action action;
    action.kind = Action::Kind::grab;
    action.name = "hand";
    action.point = {0.12, 0.8, 0};
    action.target = {0.2, 0.8, 0};
    return action;
  }

  Session session_{tube(), scene(), whole(tube().clips[0])};
};

TEST_F(ChangingSteps, TimeIsTheSumOfStepsMade) {
  const std::span<const double> steps = session_.deformer().steps();
  ASSERT_EQ(steps.size(), 5u);
  double sum = 0;
  for (const std::size_t choice : {0u, 2u, 1u, 4u, 0u, 3u}) {
    session_.choose_step(choice);
    EXPECT_DOUBLE_EQ(session_.elapsed(), sum);
    for (int k = 0; k < 3; ++k) session_.step();
    sum += 3 * steps[choice];
    EXPECT_DOUBLE_EQ(session_.elapsed(), sum);
    EXPECT_NEAR(session_.before(sum - 0.25 * steps[choice]), 0.25, 1e-12);
  }
  refusal(ErrorKind::usage, [&] { session_.choose_step(5); });
  session_.play(whole(tube().clips[0]));
  EXPECT_EQ(session_.deformer().chosen_step(), 0u);
  EXPECT_EQ(session_.elapsed(), 0);
}

// A change moves nothing, neither at the end of the last step nor within it.
TEST_F(ChangingSteps, WhatIsShownDoesNotChange) {
  session_.choose_step(2);
  session_.advance(0.2 + 0.3 / 60);
  ASSERT_GT(session_.elapsed(), session_.displayed_time() + 1e-3);
  const std::vector<Vec3> before = surface_of(session_);
  for (const std::size_t choice : {3u, 0u, 1u}) {
    session_.choose_step(choice);
    EXPECT_EQ(surface_of(session_), before) << choice;
  }
}

// Longer steps show about what a bake of the fixed step does, and the shorter they are the closer.
TEST_F(ChangingSteps, FollowsTheBakedMotion) {
  const BakeResult baked = bake(tube(), scene(), nullptr, options_for(0, 60));
  const auto distance_from_baked = [&](std::size_t longer) {
    Session session(tube(), scene(), whole(tube().clips[0]));
    std::vector<Vec3> goal(session.scene().surface->rest.positions.size());
    double most = 0;
    for (int frame = 1; frame <= 60; ++frame) {
      session.choose_step(frame / 5 % 2 ? longer : 0);
      session.advance(1.0 / 60);
      const std::vector<Vec3> live = surface_of(session);
      session.goal(session.moment_at(session.displayed_time()), goal);
      const auto vertices = static_cast<std::size_t>(baked.recording.parts[0].vertices);
      for (std::size_t v = 0; v < vertices; ++v) {
        const float* d = &values(baked)[3 * (static_cast<std::size_t>(frame) * vertices + v)];
        const auto of_surface = static_cast<std::size_t>(session.scene().surface->vertex_of[0][v]);
        most = std::max(most, distance(live[of_surface] - goal[of_surface], Vec3{d[0], d[1], d[2]}));
      }
    }
    return most;
  };
  const double largest = largest_value(baked), twice = distance_from_baked(1), four_times = distance_from_baked(2);
  EXPECT_LT(distance_from_baked(0), 1e-7);
  EXPECT_GT(twice, 1e-5 * largest);
  EXPECT_LT(twice, 0.1 * largest);
  EXPECT_LT(twice, four_times);
}

// A rig that is led by hand at constant speed carries its flesh along, at rest in it, whatever the lengths of steps; a
// state that was kept knows the speed.
TEST_F(ChangingSteps, APoseByHandKeepsItsSpeed) {
  constexpr Vec3 speed{0.6, 0.1, 0};  // m/s
  Clip along;
  along.name = "along";
  along.end = 10;
  along.channels = {{1,
                     ChannelPath::translation,
                     Interpolation::linear,
                     {0, 10},
                     3,
                     {0, 0, 0, 10 * speed.x, 10 * speed.y, 10 * speed.z}}};
  Session session(tube(), scene(), whole(along));
  std::vector<Vec3> from_goal(session.scene().surface->rest.positions.size());
  const auto expect_at_rest = [&](const char* when) {
    session.displacements(session.moment_at(session.elapsed()), 0, from_goal);
    double most = 0;
    for (const Vec3& u : from_goal) most = std::max(most, norm(u));
    EXPECT_LT(most, 1e-7) << when;
  };
  const auto lead = [&](std::size_t choice, int steps) {
    session.choose_step(choice);
    for (int k = 0; k < steps; ++k) {
      session.pose(sample(tube().skeleton, &along, session.elapsed() + session.deformer().steps()[choice]));
      session.step();
    }
  };
  session.advance(0.1);
  expect_at_rest("led by the clip");
  lead(0, 5);
  expect_at_rest("led by hand");
  lead(2, 5);
  expect_at_rest("with longer steps");
  const SessionState kept = session.save();
  lead(1, 8);
  expect_at_rest("with shorter steps");
  const std::vector<Vec3> first = surface_of(session);
  session.load(kept, 1e3);
  lead(1, 8);
  EXPECT_EQ(surface_of(session), first);
}

TEST_F(ChangingSteps, GoesBackToItsStep) {
  session_.act(hold());
  session_.advance(0.1);
  session_.choose_step(2);
  session_.advance(0.11);
  const SessionState kept = session_.save();
  const std::vector<Vec3> then = surface_of(session_);
  const auto go_on = [](Session& session) {
    session.advance(0.1);
    session.choose_step(1);
    session.advance(0.2);
    return surface_of(session);
  };
  const std::vector<Vec3> first = go_on(session_);
  session_.load(kept, 1e3);
  EXPECT_EQ(session_.deformer().chosen_step(), 2u);
  EXPECT_EQ(surface_of(session_), then);
  EXPECT_EQ(go_on(session_), first);
  Session other(tube(), scene(), whole(tube().clips[0]));
  other.load(kept, 1e3);
  EXPECT_EQ(go_on(other), first);
}

// What held the flesh, with whatever step, is gone when it begins anew.
TEST_F(ChangingSteps, BeginsAnewAsAtFirst) {
  Session fresh(tube(), scene(), whole(tube().clips[0]));
  fresh.advance(0.2);
  session_.act(hold());
  session_.choose_step(3);
  session_.advance(0.3);
  session_.play(whole(tube().clips[0]));
  session_.advance(0.2);
  EXPECT_EQ(difference(surface_of(session_), surface_of(fresh)), 0);
}

TEST_F(ChangingSteps, PlaysAtTheClocksPace) {
  double time = 5, cost = 0;
  const WallClock clock{[&] { return time += cost; }, [&](double until) { time = std::max(time, until); }};
  RealTimePlayer player(session_, 1, 60, clock);
  const auto play = [&](double until) {
    while (time < until) {
      player.begin_cycle();
      while (player.step_is_due()) player.step();
      player.end_cycle();
      player.wait();
      EXPECT_DOUBLE_EQ(player.elapsed(), session_.elapsed());
      EXPECT_DOUBLE_EQ(player.pace().step(), session_.deformer().steps()[session_.deformer().chosen_step()]);
    }
  };
  cost = 1e-5;
  play(5.5);
  EXPECT_EQ(session_.deformer().chosen_step(), 0u);
  EXPECT_NEAR(session_.elapsed(), 0.5, 0.04);
  cost = 0.006;
  play(6);
  EXPECT_GT(session_.deformer().chosen_step(), 0u);
  EXPECT_NEAR(session_.elapsed(), 1, 0.1);
  cost = 1e-5;
  play(8);
  EXPECT_EQ(session_.deformer().chosen_step(), 0u);
}

}  // namespace
}  // namespace sinew
