// Stiffness and damping that change with time: known answers of vibration, sag and energy.
#include <functional>

#include "sinew/base/threads/parallel.h"
#include "tests/base/refusal.h"
#include "tests/deform/response_bars.h"

namespace sinew {
namespace {

using namespace test;

Environment tissue(double stiffness, double damping = 1) {
  Environment environment;
  environment.stiffness = stiffness;
  environment.damping = damping;
  return environment;
}

Environment weightless(double stiffness, double damping = 1) {
  Environment environment = tissue(stiffness, damping);
  environment.gravity = Vec3{};
  return environment;
}

// A bar that hangs on its end, and that strains stay small in.
Bar stiff_bar() {
  Bar bar{.along = 8, .across = 2};
  bar.core_along_axis = false;
  bar.young = 4e7;
  return bar;
}

std::shared_ptr<const FleshBody> sagging_bar(const Bar& bar, const Vec3& gravity = {0, -5, 0},
                                             double spectral_radius = 1, double step = 1.0 / 240) {
  FleshDynamics dynamics;
  dynamics.gravity_in_rest = GravityInRest::off;
  dynamics.gravity = gravity;
  dynamics.spectral_radius = spectral_radius;
  dynamics.step = step;
  return cooked_bar(bar, dynamics);
}

// The displacement of its free end, metres.
double tip(const Bar& bar, const FleshBody& body, const BodyMotion& flesh) {
  return flesh.local_displacements()[static_cast<std::size_t>(vertex_near(body, {bar.length, 0, 0}))].y;
}

// In equilibrium under its weight.
std::unique_ptr<BodyMotion> hanging(const Bar& bar, const std::shared_ptr<const FleshBody>& body, double stiffness) {
  std::unique_ptr<BodyMotion> flesh = quasi_newton_flesh(body, converged(NaturalShape::goal));
  const std::vector<Affine> pose = bar_pose(bar, {});
  flesh->set_environment(tissue(stiffness));
  flesh->reset({0, pose}, {flesh->step(), pose});
  return flesh;
}

// Lets go of it, and calls visit() after each step.
void swing(
    const Bar& bar, BodyMotion& flesh, const Environment& environment, int steps,
    const std::function<void(int)>& visit = [](int) {}) {
  const std::vector<Affine> pose = bar_pose(bar, {});
  flesh.set_environment(environment);
  for (int k = 1; k <= steps; ++k) {
    flesh.advance({k * flesh.step(), pose});
    visit(k);
  }
}

// Periods per second from the crossings of zero.
double frequency(const Bar& bar, const std::shared_ptr<const FleshBody>& body, double stiffness) {
  const auto flesh = hanging(bar, body, stiffness);
  double before = tip(bar, *body, *flesh), first = 0, last = 0;
  int crossings = 0;
  swing(bar, *flesh, weightless(stiffness), 480, [&](int k) {
    const double now = tip(bar, *body, *flesh);
    if (before < 0 && now >= 0) {
      last = (k - now / (now - before)) * flesh->step();
      if (crossings++ == 0) first = last;
    }
    before = now;
  });
  return (crossings - 1) / (last - first);
}

TEST(ChangingTissue, FrequencyGoesAsTheRootOfStiffness) {
  const Bar bar = stiff_bar();
  const auto body = sagging_bar(bar, {0, -5, 0}, 1, 1.0 / 960);
  const double usual = frequency(bar, body, 1);
  EXPECT_GT(usual, 2);
  for (const double stiffness : {0.5, 4.0})
    EXPECT_NEAR(frequency(bar, body, stiffness) / usual, std::sqrt(stiffness), 0.01 * std::sqrt(stiffness));
}

TEST(ChangingTissue, SagTimesStiffnessIsConstant) {
  const Bar bar = stiff_bar();
  const auto body = sagging_bar(bar);
  const double usual = tip(bar, *body, *hanging(bar, body, 1));
  EXPECT_LT(usual, -1e-5);
  for (const double stiffness : {0.3, 3.0, 30.0})
    EXPECT_NEAR(stiffness * tip(bar, *body, *hanging(bar, body, stiffness)) / usual, 1, 2e-3) << stiffness;
}

// A run under changed stiffness and gravity ends where a body that was cooked so begins.
TEST(ChangingTissue, ComesToRestWhereABodyOfThatStiffnessAndGravityDoes) {
  Bar bar = stiff_bar();
  bar.young = 4e6;
  bar.mass_damping = 30;
  bar.stiffness_damping = 0.004;
  const Vec3 gravity{0, -4, 0};
  const auto body = sagging_bar(bar, gravity, 0.8);
  for (const double stiffness : {1.0, 2.0}) {
    const auto flesh = hanging(bar, body, 1);
    Environment environment = tissue(stiffness);
    environment.gravity = 2 * gravity;
    swing(bar, *flesh, environment, 960);
    Bar other = bar;
    other.young *= stiffness;
    const auto heavier = sagging_bar(other, 2 * gravity, 0.8);
    const double expected = tip(other, *heavier, *hanging(other, heavier, 1));
    EXPECT_LT(expected, -0.01);
    EXPECT_NEAR(tip(bar, *body, *flesh) / expected, 1, 1e-4) << stiffness;
  }
}

double whole_energy(const FleshBody& body, const BodyMotion& flesh, double stiffness) {
  const FleshState state = state_of(body, flesh);
  QuasiNewton how = converged(NaturalShape::goal);
  const auto forces = tissue_forces(body, NaturalShape::goal, how.law);
  std::vector<double> still(state.displacement.size()), gradient(still.size());
  VertexFrames frames;
  const std::vector<Affine> pose(2);
  predict_frames(body.description.mesh.positions, body.description.influences, pose, frames);
  forces->set_pose(frames);
  double energy = stiffness * forces->find(state.displacement, still, gradient);
  for (std::size_t f = 0; f < state.velocity.size(); ++f)
    energy += 0.5 * body.mass[static_cast<std::size_t>(body.free_vertex[f])] * squared_norm(state.velocity[f]);
  return energy;
}

// Viscous forces are `damping` times as large, so that amplitudes decay at that many times the rate; the ratio to
// critical is damping / sqrt(stiffness) times as large.
TEST(ChangingTissue, DecayFollowsDamping) {
  for (const bool of_mass : {true, false}) {
    Bar bar = stiff_bar();
    (of_mass ? bar.mass_damping : bar.stiffness_damping) = of_mass ? 0.8 : 3e-4;
    const auto body = sagging_bar(bar, {0, -5, 0}, 1, 1.0 / 960);
    const auto decay = [&](double stiffness, double damping) {
      const auto flesh = hanging(bar, body, stiffness);
      swing(bar, *flesh, weightless(stiffness, damping), 240);  // the highest modes are gone
      const double before = whole_energy(*body, *flesh, stiffness);
      swing(bar, *flesh, weightless(stiffness, damping), 960);
      return std::log(before / whole_energy(*body, *flesh, stiffness));
    };
    const double usual = decay(1, 1);
    EXPECT_GT(usual, 0.1);
    if (of_mass) {
      EXPECT_NEAR(usual, 0.8, 0.02);  // 2 zeta omega
    }
    for (const double damping : {0.5, 3.0}) EXPECT_NEAR(decay(1, damping) / usual, damping, 0.05 * damping) << of_mass;
    EXPECT_NEAR(decay(4, 1) / usual, 1, 0.05) << of_mass;
  }
}

TEST(ChangingTissue, NothingMovesWhereNothingIsDisplaced) {
  const Bar bar = damped_tetrahedra_bar();
  const auto flesh = quasi_newton_flesh(cooked_bar(bar), {});
  const std::vector<Affine> pose = bar_pose(bar, moved({1, 2, 3}), 0.8);
  flesh->reset({0, pose}, {flesh->step(), pose});
  int step = 0;
  for (const double stiffness : {1.0, 4.0, 100.0, 0.01, 1.0})
    for (int k = 0; k < 5; ++k) {
      flesh->set_environment(tissue(stiffness, 1 / stiffness));
      flesh->advance({++step * flesh->step(), pose});
      for (const Vec3& u : flesh->local_displacements()) ASSERT_EQ(u, Vec3{}) << stiffness;
    }
}

// With the trapezoidal rule a step in stiffness adds (s' - s) times the elastic energy, and nothing else.
TEST(ChangingTissue, AStepInStiffnessStoresWhatTheStifferSpringHolds) {
  const Bar bar = stiff_bar();
  const auto body = sagging_bar(bar, {0, -5, 0}, 1, 1.0 / 2400);
  for (const double stiffness : {4.0, 0.25})
    for (const int when : {20, 150, 420}) {
      const auto flesh = hanging(bar, body, 1);
      swing(bar, *flesh, weightless(1), when);
      const double kinetic = whole_energy(*body, *flesh, 0), elastic = whole_energy(*body, *flesh, 1) - kinetic;
      swing(bar, *flesh, weightless(stiffness), 1);
      const double expected = kinetic + stiffness * elastic;
      double least = HUGE_VAL, most = 0;
      swing(bar, *flesh, weightless(stiffness), 600, [&](int) {
        const double now = whole_energy(*body, *flesh, stiffness);
        least = std::min(least, now), most = std::max(most, now);
      });
      EXPECT_GT(least, 0.98 * expected) << when << ' ' << stiffness;
      EXPECT_LT(most, 1.02 * expected) << when << ' ' << stiffness;
    }
}

// Stiffness that jumps at a cut of the rig, as between the end of a loop and its beginning.
TEST(ChangingTissue, ACutAddsNoEnergyOfItsOwn) {
  const Bar bar = stiff_bar();
  const auto body = sagging_bar(bar, {0, -5, 0}, 1, 1.0 / 2400);
  const auto flesh = hanging(bar, body, 1);
  swing(bar, *flesh, weightless(1), 150);
  const double kinetic = whole_energy(*body, *flesh, 0), elastic = whole_energy(*body, *flesh, 1) - kinetic;
  const std::vector<Affine> left = bar_pose(bar, {}), entered = bar_pose(bar, moved({3, 1, 0}));
  flesh->carry({{0, left}, {flesh->step(), left}, {flesh->step(), entered}, {2 * flesh->step(), entered}});
  flesh->set_environment(weightless(4));
  const double expected = kinetic + 4 * elastic;
  for (int k = 2; k < 500; ++k) {
    flesh->advance({k * flesh->step(), entered});
    EXPECT_NEAR(whole_energy(*body, *flesh, 4), expected, 0.02 * expected) << k;
  }
}

// The second bone swings while stiffness and damping go up and down.
std::unique_ptr<BodyMotion> swinging(const Bar& bar, const std::shared_ptr<const FleshBody>& body, int steps) {
  std::unique_ptr<BodyMotion> flesh = quasi_newton_flesh(body, {});
  const auto pose = [&](int k) { return bar_pose(bar, {}, 0.8 * std::sin(9 * k * flesh->step())); };
  flesh->reset({0, pose(0)}, {flesh->step(), pose(1)});
  for (int k = 1; k <= steps; ++k) {
    flesh->set_environment(tissue(std::exp(2 * std::sin(0.1 * k)), std::exp(std::cos(0.07 * k))));
    flesh->advance({k * flesh->step(), pose(k)});
  }
  return flesh;
}

double most_apart(const BodyMotion& a, const BodyMotion& b) {
  double most = 0;
  for (std::size_t v = 0; v < a.local_displacements().size(); ++v)
    most = std::max(most, distance(a.local_displacements()[v], b.local_displacements()[v]));
  return most;
}

TEST(ChangingTissueDeterminism, NeitherThreadsNorEarlierRunsChangeABit) {
  Bar bar = damped_tetrahedra_bar();
  bar.along = 16;
  const auto body = cooked_bar(bar);
  std::vector<std::unique_ptr<BodyMotion>> results;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    results.push_back(swinging(bar, body, 150));
  }
  set_thread_count(0);
  EXPECT_EQ(most_apart(*results[0], *results[1]), 0);
  EXPECT_EQ(most_apart(*results[0], *swinging(bar, cooked_bar(bar), 150)), 0) << "with factors of its own";
  EXPECT_GT(largest_norm(results[0]->local_displacements()), 1e-3);
}

TEST(ChangingTissue, TheUsualValuesChangeNoBit) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const auto run = [&](bool set) {
    auto flesh = quasi_newton_flesh(body, {});
    const auto pose = [&](int k) { return bar_pose(bar, {}, 0.8 * std::sin(9 * k * flesh->step())); };
    flesh->reset({0, pose(0)}, {flesh->step(), pose(1)});
    for (int k = 1; k <= 60; ++k) {
      if (set) flesh->set_environment(tissue(1));
      flesh->advance({k * flesh->step(), pose(k)});
    }
    return flesh;
  };
  EXPECT_EQ(most_apart(*run(false), *run(true)), 0);
}

// The factor that guides hands and obstacles is that of the changed stiffness.
TEST(ChangingTissue, HandsHoldAndObstaclesPushAtAnyStiffness) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, {});
  for (const double stiffness : {0.05, 20.0}) {
    const auto flesh = quasi_newton_flesh(body, converged(NaturalShape::goal));
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    const std::vector<Vec3> rest = places(*body, *flesh, pose);
    const auto vertex = static_cast<std::size_t>(vertex_near(*body, {0.3, 0.06, 0}));
    for (int k = 1; k <= 90; ++k) {
      Environment environment = tissue(stiffness);
      const Vec3 hand = rest[vertex] + Vec3{0.01, 0.02, 0} * std::min(1.0, k * h / 0.2);
      environment.held.push_back({at_vertex(static_cast<int>(vertex)), hand, {}, "hand"});
      environment.colliders.capsules.push_back(sphere_collider({0.1, -0.09, 0}, 0.05));
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      EXPECT_LT(distance(places(*body, *flesh, pose)[vertex], hand), 1e-9) << stiffness;
    }
    Colliders ball;
    ball.capsules.push_back(sphere_collider({0.1, -0.09, 0}, 0.05));
    EXPECT_LT(deepest(*body, *flesh, pose, ball), 1e-4) << stiffness;
  }
}

TEST(ChangingTissue, LinearFleshRefuses) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  for (const Reference& reference : std::span(references).first(3))
    EXPECT_NE(refusal(ErrorKind::usage, [&] { reference(body)->set_environment(tissue(2)); }).find("nonlinear"),
              std::string::npos);
  const auto flesh = quasi_newton_flesh(body, {});
  EXPECT_NE(refusal(ErrorKind::usage, [&] { flesh->set_environment(tissue(101)); }).find("0.01 to 100"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
