// Statics of force rigs (Capell 2004, equation 6.1): forces and displacements correspond.
#include "sinew/shape/shape_body.h"

#include <numbers>

#include "sinew/base/error.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/shape/force_template.h"
#include "tests/deform/bars.h"
#include "tests/deform/lattice/lattice_bodies.h"
#include "tests/shape/largest.h"

namespace sinew {
namespace {

using namespace test;

const Affine placed = turned_about({0.1, 0.2, 0.3}, to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7)));

ForceField bump_at(const Vec3& centre, double amplitude) {
  const std::vector<double> eta{amplitude, 0.06};
  return {[=](const Vec3& x) { return template_force(TemplateKind::bump, eta, x - centre); }, centre, 0.06, 0.06};
}

TissueLaw stiffening() {
  TissueLaw law;
  law.stiffening = 0.3;
  return law;
}

TEST(ShapeBody, ForcesOfAKnownDisplacementReturnIt) {
  const Bar bar;
  const auto body = tetrahedral_shape_body(cooked_bar(bar), stiffening());
  for (const double bend : {0.0, 1.0}) {
    const std::vector<Affine> pose = bar_pose(bar, placed, bend);
    body->set_pose(pose);
    const std::vector<Vec3> displacement = body->displacements(body->integrate(bump_at({0.45, 0.05, 0}, 3e5)));
    EXPECT_GT(largest(displacement), 0.1 * bar.width) << "far from linear";
    const std::vector<PointForce> forces = body->forces(displacement);
    const std::vector<Vec3> again = body->displacements(forces);
    for (std::size_t v = 0; v < again.size(); ++v)
      EXPECT_LT(distance(again[v], displacement[v]), 1e-5 * largest(displacement));
    // A displacement that no template makes.
    std::vector<Vec3> wave(body->points());
    const FleshDescription description = bar_description(bar);
    for (std::size_t v = 0; v < wave.size(); ++v)
      if (!description.core[v])
        wave[v] = 0.001 * Vec3{0, std::sin(30 * description.mesh.positions[v].x), description.mesh.positions[v].y * 20};
    const std::vector<Vec3> found = body->displacements(body->forces(wave));
    for (std::size_t v = 0; v < wave.size(); ++v) EXPECT_LT(distance(found[v], wave[v]), 1e-6 * largest(wave)) << bend;
  }
}

TEST(ShapeBody, ASearchOnwardFindsTheSameEquilibrium) {
  const Bar bar;
  const auto body = tetrahedral_shape_body(cooked_bar(bar), stiffening());
  body->set_pose(bar_pose(bar, placed, 0.7));
  const auto a = body->integrate(bump_at({0.45, 0.05, 0}, 3e5)), b = body->integrate(bump_at({0.44, 0.05, 0.01}, 2e5));
  const std::vector<Vec3> expected = body->displacements(b);
  body->displacements(a);
  const std::vector<Vec3> rough = body->displacements(b, {.onward = true, .tolerance = 1e-4}),
                          exact = body->displacements(b, {.onward = true});
  for (std::size_t v = 0; v < expected.size(); ++v) {
    EXPECT_LT(distance(rough[v], expected[v]), 1e-3 * largest(expected));
    EXPECT_LT(distance(exact[v], expected[v]), 1e-6 * largest(expected));
  }
  // A body that was used otherwise before searches onward from nothing.
  body->set_pose(bar_pose(bar, placed, 0.7));
  EXPECT_EQ(body->displacements({}, {.onward = true}), std::vector<Vec3>(body->points()));
}

// A body in the shape of its even natural strain carries no stress: the forces of the strain are those that hold it
// there.
TEST(ShapeBody, ForcesOfAnEvenStrainHoldTheStrainedShape) {
  const Bar bar{.core_along_axis = false};
  const auto body = tetrahedral_shape_body(cooked_bar(bar), TissueLaw{});
  body->set_pose(bar_pose(bar, moved({})));
  const std::vector<Vec3> positions = bar_description(bar).mesh.positions;
  const Mat3 strain{{-2e-4, 1e-4, 0, 1e-4, 1e-4, 5e-5, 0, 5e-5, 2e-4}};
  std::vector<Vec3> stretched, expected(body->points()), found(body->points());
  for (const Vec3& x : positions) stretched.push_back(strain * x);
  add_forces(body->integrate(StrainField{[&](const Vec3&) { return strain; }, {0.3, 0, 0}, 10}), 1, found);
  add_forces(body->forces(stretched), 1, expected);
  EXPECT_GT(largest(expected), 0);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (positions[v].x < bar.length / 2) continue;  // the held end does not stretch
    EXPECT_LT(distance(found[v], expected[v]), 2e-3 * largest(expected)) << v;
  }
}

TEST(ShapeBody, StiffeningMultipliesForcesWhereItIs) {
  const Bar bar{.core_along_axis = false};
  const auto body = tetrahedral_shape_body(cooked_bar(bar), stiffening());
  const std::vector<Affine> pose = bar_pose(bar, placed, 0.7);
  body->set_pose(pose);
  const auto force = body->integrate(bump_at({0.45, 0.05, 0}, 3e4));
  const std::vector<Vec3> soft = body->displacements(force);
  std::vector<Vec3> once(body->points()), thrice(body->points());
  add_forces(body->forces(soft), 3, once);
  const auto everywhere = body->stiffening({[](const Vec3&) { return std::log(3.0); }, {0.3, 0, 0}, 10});
  EXPECT_EQ(everywhere.size(), body->points());
  body->stiffen(everywhere);
  body->set_pose(pose);
  add_forces(body->forces(soft), 1, thrice);
  for (std::size_t v = 0; v < once.size(); ++v) EXPECT_LT(distance(once[v], thrice[v]), 1e-9 * largest(once));
  // Equilibrium is found with the factor of the softer body.
  std::vector<PointForce> stronger = force;
  for (PointForce& each : stronger) each.force *= 3;
  const std::vector<Vec3> stiff = body->displacements(stronger);
  for (std::size_t v = 0; v < soft.size(); ++v) EXPECT_LT(distance(stiff[v], soft[v]), 1e-5 * largest(soft));
  // A bar that is stiffer where it is held bends less.
  body->stiffen(body->stiffening({[](const Vec3&) { return std::log(8.0); }, {0, 0, 0}, 0.3}));
  body->set_pose(pose);
  EXPECT_LT(largest(body->displacements(force)), 0.8 * largest(soft));
  body->stiffen({});
  body->set_pose(pose);
  EXPECT_EQ(body->displacements(force), soft);
}

TEST(ShapeBody, SmallForcesAddAndAreThoseOfTheLinearBody) {
  const Bar bar;
  const auto body = tetrahedral_shape_body(cooked_bar(bar), stiffening());
  const std::vector<Affine> rest = bar_pose(bar, moved({}));
  body->set_pose(rest);
  const auto a = body->integrate(bump_at({0.45, 0.05, 0}, 1e-3)), b = body->integrate(bump_at({0.5, 0.03, 0.02}, 2e-3));
  std::vector<Vec3> sum(body->points());
  add_forces(a, 1, sum), add_forces(b, 1, sum);
  const std::vector<Vec3> first = body->displacements(a), second = body->displacements(b),
                          both = body->displacements(nonzero_forces(sum)),
                          linear = body->small_displacements(nonzero_forces(sum));
  for (std::size_t v = 0; v < both.size(); ++v) {
    EXPECT_LT(distance(first[v] + second[v], both[v]), 1e-6 * largest(both));
    EXPECT_LT(distance(linear[v], both[v]), 1e-6 * largest(both));
  }
}

TEST(ShapeBody, ForcesTurnWithTheFlesh) {
  const Bar bar;
  const auto body = tetrahedral_shape_body(cooked_bar(bar), stiffening());
  const auto forces = body->integrate(bump_at({0.45, 0.05, 0}, 1e5));
  body->set_pose(bar_pose(bar, moved({})));
  const std::vector<Vec3> still = body->displacements(forces);
  body->set_pose(bar_pose(bar, placed));
  const std::vector<Vec3> turned = body->displacements(forces);
  for (std::size_t v = 0; v < still.size(); ++v) EXPECT_LT(distance(still[v], turned[v]), 1e-6 * largest(still));
}

std::unique_ptr<ShapeBody> lattice_bar_for_shapes(const LatticeBarOptions& options) {
  const LatticeGrid grid = lattice_grid(lattice_bar(options.along), options.scheme, options.levels);
  return lattice_shape_body(lattice_bar_body(options), grid,
                            std::vector<double>(grid.tetrahedra.mesh.tetrahedra.size(), 1.0));
}

TEST(ShapeBody, InLatticesForcesAndDisplacementsCorrespond) {
  for (const int levels : {1, 2})
    for (const bool nonlinear : {false, true}) {
      LatticeBarOptions options = damped_bar(LatticeReference::rig, Linearization::warped, Warping::element, levels);
      if (nonlinear) options = converged_tissue(options);
      const auto body = lattice_bar_for_shapes(options);
      for (const double bend : {0.0, 0.8}) {
        body->set_pose(bar_pose(bend, placed));
        const auto force = body->integrate(bump_at({0.45, 0.03, 0}, 1e5));
        const std::vector<Vec3> displacement = body->displacements(force);
        EXPECT_GT(largest(displacement), 1e-3);
        const std::vector<PointForce> found = body->forces(displacement);
        std::vector<Vec3> difference(body->points());
        add_forces(found, 1, difference), add_forces(force, -1, difference);
        double most = 0;
        for (const PointForce& each : force) most = std::max(most, norm(each.force));
        EXPECT_LT(largest(difference), 1e-3 * most) << levels << nonlinear << bend;
      }
    }
}

TEST(ShapeBody, LatticesRefuseStrain) { EXPECT_THROW(lattice_bar_for_shapes({})->integrate(StrainField{}), Error); }

TEST(ShapeBody, InLatticesForcesHaveTheTotalOfTheirField) {
  const auto body = lattice_bar_for_shapes({});
  Vec3 total;
  for (const PointForce& each : body->integrate(bump_at({0.45, 0.05, 0}, 1e4))) total += each.force;
  // Half of the ball is in the bar, and functions of the axis, which bones drive, take their share.
  const double half = 1e4 * std::pow(0.06, 3) * (2 * std::numbers::pi / 3 - 4 / std::numbers::pi) / 2;
  EXPECT_GT(total.y, 0.5 * half);
  EXPECT_LT(total.y, half);
}

TEST(ShapeBody, NamesTheRigidMotionThatIsFree) {
  Bar bar;
  FleshDescription description = bar_description(bar);
  // A line of core vertices along the axis: the flesh may turn around it.
  for (std::size_t v = 0; v < description.core.size(); ++v)
    description.core[v] =
        std::abs(description.mesh.positions[v].y) < 1e-9 && std::abs(description.mesh.positions[v].z) < 1e-9;
  const auto says = [&](const FleshDescription& d) -> std::string {
    const auto body = tetrahedral_shape_body(cook_flesh(assemble_flesh(d), {}), stiffening());
    body->set_pose(bar_pose(bar, moved({})));
    try {
      body->displacements(body->integrate(bump_at({0.45, 0.05, 0}, 1)));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::simulation);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(says(description).find("free to turn about an axis near x"), std::string::npos) << says(description);
  std::fill(description.core.begin(), description.core.end(), 0);
  EXPECT_NE(says(description).find("free to"), std::string::npos) << says(description);
  EXPECT_EQ(says(bar_description(bar)), "");
}

// Section 6.6: where the basis adapts, rigs switch on the detail that they push, and no other.
TEST(ShapeBody, InAdaptiveLatticesRigsSwitchOnWhatTheyPush) {
  LatticeBarOptions options = damped_bar(LatticeReference::rig, Linearization::warped, Warping::element, 3);
  options.mass_damping = 40;
  const auto body = lattice_bar_body(options);
  const LatticeDescription& description = body->description;
  const auto forces = lattice_bar_for_shapes(options)->integrate(bump_at({0.45, 0.05, 0}, 1e5));
  std::vector<PointForce> coarse = forces;
  std::erase_if(coarse,
                [&](const PointForce& each) { return description.level[static_cast<std::size_t>(each.point)] > 0; });
  const std::vector<Affine> bones = bar_pose(0, placed);
  options.run.adaptation.on = true;
  options.run.adaptation.threshold = {1e9, 1e9};  // strain switches on nothing
  const auto adapting = lattice_bar_body(options);
  const auto settled = [&](bool adaptive, std::span<const PointForce> pushed) {
    const auto flesh = lattice_flesh(adaptive ? adapting : body);
    flesh->reset({0, bones}, {flesh->step(), bones});
    for (int step = 1; step <= 100; ++step) flesh->advance({step * flesh->step(), bones, {}, nullptr, pushed});
    const std::span<const Vec3> found = flesh->local_displacements();
    return std::vector<Vec3>(found.begin(), found.end());
  };
  const std::vector<Vec3> adaptive = settled(true, forces), whole = settled(false, forces),
                          without_detail = settled(true, coarse);
  double detail = 0, elsewhere = 0;
  for (std::size_t f = 0; f < whole.size(); ++f) {
    if (description.level[f] == 0) continue;
    double& most = distance(description.place[f], {0.45, 0.05, 0}) < 0.15 ? detail : elsewhere;
    most = std::max(most, norm(adaptive[f]));
  }
  EXPECT_GT(detail, 0.1 * largest(whole));
  EXPECT_EQ(elsewhere, 0);
  // The surface, beside that of all functions.
  double off = 0, off_without = 0;
  for (std::size_t s = 0; s < description.surface.rows(); ++s) {
    const Vec3 right = row_times(description.surface, s, whole);
    off = std::max(off, distance(row_times(description.surface, s, adaptive), right));
    off_without = std::max(off_without, distance(row_times(description.surface, s, without_detail), right));
  }
  EXPECT_LT(off, 0.5 * off_without) << off_without;
}

}  // namespace
}  // namespace sinew
