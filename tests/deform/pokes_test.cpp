// Forces on the skin of flesh: where they lead it, by the body's own stiffness and by Clapeyron's theorem.
#include <gtest/gtest.h>

#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/tetrahedra/elastic_reference.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "tests/deform/bars.h"
#include "tests/deform/lattice/lattice_bodies.h"

namespace sinew {
namespace {

using namespace test;

Environment poked(const Load& poke) {
  Environment environment;
  environment.loads = {poke};
  return environment;
}

// In the rest pose, for so many seconds.
void stand_still(BodyMotion& flesh, const std::vector<Affine>& pose, double seconds) {
  const int steps = static_cast<int>(seconds / flesh.step());
  for (int k = 1; k <= steps; ++k) flesh.advance({k * flesh.step(), pose});
}

TEST(Pokes, TetrahedraComeToRestWhereStiffnessHoldsThem) {
  Bar bar;
  bar.along = 8;
  bar.across = 2;
  bar.mass_damping = 25;
  bar.stiffness_damping = 0.002;
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, {});
  const Load poke{{0.45, 0.05, 0.05}, {0.02, -0.05, 0.03}, 0};
  // The nearest surface point, which is a vertex, takes all of it.
  std::size_t nearest = 0;
  const std::vector<Vec3>& rest = body->description.mesh.positions;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (distance(rest[v], poke.point) < distance(rest[nearest], poke.point)) nearest = v;
  ASSERT_GE(body->free_index[nearest], 0);
  std::vector<double> force(3 * body->free_vertex.size(), 0.0), expected(force.size());
  for (std::size_t k = 0; k < 3; ++k)
    force[3 * static_cast<std::size_t>(body->free_index[nearest]) + k] = poke.force[k];
  static_factor(*body).solve(force, expected);
  double most = 0;
  for (const double u : expected) most = std::max(most, std::abs(u));
  ASSERT_GT(most, 1e-4);
  for (const bool elastic : {false, true}) {
    const std::unique_ptr<BodyMotion> flesh =
        elastic ? elastic_reference_flesh(body, Warping::element) : rig_reference_flesh(body);
    flesh->reset({0, pose}, {flesh->step(), pose});
    flesh->set_environment(poked(poke));
    stand_still(*flesh, pose, 3);
    double off = 0;
    for (std::size_t f = 0; f < body->free_vertex.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k)
        off = std::max(off, std::abs(flesh->local_displacements()[static_cast<std::size_t>(body->free_vertex[f])][k] -
                                     expected[3 * f + k]));
    EXPECT_LT(off, (elastic ? 2e-3 : 1e-6) * most);
    flesh->set_environment({});
    stand_still(*flesh, pose, 3);
    for (const Vec3& u : flesh->local_displacements()) EXPECT_LT(norm(u), (elastic ? 2e-3 : 1e-6) * most);
  }
}

// Of the springs to the bones, which BodyMeasures leaves out; in the rest pose, where frames are the world's. Joules.
double hold_energy(const LatticeBody& body, std::span<const Vec3> displacement) {
  double sum = 0;
  for (std::size_t i = 0; i < displacement.size(); ++i)
    sum += 0.5 * dot(displacement[i], row_times(body.hold, i, displacement));
  return sum;
}

// Linear elasticity at rest under a force holds half the work that the force did in leading its point there.
TEST(Pokes, LatticesHoldHalfTheWork) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic})
    for (const int levels : {1, 2}) {
      LatticeBarOptions options = damped_bar(reference, Linearization::warped, Warping::element, levels);
      options.dynamics.tolerance = 1e-8;
      const auto body = lattice_bar_body(options);
      const auto flesh = lattice_flesh(body);
      const std::vector<Affine> pose = bar_pose(0);
      const Vec3 point{0.45, 0.05, 0.05};
      std::size_t nearest = 0;
      const std::vector<Vec3>& surface = body->description.surface_rest;
      for (std::size_t s = 0; s < surface.size(); ++s)
        if (distance(surface[s], point) < distance(surface[nearest], point)) nearest = s;
      const SurfacePoint spot = at_vertex(static_cast<int>(nearest));
      flesh->reset({0, pose}, {flesh->step(), pose});
      const Vec3 before = flesh->place_of(spot, pose);
      const double at_rest = flesh->measure({0, pose}).energy;
      const Vec3 force{0.02, -0.05, 0.03};
      flesh->set_environment(poked({point, force, 0}));
      stand_still(*flesh, pose, 3);
      const double work = dot(force, flesh->place_of(spot, pose) - before);
      ASSERT_GT(work, 1e-6);
      EXPECT_NEAR(flesh->measure({0, pose}).energy - at_rest + hold_energy(*body, flesh->local_displacements()),
                  0.5 * work, 1e-4 * work)
          << levels;
      flesh->set_environment({});
      stand_still(*flesh, pose, 3);
      EXPECT_LT(distance(flesh->place_of(spot, pose), before), 1e-6);
    }
}

}  // namespace
}  // namespace sinew
