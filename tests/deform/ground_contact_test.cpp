// The ground plane: flesh that falls onto it stays above, comes to rest, and gains no energy.
#include "sinew/deform/lattice_flesh/ground_contact.h"

#include "sinew/deform/lattice_flesh/elastic_reference.h"
#include "sinew/deform/lattice_flesh/rig_reference.h"
#include "tests/deform/bars.h"

namespace sinew {
namespace {

using namespace test;

constexpr double top = 0.2;  // metres: where the bar's axis starts, above the plane y = 0

Bar thick_bar() {
  Bar bar;
  bar.along = 8;
  bar.length = 0.4;
  bar.width = 0.12;
  bar.mass_damping = 8;
  bar.stiffness_damping = 0.002;
  return bar;
}

// The bones come down over 0.3 s and stop with the rest shape's underside 2 mm above the plane: flesh that is
// moving goes on and meets the ground.
std::vector<Affine> landing(const Bar& bar, double t) {
  const double way = top - bar.width / 2 - 0.002, fall = std::min(t / 0.3, 1.0);
  return bar_pose(bar, moved({0, top - way * fall * fall, 0}));
}

struct Landing {
  double deepest = 0;      // metres below the plane, of any surface point
  double restless = 0;     // m/s: fastest surface point over the last half second
  double energy_gain = 0;  // joules: largest growth over a step once the bones stand
  int contacts = 0;
};

Landing land(const Bar& bar, std::unique_ptr<Deformer> flesh, const FleshBody& body) {
  const double h = flesh->step();
  const std::vector<Affine> first = landing(bar, 0), second = landing(bar, h);
  flesh->reset({0, first}, {h, second});
  Landing result;
  double last_energy = HUGE_VAL;
  std::vector<Vec3> last(body.mass.size());
  for (int k = 1; k * h < 5.5; ++k) {
    const std::vector<Affine> bones = landing(bar, k * h);
    flesh->advance({k * h, bones});
    result.contacts += flesh->statistics().contacts;
    std::vector<Vec3> now(body.mass.size());
    for (std::size_t v = 0; v < now.size(); ++v) {
      now[v] = bones[0] * body.description.mesh.positions[v] + flesh->local_displacements()[v];
      result.deepest = std::max(result.deepest, -now[v].y);
      const double speed = distance(now[v], last[v]) / h;
      if (k * h > 5) result.restless = std::max(result.restless, speed);
    }
    last = now;
    if (k * h > 0.3 + h) {
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
  const double speed = 2 * (top - bar.width / 2 - 0.002) / 0.3;
  return 0.5 * mass * speed * speed;
}

void expect_soft_landing(const Landing& landing, const Bar& bar, double most_gain) {
  EXPECT_GT(landing.contacts, 100);
  EXPECT_LT(landing.deepest, 0.01 * bar.width / bar.across);
  EXPECT_LT(landing.restless, 1e-6);
  EXPECT_LT(landing.energy_gain, most_gain);
}

TEST(GroundContact, FallingFleshLandsSoftlyAndComesToRest) {
  for (double young : {3e3, 8e3, 2e4}) {
    Bar bar = thick_bar();
    bar.young = young;
    FleshDynamics dynamics;
    dynamics.ground = true;
    const auto body = cooked_bar(bar, dynamics);
    SCOPED_TRACE(testing::Message() << "E = " << young);
    expect_soft_landing(land(bar, rig_reference_flesh(body), *body), bar, 1e-9 * impact_energy(*body, bar));
  }
}

// Stiffness that the step does not resolve: the push is spread by mass alone, and what it strains is new
// energy (docs/flesh.md). A fraction of the impact's, once.
TEST(GroundContact, StiffFleshGainsAFractionOfTheImpactAtMost) {
  Bar bar = thick_bar();
  bar.young = 4e5;
  FleshDynamics dynamics;
  dynamics.ground = true;
  const auto body = cooked_bar(bar, dynamics);
  expect_soft_landing(land(bar, rig_reference_flesh(body), *body), bar, 0.1 * impact_energy(*body, bar));
}

TEST(GroundContact, TheElasticReferenceLandsSoftlyToo) {
  const Bar bar = thick_bar();
  FleshDynamics dynamics;
  dynamics.ground = true;
  const auto body = cooked_bar(bar, dynamics);
  expect_soft_landing(land(bar, elastic_reference_flesh(body), *body), bar, 1e-3 * impact_energy(*body, bar));
}

// Points that the animator put below the plane are left there.
TEST(GroundContact, GoalsBelowThePlaneAreTheAnimators) {
  const Bar bar = thick_bar();
  FleshDynamics dynamics;
  dynamics.ground = true;
  const auto body = cooked_bar(bar, dynamics);
  const std::unique_ptr<Deformer> flesh = rig_reference_flesh(body);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, -1, 0}));
  flesh->reset({0, pose}, {flesh->step(), pose});
  for (int k = 1; k < 50; ++k) flesh->advance({k * flesh->step(), pose});
  EXPECT_EQ(flesh->statistics().contacts, 0);
  EXPECT_EQ(largest(flesh->local_displacements()), 0);
}

}  // namespace
}  // namespace sinew
