#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "studies/reference/hyperelastic_energy.h"
#include "studies/reference/nonlinear_equilibrium.h"
#include "studies/surface/dancing_tube.h"
#include "studies/truth/nonlinear_flesh.h"
#include "studies/truth/performance.h"
#include "studies/truth/tables.h"
#include "tests/base/refusal.h"
#include "tests/deform/bars.h"

namespace sinew {
namespace {

std::unique_ptr<BodyMotion> nonlinear(const std::shared_ptr<const FleshBody>& body, const NonlinearLaw& law = {}) {
  return flesh_motion(body, nonlinear_reference(body, law));
}

// Smooth, and different at every vertex.
std::vector<Vec3> some_field(const FleshBody& body, double size) {
  std::vector<Vec3> field;
  for (std::size_t v = 0; v < body.description.mesh.positions.size(); ++v) {
    const Vec3 x = 9.0 * body.description.mesh.positions[v];
    field.push_back(size * Vec3{std::sin(x.x + 2 * x.y), std::cos(2 * x.x - x.z), std::sin(x.y + 3 * x.z + x.x)});
  }
  return field;
}

// Of a bar whose joint is bent, so that the natural shape is strained.
VertexFrames bent_frames(const test::Bar& bar, const FleshBody& body, double bend) {
  VertexFrames frames;
  predict_frames(body.description.mesh.positions, body.description.influences,
                 test::bar_pose(bar, test::turned_about({}, to_matrix(axis_angle({1, 0, 0}, 0.7))), bend), frames);
  return frames;
}

TEST(TruthStudy, ForcesAreTheGradientOfTheEnergy) {
  const test::Bar bar{.along = 6, .across = 2};
  const auto body = test::cooked_bar(bar);
  for (const NonlinearLaw& law : {NonlinearLaw{}, NonlinearLaw{.law = HyperelasticLaw::st_venant_kirchhoff},
                                  NonlinearLaw{.small_strain = true}, NonlinearLaw{.tissue = {.stiffening = 0.3}}}) {
    NonlinearForces forces(*body, law);
    forces.set_goal(bent_frames(bar, *body, 1.0).goal);
    std::vector<Vec3> displacement = some_field(*body, 0.02), still(displacement.size()), gradient(displacement.size());
    forces.gradient(displacement, still, 0, gradient);
    double most = 0;
    for (const Vec3& g : gradient) most = std::max(most, norm(g));
    for (const std::size_t v : {0u, 5u, 17u, 40u})
      for (std::size_t i = 0; i < 3; ++i) {
        constexpr double by = 1e-6;
        const double at = displacement[v][i];
        displacement[v][i] = at + by;
        const double above = forces.energy(displacement);
        displacement[v][i] = at - by;
        const double below = forces.energy(displacement);
        displacement[v][i] = at;
        EXPECT_NEAR(gradient[v][i], (above - below) / (2 * by), 1e-6 * most);
      }
  }
}

// The goal carries no force in any pose, and turning what is added with the goal changes no energy.
TEST(TruthStudy, TheGoalIsTheNaturalShape) {
  const test::Bar bar{.along = 6, .across = 2};
  const auto body = test::cooked_bar(bar);
  NonlinearForces forces(*body, {});
  const VertexFrames frames = bent_frames(bar, *body, 1.5);
  std::vector<Vec3> zero(frames.goal.size()), gradient(zero.size());
  forces.set_goal(frames.goal);
  forces.gradient(zero, zero, 0, gradient);
  for (const Vec3& g : gradient) EXPECT_LT(norm(g), 1e-12);

  std::vector<Vec3> added = some_field(*body, 0.02);
  const double before = forces.energy(added);
  const Mat3 turn = to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 2.0));
  std::vector<Vec3> goal = frames.goal;
  for (std::size_t v = 0; v < goal.size(); ++v) goal[v] = turn * goal[v], added[v] = turn * added[v];
  forces.set_goal(goal);
  EXPECT_NEAR(forces.energy(added), before, 1e-10 * before);
}

// Quasi-Newton steps with a vector kernel and Newton steps with matrices of their own are two programs for one body.
TEST(TruthStudy, QuasiNewtonStepsConvergeToIt) {
  test::Bar bar{.along = 8, .across = 2};
  bar.mass_damping = 3;
  bar.stiffness_damping = 0.002;
  const auto body = test::cooked_bar(bar);
  const auto pose = [&](int step) {
    const double t = step / 240.0;
    return test::bar_pose(bar, test::turned_about({}, to_matrix(axis_angle({1, 0, 0}, 3 * t))), 1.2 * std::sin(12 * t));
  };
  const auto truth = nonlinear(body);
  test::play(*truth, pose, 60);
  double last = 1;
  for (const double tolerance : {0.02, 1e-3, 1e-8}) {
    QuasiNewton how;
    how.tolerance = tolerance;
    how.most_iterations = 200;
    how.precision = TissuePrecision::doubles;
    const auto flesh = quasi_newton_flesh(body, how);
    test::play(*flesh, pose, 60);
    double off = 0, moved = 0;
    for (std::size_t v = 0; v < body->mass.size(); ++v) {
      off += squared_norm(flesh->local_displacements()[v] - truth->local_displacements()[v]);
      moved += squared_norm(truth->local_displacements()[v]);
    }
    const double error = std::sqrt(off / moved);
    EXPECT_LT(error, 0.5 * last);
    last = error;
    if (tolerance == 0.02) {
      EXPECT_LT(error, 0.1);  // a bar that is swung by 70 degrees; characters are within 3 %
    }
  }
  EXPECT_LT(last, 1e-5);
}

// Where nothing is bent or displaced, the linear law is what is left.
TEST(TruthStudy, AtRestItIsTheLinearStiffness) {
  const test::Bar bar{.along = 6, .across = 2};
  const auto body = test::cooked_bar(bar);
  for (const HyperelasticLaw law : {HyperelasticLaw::corotated, HyperelasticLaw::st_venant_kirchhoff}) {
    NonlinearForces forces(*body, {.law = law});
    const VertexFrames frames = bent_frames(bar, *body, 0);
    forces.set_goal(frames.goal);
    BlockMatrix hessian = body->stiffness;
    forces.hessian(std::vector<Vec3>(frames.goal.size()), frames.rotation, hessian);
    double largest = 0;
    for (const Mat3& block : body->stiffness.block) largest = std::max(largest, frobenius_norm(block));
    for (std::size_t f = 0; f < body->free_vertex.size(); ++f)
      for (int k = hessian.row_start[f]; k < hessian.row_start[f + 1]; ++k) {
        Mat3 expected = body->stiffness.block[static_cast<std::size_t>(k)];
        if (static_cast<std::size_t>(hessian.column[static_cast<std::size_t>(k)]) == f)
          expected -= Mat3::identity() * body->bone_spring[static_cast<std::size_t>(body->free_vertex[f])];
        EXPECT_LT(frobenius_norm(hessian.block[static_cast<std::size_t>(k)] - expected), 1e-10 * largest);
      }
  }
}

// A bar on its first bone that is shaken: root mean square distance of linear flesh from nonlinear, as a share of its
// motion.
double linear_error(double amplitude) {
  const test::Bar bar{
      .along = 12, .across = 2, .young = 4e4, .core_along_axis = false, .mass_damping = 1, .stiffness_damping = 0.01};
  FleshDynamics dynamics;
  dynamics.step = 1.0 / 480;
  const auto body = test::cooked_bar(bar, dynamics);
  const auto truth = nonlinear(body), flesh = rig_reference_flesh(body);
  const auto pose = [&](int k) {
    return test::bar_pose(bar,
                          test::moved({0, amplitude * std::sin(2 * std::numbers::pi * 1.5 * k * dynamics.step), 0}));
  };
  double off = 0, moved = 0;
  for (BodyMotion* motion : {truth.get(), flesh.get()}) motion->reset({0, pose(0)}, {dynamics.step, pose(1)});
  for (int k = 1; k <= 240; ++k) {
    truth->advance({k * dynamics.step, pose(k)});
    flesh->advance({k * dynamics.step, pose(k)});
    for (std::size_t v = 0; v < body->mass.size(); ++v) {
      off += squared_norm(truth->local_displacements()[v] - flesh->local_displacements()[v]);
      moved += squared_norm(truth->local_displacements()[v]);
    }
  }
  return std::sqrt(off / moved);
}

TEST(TruthStudy, SmallMotionIsLinear) {
  const double large = linear_error(3e-2), small = linear_error(3e-4), smallest = linear_error(3e-5);
  EXPECT_GT(large, 0.02);  // metres that a bar of 0.6 m notices
  // A shaken straight bar shortens with the square of how far it swings: a tenth of the motion, a tenth of the share.
  EXPECT_NEAR(small / smallest, 10, 1);
  EXPECT_LT(smallest, 1e-3);
}

// Euler and Bernoulli: 1.8751^2 / (2 pi L^2) sqrt(E I / rho A), at small swings.
TEST(TruthStudy, ABarRingsAtItsFrequency) {
  const test::Bar bar{.along = 40,
                      .across = 4,
                      .length = 1,
                      .width = 0.1,
                      .young = 2e7,
                      .poisson = 0.3,
                      .core_along_axis = false,
                      .stiffness_damping = 0.02};
  FleshDynamics dynamics;
  dynamics.step = 1.0 / 240;
  const auto body = test::cooked_bar(bar, dynamics);
  const auto flesh = nonlinear(body);
  const auto pose = [&](int k) { return test::bar_pose(bar, test::moved({0, k > 0 ? 1e-4 : 0.0, 0})); };
  flesh->reset({0, pose(0)}, {dynamics.step, pose(0)});
  std::vector<double> tip;
  std::size_t far = 0;
  for (std::size_t v = 0; v < body->mass.size(); ++v)
    if (body->description.mesh.positions[v].x > body->description.mesh.positions[far].x) far = v;
  for (int k = 1; k <= 480; ++k) {
    flesh->advance({k * dynamics.step, pose(k)});
    tip.push_back(flesh->local_displacements()[far].y);
  }
  const double pi = std::numbers::pi, expected = 1.8751 * 1.8751 / (2 * pi) * 0.1 * std::sqrt(2e7 / 1000 / 12);
  const Ringing ring = ringing(tip, dynamics.step, 2);
  EXPECT_NEAR(ring.frequency, expected, 0.02 * expected);
  EXPECT_NEAR(ring.damping, 0.02 * pi * expected, 0.1 * 0.02 * pi * expected);
}

// A bar that hangs far down by its weight, as the solver of static equilibria has it.
TEST(TruthStudy, ItComesToRestInTheEquilibrium) {
  const test::Bar bar{
      .along = 12, .across = 2, .young = 6e4, .core_along_axis = false, .mass_damping = 8, .stiffness_damping = 0.02};
  FleshDynamics dynamics;
  dynamics.gravity_in_rest = GravityInRest::off;
  const auto body = test::cooked_bar(bar, dynamics);
  const auto flesh = nonlinear(body);
  const std::vector<Affine> pose = test::bar_pose(bar, Affine{});
  flesh->reset({0, pose}, {dynamics.step, pose});
  for (int k = 1; k <= 1500; ++k) flesh->advance({k * dynamics.step, pose});

  HyperelasticEnergy energy(body->samples, static_cast<int>(body->mass.size()), HyperelasticLaw::corotated);
  std::vector<Vec3> weight;
  std::vector<int> held;
  for (std::size_t v = 0; v < body->mass.size(); ++v) {
    weight.push_back(body->mass[v] * dynamics.gravity);
    if (body->free_index[v] < 0) held.push_back(static_cast<int>(v));
  }
  const NonlinearEquilibrium rest = nonlinear_equilibrium(energy, std::vector<Vec3>(weight.size()), weight, held);
  double sag = 0, off = 0;
  for (std::size_t v = 0; v < weight.size(); ++v) {
    sag = std::max(sag, norm(rest.q[v]));
    off = std::max(off, norm(rest.q[v] - flesh->local_displacements()[v]));
  }
  EXPECT_GT(sag, 0.2);  // a third of its length
  EXPECT_LT(off, 1e-4 * sag);
}

TEST(TruthStudy, RingingIsHeard) {
  std::vector<double> samples;
  const double w = 2 * std::numbers::pi * 3.7;
  for (int k = 0; k < 90; ++k)
    samples.push_back(std::exp(-0.12 * w * k / 60) * std::cos(w * std::sqrt(1 - 0.12 * 0.12) * k / 60 + 0.4));
  const Ringing ring = ringing(samples, 1.0 / 60, 2.5);
  EXPECT_NEAR(ring.frequency, 3.7, 1e-3);
  EXPECT_NEAR(ring.damping, 0.12, 1e-3);
  EXPECT_LT(ring.left, 1e-3);
}

TEST(TruthStudy, PrincipalMotionIsTheOneThatMostIsShownOf) {
  Displacements frames;
  for (int k = 0; k < 20; ++k)
    frames.push_back({Vec3{std::sin(0.7 * k), 0, 0.1 * std::cos(1.3 * k)}, Vec3{2 * std::sin(0.7 * k), 0, 0}});
  const std::vector<Vec3> motion = principal_motion(frames);
  EXPECT_NEAR(std::abs(motion[0].x), 1 / std::sqrt(5.0), 1e-2);
  EXPECT_NEAR(std::abs(motion[1].x), 2 / std::sqrt(5.0), 1e-2);
}

// The page's experiment on the smallest character: flesh is near the truth, the rig alone and springs are not.
TEST(TruthStudy, FleshOfATubeIsNearTheTruth) {
  TruthOptions options;
  options.tetrahedra = 800;
  options.seconds = 0.5;
  options.step = 1.0 / 480;
  const TruthExperiment experiment = truth_experiment(dancing_tube(), "tube", options);
  ASSERT_EQ(experiment.parts.size(), 7u);
  EXPECT_LT(experiment.parts.back().error, 0.15);
  ASSERT_EQ(experiment.nonlinear.size(), 3u);
  EXPECT_LT(experiment.nonlinear[0].error, 0.03);
  EXPECT_NEAR(experiment.flesh_ring, experiment.truth_ring, 0.1 * experiment.truth_ring);
  ASSERT_FALSE(experiment.places.empty());
  double placed = 0;
  for (const TruthPlace& place : experiment.places) placed += place.error;
  EXPECT_NEAR(placed, 1, 1e-9);
  ASSERT_EQ(experiment.others.size(), 4u);
  EXPECT_LT(experiment.others[0].error, 0.01);  // the truth's own steps are short enough
  for (const TruthRow& row : experiment.methods) {
    if (row.name == "rig alone") {
      EXPECT_NEAR(row.error, 1, 1e-12);
    } else if (row.name.starts_with("springs")) {
      EXPECT_GT(row.error, 3 * experiment.parts.back().error) << row.name;
    }
  }
  for (const Table& table :
       {truth_table({experiment}), nonlinear_flesh_table({experiment}), truth_parts_table({experiment}),
        truth_places_table({experiment}), other_truths_table({experiment}), truth_methods_table({experiment})})
    EXPECT_FALSE(markdown(table).empty());
}

TEST(TruthStudy, NeedsAClip) {
  Character still;
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { truth_experiment(still, "still"); }).find("no clip"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
