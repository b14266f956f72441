// Levels of a hierarchical basis approach the true body: a cantilever under its weight against beam theory.
#include <gtest/gtest.h>

#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "tests/deform/bars.h"
#include "tests/deform/lattice/lattice_bodies.h"
#include "tests/deform/lattice/lattice_motion.h"

namespace sinew {
namespace {

using namespace test;

// A bar of lattice_bar() whose whole end face is held.
LatticeBarOptions cantilever(int levels, double young) {
  LatticeBarOptions options;
  options.levels = levels;
  options.reference = LatticeReference::elastic;
  options.young = young;
  options.bone_hold = 0;
  options.dynamics.gravity_in_rest = GravityInRest::off;
  return options;
}

// Sag of the middle of the end at rest, metres.
double sag(const LatticeBarOptions& options) {
  const auto body =
      cook_lattice(lattice_bar_description(options, true), options.reference, options.run, options.dynamics);
  const auto flesh = lattice_flesh(body);
  const std::vector<Affine> pose = bar_pose(0);
  flesh->reset({0, pose}, {flesh->step(), pose});
  return -flesh->place_of(at_vertex(surface_vertex(*body, {bar_length, 0, 0})), pose).y;
}

// Bernoulli's beam with Timoshenko's shear. The bar's held end cannot thin, which makes it about 2 % stiffer.
TEST(LatticeLevels, EachIsNearerToTheBeam) {
  const double young = 1e7, area = bar_width * bar_width, inertia = area * area / 12, load = 1000 * 9.81 * area;
  const double beam = load * bar_length * bar_length *
                      (bar_length * bar_length / (8 * young * inertia) + 1 / (2 * 5.0 / 6 * young / 2.9 * area));
  for (const int along : {3, 6}) {
    double last = 1;
    for (const int levels : {1, 2, 3}) {
      LatticeBarOptions options = cantilever(levels, young);
      options.along = along;
      const double off = std::abs(sag(options) / beam - 1);
      EXPECT_LT(off, 0.75 * last) << along << ' ' << levels;
      last = off;
    }
    EXPECT_LT(last, along == 3 ? 0.12 : 0.045);
  }
}

// A soft bar that hangs from its end, against the same bar in 9,216 tetrahedra.
TEST(LatticeLevels, EachIsNearerToTetrahedraWhereABarHangsFar) {
  const double young = 3e5;
  Bar fine{.along = 24, .across = 8, .length = bar_length, .width = bar_width};
  fine.young = young;
  fine.core_along_axis = false;
  FleshDynamics dynamics;
  dynamics.gravity_in_rest = GravityInRest::off;
  const auto body = cooked_bar(fine, dynamics);
  QuasiNewton how;
  how.shape = NaturalShape::rest;
  const auto flesh = quasi_newton_flesh(body, how);
  const std::vector<Affine> pose = bar_pose(0);
  flesh->reset({0, pose}, {flesh->step(), pose});
  double truth = 0;
  const std::vector<Vec3>& rest = body->description.mesh.positions;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (distance(rest[v], {bar_length, 0, 0}) < 1e-9) truth = -flesh->local_displacements()[v].y;
  EXPECT_GT(truth, 2 * bar_width);
  double last = 1;
  for (const int levels : {1, 2, 3}) {
    LatticeBarOptions options = cantilever(levels, young);
    options.along = 3;
    options.run.nonlinear.emplace();
    const double off = std::abs(sag(options) / truth - 1);
    EXPECT_LT(off, 0.75 * last) << levels;
    last = off;
  }
  EXPECT_LT(last, 0.04);
}

// Without stiffening the law differs from Green's strain only in what strain adds to rotation; here that is up to 0.1.
TEST(LatticeLevels, HangsAsFarAsGreensStrainHasIt) {
  LatticeBarOptions options = cantilever(2, 3e5);
  options.along = 3;
  LatticeBarOptions green = options;
  green.run.linearization = Linearization::none;
  options.run.nonlinear.emplace();
  EXPECT_NEAR(sag(options) / sag(green), 1, 0.02);
}

}  // namespace
}  // namespace sinew
