// A body with one leg that hops by itself: nothing acts on it but gravity, the ground and its own joints.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/dynamics/hop.h"
#include "sinew/dynamics/rigid_body_engine.h"
#include "tests/dynamics/hopper.h"

namespace sinew::test {
namespace {

struct HopRun {
  HopPhases phases;
  std::vector<Vec3> centre;  // of mass, twenty times a second
  BodyState last;
};

HopRun hop_for(double seconds, const Vec3& velocity) {
  const ArticulatedBody body = hopper();
  Hop hop;
  hop.velocity = velocity;
  HopControl control(body, hop, {1, 0, 0});
  EngineOptions options;
  options.step = 1.0 / 2000;
  options.inertia_added = inertia_added(control.drives(), options.step);
  RigidBodyEngine engine(body, options);
  engine.set_state(control.beginning(0, 0.15));
  HopRun run;
  std::vector<Vec3> torque(body.size());
  PlacedJoints placed;
  for (long s = 0; s < std::lround(seconds / options.step); ++s) {
    control.torques(engine.state(), norm(engine.ground_forces()[2]), options.step, torque);
    EXPECT_EQ(torque[0], Vec3{});  // that of the first link would act from outside
    if (s % 100 == 0) {
      place_joints(body.tree, engine.state().pose, placed);
      run.centre.push_back(centre_of_mass(body.tree, placed));
    }
    engine.step(torque, {});
  }
  run.phases = control.phases();
  run.last = engine.state();
  return run;
}

TEST(Hop, KeepsItsHeightAndSpeedForTwentySeconds) {
  for (const double speed : {0.0, 0.5}) {
    const HopRun run = hop_for(20, {0, 0, speed});
    ASSERT_GT(run.phases.hops, 20) << speed;
    // After five seconds heights are steady and the speed is the wanted one.
    const auto begin = static_cast<std::size_t>(run.phases.hops / 4);
    double mean = 0;
    for (std::size_t k = begin; k < run.phases.apex.size(); ++k)
      mean += run.phases.apex[k] / static_cast<double>(run.phases.apex.size() - begin);
    for (std::size_t k = begin; k < run.phases.apex.size(); ++k)
      EXPECT_NEAR(run.phases.apex[k], mean, 0.1 * 0.2 * 0.9) << speed << " hop " << k;
    const Vec3 way = run.centre.back() - run.centre[100];
    EXPECT_NEAR(way.z / 14.95, speed, 0.1);
    EXPECT_LT(std::abs(way.x), 0.5);
  }
}

// In the air nothing but gravity acts: flights take 2 v / g, and heights are v^2 / 2g over the beginning.
TEST(Hop, FliesAsABallDoes) {
  const HopRun run = hop_for(8, {});
  ASSERT_GT(run.phases.hops, 8);
  for (std::size_t k = 2; k < run.phases.flight.size(); ++k)
    EXPECT_NEAR(run.phases.flight[k] / (2 * run.phases.leaves_with[k] / 9.81), 1, 0.05) << k;
}

TEST(Hop, SameBitsOnEveryRun) {
  const HopRun one = hop_for(3, {0, 0, 0.5}), other = hop_for(3, {0, 0, 0.5});
  EXPECT_EQ(one.last.pose.root, other.last.pose.root);
  EXPECT_EQ(one.last.pose.local, other.last.pose.local);
}

TEST(Hop, NeedsATrunkAThighAndAShin) { EXPECT_THROW(HopControl(pendulum(2, 1, 1, 0.1), {}, {1, 0, 0}), Error); }

}  // namespace
}  // namespace sinew::test
