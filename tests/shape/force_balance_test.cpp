#include "sinew/shape/force_balance.h"

#include <cmath>

#include "sinew/shape/shape_forces.h"
#include "tests/deform/bars.h"
#include "tests/deform/lattice/lattice_bodies.h"
#include "tests/shape/skinned_bar.h"

namespace sinew {
namespace {

using namespace test;

constexpr BalanceRegion end_of_bar{{0.48, 0.01, 0}, 0.12};

ForceField bump_beside(const Vec3& centre) {
  const std::vector<double> eta{1e5, 0.05};
  return {[=](const Vec3& x) { return template_force(TemplateKind::bump, eta, x - centre); }, centre, 0.05, 0.05};
}

Bar held_at_one_end() {
  Bar bar;
  bar.core_along_axis = false;
  return bar;
}

std::unique_ptr<ShapeBody> lattice_body() {
  LatticeBarOptions options = damped_bar(LatticeReference::rig, Linearization::warped, Warping::element, 2);
  const LatticeGrid grid = lattice_grid(lattice_bar(options.along), options.scheme, options.levels);
  return lattice_shape_body(lattice_bar_body(options), grid,
                            std::vector<double>(grid.tetrahedra.mesh.tetrahedra.size(), 1.0));
}

double work_of(std::span<const PointForce> force, std::span<const Vec3> displacement) {
  double work = 0;
  for (const PointForce& each : force) work += dot(each.force, displacement[static_cast<std::size_t>(each.point)]);
  return work;
}

// About points and axes that balancing knows nothing of.
double largest_work_of_rigid_motions(const ShapeBody& body, std::span<const PointForce> force) {
  double most = 0;
  for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    for (const Vec3& turn : {Vec3{}, Vec3{3, 0, 0}, Vec3{1, 5, 2}})
      most = std::max(most, std::abs(work_of(force, body.rigid_motion(way, turn, {0.1, -0.2, 0.3}))));
  return most;
}

TEST(ForceBalance, LeavesNoForceAndNoTorqueOnFleshThatCanMove) {
  for (const bool lattice : {false, true}) {
    const std::unique_ptr<ShapeBody> body =
        lattice ? lattice_body() : tetrahedral_shape_body(cooked_bar({}), SkinnedBar::law());
    const std::vector<PointForce> force = body->integrate(bump_beside({0.5, 0.04, 0.01}));
    const std::vector<PointForce> balanced = ForceBalance(end_of_bar, *body).balanced(force);
    EXPECT_GT(largest_work_of_rigid_motions(*body, force), 1);
    EXPECT_LT(largest_work_of_rigid_motions(*body, balanced), 1e-9);
  }
}

TEST(ForceBalance, PushesAgainstTheRegionAlone) {
  const Bar bar;
  const auto body = tetrahedral_shape_body(cooked_bar(bar), SkinnedBar::law());
  const std::vector<Vec3> places = bar_description(bar).mesh.positions;
  double inside = 0;
  for (const PointForce& each :
       ForceBalance(end_of_bar, *body).balanced(body->integrate(bump_beside({0.5, 0.04, 0})))) {
    const double away = distance(places[static_cast<std::size_t>(each.point)], end_of_bar.centre);
    EXPECT_LT(away, end_of_bar.radius + 2 * bar.length / bar.along);
    if (away > 0.07) inside = std::max(inside, norm(each.force));
  }
  EXPECT_GT(inside, 0);
}

// A bar that is held at one end bends under a push at the other; under the same push, balanced, it stays.
TEST(ForceBalance, DoesNotCarryOffFleshFarFromBone) {
  const Bar bar = held_at_one_end();
  const auto body = tetrahedral_shape_body(cooked_bar(bar), SkinnedBar::law());
  const std::vector<PointForce> force = body->integrate(bump_beside({0.48, 0.04, 0}));
  const std::vector<Vec3> places = bar_description(bar).mesh.positions;
  const auto moved_end = [&](const std::vector<PointForce>& pushed) {
    const std::vector<Vec3> u = body->small_displacements(pushed);
    Vec3 mean;
    double count = 0;
    for (std::size_t v = 0; v < u.size(); ++v)
      if (places[v].x > 0.59) mean += u[v], ++count;
    return norm(mean) / count;
  };
  EXPECT_LT(moved_end(ForceBalance(end_of_bar, *body).balanced(force)), 0.05 * moved_end(force));
}

TEST(ForceBalance, ItsWorkIsThatOfTheForceAlongWhatItLeaves) {
  const auto body = tetrahedral_shape_body(cooked_bar({}), SkinnedBar::law());
  const ForceBalance balance(end_of_bar, *body);
  const std::vector<PointForce> force = body->integrate(bump_beside({0.46, -0.03, 0.02}));
  std::vector<Vec3> u(body->points());
  for (std::size_t v = 0; v < u.size(); ++v)
    u[v] = {std::sin(1.3 * static_cast<double>(v)), std::cos(0.7 * static_cast<double>(v)), 0.5};
  const double found = work_of(balance.balanced(force), u);
  EXPECT_NEAR(work_of(force, balance.balanced_work(u)), found, 1e-12 * std::abs(work_of(force, u)) + 1e-12);
}

TEST(ForceBalance, WhatNothingCanBalanceStays) {
  const auto body = tetrahedral_shape_body(cooked_bar({}), SkinnedBar::law());
  const std::vector<PointForce> force = body->integrate(bump_beside({0.5, 0.04, 0}));
  const std::vector<PointForce> same = ForceBalance({{5, 5, 5}, 0.1}, *body).balanced(force);
  ASSERT_EQ(same.size(), force.size());
  for (std::size_t k = 0; k < same.size(); ++k) EXPECT_EQ(same[k].force, force[k].force);
}

}  // namespace
}  // namespace sinew
