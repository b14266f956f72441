// The ground plane: flesh that falls onto it stays above, comes to rest, gains no energy, and leaves it freely.
#include <functional>
#include <string>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/elastic_reference.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "tests/deform/bars.h"

namespace sinew {
namespace {

using namespace test;

constexpr double top = 0.2;        // metres: where the bar's axis starts, above the plane y = 0
constexpr double fall_time = 0.3;  // seconds

Bar thick_bar() {
  Bar bar;
  bar.along = 8;
  bar.length = 0.4;
  bar.width = 0.12;
  bar.mass_damping = 8;
  bar.stiffness_damping = 0.002;
  return bar;
}

FleshDynamics falling(double step = 1.0 / 240) {
  FleshDynamics dynamics;
  dynamics.step = step;
  return dynamics;
}

double way_down(const Bar& bar) { return top - bar.width / 2 - 0.002; }

// The bones come down and stop with the rest shape's underside 2 mm above the plane: flesh that is
// moving goes on and meets the ground.
std::vector<Affine> landing(const Bar& bar, double t) {
  const double fall = std::min(t / fall_time, 1.0);
  return bar_pose(bar, moved({0, top - way_down(bar) * fall * fall, 0}));
}

struct Landing {
  double deepest = 0;      // metres below the plane, of any surface point
  double restless = 0;     // m/s: fastest surface point over the last half second
  double energy_gain = 0;  // joules: largest growth over a step once the bones stand
  int contacts = 0;
};

Landing land(const Bar& bar, std::unique_ptr<BodyMotion> flesh, const FleshBody& body, double duration = 5.5) {
  const double h = flesh->step();
  const std::vector<Affine> first = landing(bar, 0), second = landing(bar, h);
  flesh->reset({0, first}, {h, second});
  Landing result;
  double last_energy = HUGE_VAL;
  std::vector<Vec3> last(body.mass.size());
  for (int k = 1; k * h < duration; ++k) {
    const std::vector<Affine> bones = landing(bar, k * h);
    flesh->advance({k * h, bones});
    result.contacts += flesh->statistics().contacts;
    std::vector<Vec3> now(body.mass.size());
    for (std::size_t v = 0; v < now.size(); ++v) {
      now[v] = bones[0] * body.description.mesh.positions[v] + flesh->local_displacements()[v];
      result.deepest = std::max(result.deepest, -now[v].y);
      const double speed = distance(now[v], last[v]) / h;
      if (k * h > duration - 0.5) result.restless = std::max(result.restless, speed);
    }
    last = now;
    if (k * h > fall_time - 0.5 * h) {  // the impact itself included
      const double energy = mechanical_energy(body, *flesh);
      if (last_energy < HUGE_VAL) result.energy_gain = std::max(result.energy_gain, energy - last_energy);
      last_energy = energy;
    }
  }
  return result;
}

// Energy of the flesh at the speed at which the bones stop.
double impact_energy(const FleshBody& body, const Bar& bar) {
  double mass = 0;
  for (int v : body.free_vertex) mass += body.mass[static_cast<std::size_t>(v)];
  const double speed = 2 * way_down(bar) / fall_time;
  return 0.5 * mass * speed * speed;
}

using Reference = std::function<std::unique_ptr<BodyMotion>(std::shared_ptr<const FleshBody>)>;
std::unique_ptr<BodyMotion> standing(std::unique_ptr<BodyMotion> flesh) {
  Environment environment;
  environment.ground = 0;
  flesh->set_environment(environment);
  return flesh;
}
const Reference rig = [](std::shared_ptr<const FleshBody> body) { return standing(rig_reference_flesh(body)); };
const Reference elastic = [](std::shared_ptr<const FleshBody> body) { return standing(elastic_reference_flesh(body)); };

constexpr double stiffnesses[] = {5e3, 2e4, 1e5, 4e5, 1e6};              // pascals
constexpr double steps[] = {1.0 / 480, 1.0 / 240, 1.0 / 120, 1.0 / 60};  // seconds

void expect_soft_landings(const Reference& reference, double deepest) {
  for (double young : stiffnesses)
    for (double step : steps) {
      SCOPED_TRACE(testing::Message() << "E = " << young << ", h = 1/" << 1 / step);
      Bar bar = thick_bar();
      bar.young = young;
      const auto body = cooked_bar(bar, falling(step));
      const Landing landing = land(bar, reference(body), *body);
      EXPECT_GT(landing.contacts, 30);
      EXPECT_LT(landing.deepest, deepest);
      EXPECT_LT(landing.restless, 1e-6);
      EXPECT_LT(landing.energy_gain, 1e-9 * impact_energy(*body, bar));
    }
}

TEST(GroundContact, NoLandingGainsEnergyWhateverStiffnessAndStep) { expect_soft_landings(rig, 1e-7); }

TEST(GroundContact, NeitherDoesTheElasticReference) { expect_soft_landings(elastic, 1e-5); }

// With spectral radius 1 and no damping nothing but the contact takes energy, and nothing at all may give any.
TEST(GroundContact, UndampedFleshGainsNoneEither) {
  for (double young : stiffnesses)
    for (double step : steps) {
      SCOPED_TRACE(testing::Message() << "E = " << young << ", h = 1/" << 1 / step);
      Bar bar = thick_bar();
      bar.young = young;
      bar.mass_damping = bar.stiffness_damping = 0;
      FleshDynamics dynamics = falling(step);
      dynamics.spectral_radius = 1;
      const auto body = cooked_bar(bar, dynamics);
      const Landing landing = land(bar, rig(body), *body, 1.3);
      EXPECT_GT(landing.contacts, 30);
      EXPECT_LT(landing.deepest, 1e-7);
      EXPECT_LT(landing.energy_gain, 1e-7 * impact_energy(*body, bar));
    }
}

// A block without bones inside, thrown at the plane: the ground takes its momentum, gives some of it back, never pulls,
// and lets it go.
TEST(GroundContact, AThrownBlockIsPushedOnlyAndLeaves) {
  for (double young : {2e4, 1e6}) {
    SCOPED_TRACE(testing::Message() << "E = " << young);
    Bar bar = thick_bar();
    bar.young = young;
    bar.mass_damping = 0;
    FleshDescription description = bar_description(bar);
    std::fill(description.core.begin(), description.core.end(), char{0});
    const auto body = cook_flesh(assemble_flesh(description), falling());
    const std::unique_ptr<BodyMotion> flesh = rig(body);
    const double h = flesh->step(), speed = 1;
    const std::vector<Affine> start = bar_pose(bar, moved({0, top, 0}), 0);
    const std::vector<Affine> next = bar_pose(bar, moved({0, top - speed * h, 0}), 0);
    flesh->reset({0, start}, {h, next});  // thrown: from here on the goal stays
    const auto momentum = [&](const FleshState& state) {
      Vec3 sum;
      for (std::size_t f = 0; f < state.velocity.size(); ++f)
        sum += body->mass[static_cast<std::size_t>(body->free_vertex[f])] * state.velocity[f];
      return sum;
    };
    const double first = momentum(state_of(*body, *flesh)).y;
    double last = first, energy = mechanical_energy(*body, *flesh);
    const double first_energy = energy;
    bool touched = false;
    int contacts = 0;
    for (int k = 1; k * h < 0.5; ++k) {
      flesh->advance({k * h, start});
      contacts = flesh->statistics().contacts;
      touched |= contacts > 0;
      const FleshState state = state_of(*body, *flesh);
      const Vec3 now = momentum(state);
      EXPECT_GE(now.y, last - 1e-9 * std::abs(first)) << "pulled at " << k * h;
      EXPECT_LT(std::abs(now.x) + std::abs(now.z), 1e-9 * std::abs(first));  // no friction
      const double energy_now = mechanical_energy(*body, *flesh);
      EXPECT_LT(energy_now, energy + 1e-9 * first_energy) << k * h;
      last = now.y;
      energy = energy_now;
    }
    EXPECT_TRUE(touched);
    EXPECT_EQ(contacts, 0);
    EXPECT_GT(last, 0.2 * std::abs(first));
    EXPECT_LT(last, std::abs(first));
  }
}

// Lowest surface point of a bar on straight bones, metres over the plane.
double lowest(const FleshBody& body, const std::vector<Affine>& bones, const BodyMotion& flesh) {
  double least = HUGE_VAL;
  for (std::size_t v = 0; v < body.mass.size(); ++v)
    least = std::min(least, (bones[0] * body.description.mesh.positions[v] + flesh.local_displacements()[v]).y);
  return least;
}

// Flesh that sags through the plane as the clip starts is let out of it gently, and stays out.
TEST(GroundContact, FleshThatStartsBelowIsLetOut) {
  Bar bar = thick_bar();
  bar.young = 5e3;
  FleshDynamics dynamics = falling();
  dynamics.gravity_in_rest = GravityInRest::off;
  const auto body = cooked_bar(bar, dynamics);
  for (const Reference& reference : {rig, elastic}) {
    const std::unique_ptr<BodyMotion> flesh = reference(body);
    const double h = flesh->step();
    const std::vector<Affine> pose = bar_pose(bar, moved({0, bar.width / 2 + 0.0005, 0}));
    flesh->reset({0, pose}, {h, pose});
    const double start = lowest(*body, pose, *flesh);
    ASSERT_LT(start, -0.001);
    double before = start, fastest = 0;
    for (int k = 1; k * h < 1.5; ++k) {
      flesh->advance({k * h, pose});
      const double now = lowest(*body, pose, *flesh);
      fastest = std::max(fastest, (now - before) / h);
      before = now;
    }
    EXPECT_GT(before, -1e-6);
    EXPECT_LT(fastest, -start / 0.03);
  }
}

// A sole that the animator pressed 1 mm into the plane rests at its goal, and flesh that falls on it stops there.
TEST(GroundContact, GoalsJustBelowThePlaneCarryTheirFlesh) {
  const Bar bar = thick_bar();
  const auto body = cooked_bar(bar, falling());
  const std::unique_ptr<BodyMotion> flesh = rig(body);
  const double h = flesh->step();
  const auto pose = [&](double t) {
    const double fall = std::min(t / fall_time, 1.0);
    return bar_pose(bar, moved({0, top - (way_down(bar) + 0.003) * fall * fall, 0}));
  };
  flesh->reset({0, pose(0)}, {h, pose(h)});
  double least = HUGE_VAL;
  for (int k = 1; k * h < 1; ++k) {
    flesh->advance({k * h, pose(k * h)});
    least = std::min(least, lowest(*body, pose(k * h), *flesh));
  }
  EXPECT_GT(least, -0.001 - 1e-6);
}

// The same bits for any number of threads, and from a state saved while in contact.
TEST(GroundContact, DeterministicOverThreadsAndResumes) {
  const Bar bar = thick_bar();
  const auto body = cooked_bar(bar, falling());
  const double h = body->method.step;
  const int half = 80, all = 120;  // the bones stop after 72 steps
  for (const Reference& reference : {rig, elastic}) {
    Snapshot first, middle, resumed;
    for (int threads : {1, 2, 4}) {
      set_thread_count(threads);
      const std::unique_ptr<BodyMotion> flesh = reference(body);
      flesh->reset({0, landing(bar, 0)}, {h, landing(bar, h)});
      int contacts = 0;
      for (int k = 1; k <= all; ++k) {
        flesh->advance({k * h, landing(bar, k * h)});
        contacts += flesh->statistics().contacts;
        if (k == half) flesh->save(middle);
      }
      EXPECT_GT(contacts, 0);
      Snapshot last;
      flesh->save(last);
      if (threads == 1) first = last;
      EXPECT_TRUE(last.numbers == first.numbers) << threads << " threads";
    }
    set_thread_count(0);
    const std::unique_ptr<BodyMotion> flesh = reference(body);
    const std::vector<Affine> at_half = landing(bar, half * h);
    flesh->load(middle, {half * h, at_half});
    for (int k = half + 1; k <= all; ++k) flesh->advance({k * h, landing(bar, k * h)});
    flesh->save(resumed);
    EXPECT_TRUE(resumed.numbers == first.numbers);
  }
}

// Points that the animator put below the plane are left there.
TEST(GroundContact, GoalsBelowThePlaneAreTheAnimators) {
  const Bar bar = thick_bar();
  const auto body = cooked_bar(bar);
  const std::unique_ptr<BodyMotion> flesh = rig(body);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, -1, 0}));
  flesh->reset({0, pose}, {flesh->step(), pose});
  for (int k = 1; k < 50; ++k) flesh->advance({k * flesh->step(), pose});
  EXPECT_EQ(flesh->statistics().contacts, 0);
  EXPECT_EQ(largest_norm(flesh->local_displacements()), 0);
}

}  // namespace
}  // namespace sinew
