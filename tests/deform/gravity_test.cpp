// Gravity that changes: what flesh was posed under is held, the difference acts as a force on its mass.
#include <gtest/gtest.h>

#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/tetrahedra/elastic_reference.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "tests/deform/bars.h"
#include "tests/deform/lattice/lattice_bodies.h"

namespace sinew {
namespace {

using namespace test;

constexpr Vec3 cooked{0, -9.81, 0}, other{0.6, -9.0, 0.4};  // the difference bends a bar a little

Environment under(const Vec3& gravity) {
  Environment environment;
  environment.gravity = gravity;
  return environment;
}

void stand(BodyMotion& flesh, const std::vector<Affine>& pose, double seconds) {
  const int steps = static_cast<int>(seconds / flesh.step());
  for (int k = 1; k <= steps; ++k) flesh.advance({k * flesh.step(), pose});
}

double farthest(std::span<const Vec3> a, std::span<const Vec3> b) {
  double most = 0;
  for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, distance(a[v], b[v]));
  return most;
}

// Displacements are K^-1 M (g - g_0), turned into the pose's own frames, whatever the cooked rest shape held of g_0.
TEST(Gravity, TetrahedraRestWhereStiffnessHoldsTheDifference) {
  Bar bar;
  bar.along = 8;
  bar.across = 2;
  bar.mass_damping = 25;
  bar.stiffness_damping = 0.002;
  const std::vector<Affine> pose = bar_pose(bar, turned_about({}, to_matrix(axis_angle({0, 0, 1}, 0.5 * pi))));
  for (const GravityInRest in_rest : {GravityInRest::pose, GravityInRest::bind, GravityInRest::off}) {
    FleshDynamics dynamics;
    dynamics.gravity_in_rest = in_rest;
    const auto body = cooked_bar(bar, dynamics);
    for (const bool elastic : {false, true}) {
      const std::unique_ptr<BodyMotion> flesh =
          elastic ? elastic_reference_flesh(body, Warping::element) : rig_reference_flesh(body);
      flesh->reset({0, pose}, {flesh->step(), pose});
      const Eigen::VectorXd start = free_displacement(*body, *flesh);
      flesh->set_environment(under(other));
      stand(*flesh, pose, 3);
      const Eigen::VectorXd change = free_displacement(*body, *flesh) - start;
      const Vec3 local = transpose_times(pose[0].linear, other - cooked);
      std::vector<double> force(static_cast<std::size_t>(change.size())), expected(force.size());
      const Eigen::VectorXd mass = dense_mass(*body);
      for (std::size_t k = 0; k < force.size(); ++k) force[k] = mass[static_cast<Eigen::Index>(k)] * local[k % 3];
      static_factor(*body).solve(force, expected);
      const Eigen::Map<const Eigen::VectorXd> known(expected.data(), change.size());
      const double most = known.lpNorm<Eigen::Infinity>();
      ASSERT_GT(most, 1e-5);
      EXPECT_LT((change - known).lpNorm<Eigen::Infinity>(), (elastic ? 2e-3 : 1e-6) * most)
          << static_cast<int>(in_rest);
      flesh->set_environment(under(cooked));  // no difference: as if nothing acted
      stand(*flesh, pose, 3);
      EXPECT_LT((free_displacement(*body, *flesh) - start).lpNorm<Eigen::Infinity>(), (elastic ? 2e-3 : 1e-6) * most);
    }
  }
}

// As the static equilibrium of a body that was cooked to sag under the difference.
TEST(Gravity, LatticesRestWhereABodyOfThatGravityDoes) {
  for (const Linearization linearization : {Linearization::warped, Linearization::blended})
    for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic}) {
      const bool blended = linearization == Linearization::blended;
      if (blended && reference == LatticeReference::rig) continue;
      const std::vector<Affine> pose = bar_pose(blended ? 0 : 0.3);
      LatticeBarOptions options = damped_bar(reference, linearization);
      options.dynamics.tolerance = 1e-8;
      const auto flesh = lattice_flesh(lattice_bar_body(options));
      options.dynamics.gravity_in_rest = GravityInRest::off;
      options.dynamics.gravity = other - cooked;
      const auto sagging = lattice_flesh(lattice_bar_body(options));
      for (const auto& body : {flesh.get(), sagging.get()}) body->reset({0, pose}, {body->step(), pose});
      const std::vector<Vec3> before(flesh->local_displacements().begin(), flesh->local_displacements().end());
      const double most = farthest(before, sagging->local_displacements());
      ASSERT_GT(most, 1e-5);
      flesh->set_environment(under(other));
      stand(*flesh, pose, 1);
      if (blended) stand(*sagging, pose, 1);  // its steps have a rest of their own, which regions settle to one by one
      EXPECT_LT(farthest(flesh->local_displacements(), sagging->local_displacements()), 1e-3 * most)
          << static_cast<int>(linearization) << static_cast<int>(reference);
      flesh->set_environment(under(cooked));
      stand(*flesh, pose, 1);
      EXPECT_LT(farthest(flesh->local_displacements(), before), 1e-3 * most);
    }
}

// Where next to nothing holds it, flesh falls: second differences of positions are (g - g_0) h^2 once the step's own
// averaging of the force's onset has died away.
TEST(Gravity, FleshThatNothingHoldsFalls) {
  const auto expect_fall = [](BodyMotion& flesh, const std::vector<Affine>& pose,
                              const std::vector<std::size_t>& free) {
    flesh.reset({0, pose}, {flesh.step(), pose});
    flesh.set_environment(under(other));
    std::vector<std::vector<Vec3>> path;
    for (int k = 1; k <= 42; ++k) {
      flesh.advance({k * flesh.step(), pose});
      path.emplace_back(flesh.local_displacements().begin(), flesh.local_displacements().end());
    }
    const Vec3 expected = flesh.step() * flesh.step() * (other - cooked);
    ASSERT_FALSE(free.empty());
    for (const std::size_t v : free) {
      const Vec3 second = path[41][v] - 2.0 * path[40][v] + path[39][v];
      EXPECT_LT(distance(second, expected), 1e-5 * norm(expected)) << v;
      // Where it fell to, but for the onset: less than two steps' time.
      const double t = 42 * flesh.step();
      EXPECT_LT(distance(path[41][v], (0.5 * t * t) * (other - cooked)), 2 * flesh.step() * t * norm(other - cooked));
    }
  };
  Bar bar;
  bar.along = 4;
  bar.across = 2;
  bar.young = 1e-6;
  const auto body = cooked_bar(bar);
  std::vector<std::size_t> free(body->free_vertex.begin(), body->free_vertex.end());
  expect_fall(*rig_reference_flesh(body), bar_pose(bar, {}), free);

  LatticeBarOptions options;
  options.young = 1e-6;
  options.bone_hold = 0;
  options.dynamics.tolerance = 1e-10;
  const auto lattice = lattice_bar_body(options);
  // Functions share mass with those that the skeleton drives: row by row, M a is the weight.
  const auto flesh = lattice_flesh(lattice);
  const std::vector<Affine> pose = bar_pose(0);
  flesh->reset({0, pose}, {flesh->step(), pose});
  flesh->set_environment(under(other));
  std::vector<std::vector<Vec3>> path;
  for (int k = 1; k <= 42; ++k) {
    flesh->advance({k * flesh->step(), pose});
    path.emplace_back(flesh->local_displacements().begin(), flesh->local_displacements().end());
  }
  std::vector<Vec3> second(path[0].size());
  for (std::size_t f = 0; f < second.size(); ++f) second[f] = path[41][f] - 2.0 * path[40][f] + path[39][f];
  const Vec3 expected = flesh->step() * flesh->step() * (other - cooked);
  std::size_t unknowns = 0;
  for (std::size_t f = 0; f < second.size(); ++f) {
    if (norm(second[f]) == 0) continue;  // driven
    ++unknowns;
    const Vec3 inertia = row_times(lattice->mass(), f, second), weight = lattice->description.weight[f] * expected;
    EXPECT_LT(distance(inertia, weight), 1e-5 * norm(weight)) << f;
  }
  EXPECT_GT(unknowns, 20u);
}

}  // namespace
}  // namespace sinew
