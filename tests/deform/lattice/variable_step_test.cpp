// Flesh whose steps change in length as it moves: nothing jumps, no energy comes in, the answer is of second order all
// the same.
#include "sinew/deform/lattice/variable_step_flesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/error.h"
#include "tests/deform/lattice/lattice_motion.h"

namespace sinew {
namespace {

using namespace test;

using Motion = std::function<std::vector<Affine>(double time)>;

// The flesh of a bar with its clock.
struct BarRun {
  std::vector<std::shared_ptr<const LatticeBody>> bodies;
  std::unique_ptr<LatticeBodyMotion> flesh;
  Motion motion;
  double time = 0;

  BarRun(const LatticeBarOptions& options, Motion bones, double longest = 1.0 / 15)
      : bodies(cook_for_steps(lattice_bar_body(options), longest)),
        flesh(variable_step_flesh(bodies)),
        motion(std::move(bones)) {
    const std::vector<Affine> now = motion(0), next = motion(flesh->step());
    flesh->reset({0, now}, {flesh->step(), next});
  }
  void choose(std::size_t choice) {
    const double earlier = time - flesh->steps()[choice];
    const std::vector<Affine> bones = motion(earlier);
    flesh->choose_step(choice, {earlier, bones});
  }
  void advance(int steps = 1) {
    for (int k = 0; k < steps; ++k) {
      time += flesh->step();
      flesh->advance({time, motion(time)});
    }
  }
  LatticeState state() const {
    LatticeState state = lattice_state(bodies[0]->description.role.size());
    Snapshot snapshot;
    flesh->save(snapshot);
    snapshot.numbers.pop_back();
    load_state(snapshot, state);
    return state;
  }
  std::vector<Vec3> displacements() const {
    return {flesh->local_displacements().begin(), flesh->local_displacements().end()};
  }
};

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t f = 0; f < a.size(); ++f) most = std::max(most, distance(a[f], b[f]));
  return most;
}

std::vector<Affine> swinging_bones(double t) {
  return bar_pose(0.5 * std::sin(9 * t), rigid_motion({0, 1, 0}, 0.4 * std::sin(5 * t), {}));
}

TEST(VariableStep, TheBankDoublesUpToTheLongest) {
  const BarRun run(LatticeBarOptions{}, [](double) { return bar_pose(0); });
  ASSERT_EQ(run.flesh->steps().size(), 5u);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_DOUBLE_EQ(run.flesh->steps()[k], std::ldexp(1.0 / 240, static_cast<int>(k)));
  EXPECT_THROW(variable_step_flesh({}), Error);
  EXPECT_THROW(variable_step_flesh({run.bodies[1], run.bodies[0]}), Error);
}

// A change of the step alone moves nothing and slows nothing.
TEST(VariableStep, NothingJumpsAtAChange) {
  LatticeBarOptions options;
  options.levels = 2;
  options.run.adaptation = {.on = true, .threshold = {0.01}};
  options.young = 6e3;
  BarRun run(options, swinging_bones);
  run.advance(40);
  for (const std::size_t choice : {1u, 3u, 2u, 4u, 0u}) {
    const LatticeState before = run.state();
    const double old_step = run.flesh->step();
    run.choose(choice);
    const LatticeState after = run.state();
    for (std::size_t f = 0; f < before.position.size(); ++f) {
      EXPECT_EQ(before.position[f], after.position[f]);
      EXPECT_EQ(before.velocity[f], after.velocity[f]);
      EXPECT_EQ(before.displacement[f], after.displacement[f]);
      EXPECT_EQ(before.activity[f], after.activity[f]);
      const Vec3 rate = (before.displacement[f] - before.previous_displacement[f]) / old_step,
                 new_rate = (after.displacement[f] - after.previous_displacement[f]) / run.flesh->step();
      EXPECT_LT(distance(rate, new_rate), 1e-12 * (1 + norm(rate)));
    }
    run.advance(3);
  }
}

// After a change of the step the flesh goes on as one that always had that step, from the pose that it is in: bones
// that turn at 400 rpm are not taken to turn twice as fast, which would be too fast to be seen (flesh/turning.h).
TEST(VariableStep, ASteadyTurnStaysSteadyAtAChange) {
  LatticeBarOptions options;
  BarRun run(
      options,
      [](double t) {
        return bar_pose(0.3, rigid_motion({0, 1, 0}, 400.0 / 60 * 2 * pi * t, {}));
      },
      1.0 / 60);
  run.advance(20);
  run.choose(1);
  const auto plain = lattice_flesh(run.bodies[1]);
  Snapshot snapshot;
  run.flesh->save(snapshot);
  snapshot.numbers.pop_back();
  const std::vector<Affine> now = run.motion(run.time);
  plain->load(snapshot, {run.time, now});
  run.advance(1);
  const std::vector<Affine> next = run.motion(run.time);
  plain->advance({run.time, next});
  const std::span<const Vec3> expected = plain->local_displacements();
  EXPECT_EQ(run.displacements(), std::vector<Vec3>(expected.begin(), expected.end()));
}

// Uniform motion of a body at rest in it stays uniform, whatever the steps.
TEST(VariableStep, UniformMotionStaysUniform) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic}) {
    LatticeBarOptions options = damped_bar(reference);
    options.dynamics.gravity_in_rest = GravityInRest::off;
    options.dynamics.tolerance = 1e-10;
    options.dynamics.max_iterations = 400;
    const Vec3 velocity{1.5, -0.75, 0.5};
    BarRun run(options, [&](double t) { return bar_pose(0.6, rigid_motion({0, 0, 1}, 0, t * velocity)); });
    const std::vector<Vec3> rest = run.displacements();
    for (const std::size_t choice : {0u, 1u, 2u, 3u, 4u, 3u, 1u, 0u, 2u, 0u}) {
      run.advance(static_cast<int>(16 / (choice + 1)) + 1);
      run.choose(choice);
      run.advance(3);
      const LatticeState state = run.state();
      for (std::size_t f = 0; f < state.position.size(); ++f) {
        // Of an equilibrium that is solved to 1e-6.
        EXPECT_LT(distance(rest[f], state.displacement[f]), 2e-8);
        if (run.bodies[0]->description.level[f] == 0) {
          EXPECT_LT(distance(state.velocity[f], velocity), 1e-5);
        }
      }
    }
  }
}

// A bar that was bent and let go, without damping: its energy never rises above what it had.
TEST(VariableStep, ASwingingBarGainsNoEnergy) {
  LatticeBarOptions options;
  options.reference = LatticeReference::elastic;
  options.dynamics.gravity_in_rest = GravityInRest::pose;
  options.dynamics.tolerance = 1e-8;
  options.dynamics.max_iterations = 300;
  // The bend goes within a tenth of a second, and the flesh is left to itself.
  const auto motion = [](double t) { return bar_pose(0.5 * std::max(0.0, 1 - 10 * t)); };
  for (const int pattern : {0, 1, 2}) {
    BarRun run(options, motion);
    run.advance(30);
    Energies energies(options);
    const std::vector<Affine> still = bar_pose(0);
    const auto energy = [&] {
      const auto plain = lattice_flesh(run.bodies[0]);
      Snapshot snapshot;
      run.flesh->save(snapshot);
      snapshot.numbers.pop_back();
      plain->load(snapshot, {0, still});
      return energies.of(*plain, still);
    };
    const double first = energy();
    double most = 0;
    unsigned random = 12345;
    std::size_t choice = 0;
    for (int k = 0; k < 60; ++k) {
      random = random * 1664525u + 1013904223u;
      if (pattern == 0) choice = static_cast<std::size_t>(k % 2);  // to and fro
      if (pattern == 1)
        choice = std::min<std::size_t>(4, (random >> 16) % 2 ? choice + 1 : choice - (choice > 0));  // neighbours
      if (pattern == 2) choice = (random >> 16) % 5;                                                 // anything
      run.choose(choice);
      run.advance(pattern == 0 ? 1 : 4);
      most = std::max(most, energy());
    }
    EXPECT_GT(first, 1e-4);
    EXPECT_LT(most, 1.02 * first) << pattern;
    EXPECT_LT(energy(), first);
  }
}

// Against the same motion with very short steps; steps change where they do at every refinement.
TEST(VariableStep, ErrorsAreOfSecondOrder) {
  const auto motion = [](double t) { return bar_pose(0.4 * t * t, {}); };
  const auto after = [&](double step, bool changing) {
    LatticeBarOptions options;
    options.dynamics.step = step;
    options.dynamics.tolerance = 1e-9;
    options.dynamics.max_iterations = 300;
    options.mass_damping = 2;
    options.stiffness_damping = 0.002;
    BarRun run(options, motion, 2 * step * (1 + 1e-9));
    for (int part = 0; part < 3; ++part) {
      const double until = 0.2 * (part + 1);
      if (changing) run.choose(static_cast<std::size_t>(part % 2));
      run.advance(static_cast<int>(std::lround((until - run.time) / run.flesh->step())));
    }
    return run.displacements();
  };
  const std::vector<Vec3> exact = after(1.0 / 3840, false);
  const double coarse = largest_difference(after(1.0 / 240, true), exact),
               fine = largest_difference(after(1.0 / 480, true), exact),
               finest = largest_difference(after(1.0 / 960, true), exact);
  EXPECT_GT(coarse, 1e-6);
  EXPECT_GT(coarse / fine, 3.3);
  EXPECT_GT(fine / finest, 3.3);
}

TEST(VariableStep, SnapshotsKnowTheirStep) {
  LatticeBarOptions options;
  options.young = 6e3;
  BarRun run(options, swinging_bones);
  run.advance(20);
  run.choose(2);
  run.advance(5);
  Snapshot snapshot;
  run.flesh->save(snapshot);
  const auto other = variable_step_flesh(run.bodies);
  const std::vector<Affine> saved_at = swinging_bones(run.time);
  other->load(snapshot, {run.time, saved_at});
  EXPECT_EQ(other->chosen_step(), 2u);
  double time = run.time;
  for (int k = 0; k < 5; ++k) {
    time += other->step();
    other->advance({time, swinging_bones(time)});
  }
  run.advance(5);
  EXPECT_EQ(largest_difference(run.displacements(),
                               {other->local_displacements().begin(), other->local_displacements().end()}),
            0);
  snapshot.numbers.back() = 7;
  EXPECT_THROW(other->load(snapshot, {}), Error);
  EXPECT_THROW(other->load({}, {}), Error);
}

}  // namespace
}  // namespace sinew
