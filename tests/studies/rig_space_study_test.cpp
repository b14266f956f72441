// Experiments of `sinew-study rigspace` on a block whose answers are known; docs/rig_space_comparisons.md has the
// characters.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

#include "studies/rig_space/tables.h"
#include "tests/deform/rig_space/rig_space_bodies.h"

namespace sinew {
namespace {

using test::boundary_of;
using test::rig_space_block;

// Parameter 2 is keyed.
class Keyed : public RigAnimation {
 public:
  explicit Keyed(std::function<double(double)> of_time) : of_time_(std::move(of_time)) {}
  void sample(double seconds, std::span<double> p) const override { p[2] = of_time_(seconds); }
  const std::vector<char>& keyed() const override { return keyed_; }

 private:
  std::function<double(double)> of_time_;
  std::vector<char> keyed_{0, 0, 1};
};

double swing(double seconds) { return 0.03 * std::sin(2 * std::numbers::pi * seconds / 0.5); }

// A block that stands on y = 0 and is sheared by 0, bulged by 1, both free, and carried along x by the keyed 2. Along a
// bent way: no Jacobian serves everywhere.
RigSpaceCase bent_case() {
  RigSpaceCase of;
  of.name = "block";
  of.scene = std::make_shared<CookedRigSpace>();
  CookedRigSpace& scene = *of.scene;
  scene.body = rig_space_block();
  std::vector<RigParameter> parameters = test::numbered_parameters(3, 0.1);
  for (RigParameter& p : parameters) p.unit = RigUnit::metres;
  scene.rig = std::make_shared<FunctionRig>(
      test::mapping_rig(*scene.body, parameters, [](std::span<const double> p, const Vec3& x) {
        const double height = x.y / 0.3, bulge = 1 + 4 * p[1] * height * (1 - height);
        return Vec3{0.15 + (x.x - 0.15) * bulge + p[2] + 0.3 * height * height * std::sin(p[0] / 0.3),
                    x.y - 0.3 * height * height * (1 - std::cos(p[0] / 0.3)), 0.15 + (x.z - 0.15) * bulge};
      }));
  scene.whole_rig = scene.rig;
  scene.free = {0, 1};
  test::correct_interior(*scene.body, *scene.rig, scene.free);
  scene.height = scene.body->height;
  scene.dynamics.linearity = 1e-4;
  of.animation = std::make_shared<Keyed>(swing);
  of.clips = {of.animation};
  of.examples = {{of.animation.get(), 0, 0.5}};
  of.settings.poses = 16;
  of.length = 0.5;
  of.loops = true;
  return of;
}

RigSpaceCase linear_case() {
  RigSpaceCase of = bent_case();
  CookedRigSpace& scene = *of.scene;
  const auto height = [](const Vec3& x) { return x.y / 0.3; };
  scene.rig = std::make_shared<test::LinearRig>(
      boundary_of(*scene.body),
      std::vector<std::vector<Vec3>>{test::mode(*scene.body,
                                                [&](const Vec3& x) {
                                                  return Vec3{height(x) * height(x), 0, 0};
                                                }),
                                     test::mode(*scene.body,
                                                [&](const Vec3& x) {
                                                  return height(x) * (1 - height(x)) * Vec3{x.x - 0.15, 0, x.z - 0.15};
                                                }),
                                     test::mode(*scene.body,
                                                [&](const Vec3&) {
                                                  return Vec3{1, 0, 0};
                                                })},
      0.1);
  scene.whole_rig = scene.rig;
  test::correct_interior(*scene.body, *scene.rig, scene.free);
  return of;
}

TEST(RigSpaceStudy, ClipsGoRoundOrEnd) {
  RigSpaceCase of = bent_case();
  of.begin = 0.1;
  of.animation = std::make_shared<Keyed>([](double seconds) { return 0.1 * seconds; });
  EXPECT_NEAR(keyed_parameters(of, 0.6)[2], 0.1 * (0.1 + 0.1), 1e-12);
  of.loops = false;
  EXPECT_NEAR(keyed_parameters(of, 0.6)[2], 0.1 * (0.1 + 0.5), 1e-12);
  EXPECT_EQ(moved_parameters(of, 0.6, std::vector<double>{0.01, -0.02})[1], -0.02);
  EXPECT_FALSE(ends_where_it_begins(*of.scene, *of.animation, 0, 0.5));
  EXPECT_TRUE(ends_where_it_begins(*of.scene, Keyed(swing), 0, 0.5));
  EXPECT_FALSE(ends_where_it_begins(*of.scene, Keyed(swing), 0, 0.4));
}

TEST(RigSpaceStudy, DistancesAreThoseOfTheSurface) {
  const RigSpaceCase of = linear_case();
  const FreeCurves a{{0.1, 0.2}, {{0, 0}, {0, 0}}}, b{{0.1}, {{0.03, 0}}};
  const SurfaceDistance d = distance_between(of, a, b);
  EXPECT_NEAR(d.largest, 0.03 / 0.3, 1e-12);  // at the top
  EXPECT_LT(d.mean, 0.5 * d.largest);
  EXPECT_GT(d.mean, 0.2 * d.largest);
  EXPECT_GT(d.mean_of_moving, 1.05 * d.mean);  // the foot of the block stands still
  EXPECT_LE(d.mean_of_moving, d.largest);
  EXPECT_TRUE(std::isnan(distance_between(of, {}, b).mean));
}

TEST(RigSpaceStudy, ALinearRigNeedsOneJacobian) {
  const RigSpaceCase of = linear_case();
  SpeedOptions options;
  options.steps = options.equilibrium_steps = options.reference_steps = 40;
  const SpeedExperiment experiment = speed_experiment(of, options);
  ASSERT_EQ(experiment.rows.size(), 11u);
  const auto& rows = experiment.rows;
  EXPECT_EQ(rows[0].method, "reference");
  // Deferred rows, and those with a Jacobian per step that they have to agree with.
  for (const auto& [deferred, each] : {std::pair{2, 1}, {4, 3}, {5, 3}, {7, 6}, {9, 3}, {10, 6}}) {
    const SpeedRow& row = rows[test::at(deferred)];
    EXPECT_EQ(row.jacobians, 1) << row.method;
    EXPECT_EQ(row.roll_backs, 0) << row.method;
    // A correction turns with the body all the same.
    EXPECT_NEAR(row.distance.largest, rows[test::at(each)].distance.largest, each == 6 ? 1e-4 : 1e-5) << row.method;
  }
  EXPECT_EQ(rows[3].jacobians, 41);
  EXPECT_GT(rows[3].rig_evaluations, rows[4].rig_evaluations);
  EXPECT_GT(rows[0].rig_evaluations, rows[3].rig_evaluations);
  EXPECT_NEAR(rows[8].rig_evaluations, 2, 0.2);  // one before a step, one after
  // What the map leaves out makes the inside one in equilibrium.
  EXPECT_NEAR(rows[6].distance.largest, rows[1].distance.largest, 0.1 * rows[1].distance.largest);
  EXPECT_GT(std::abs(rows[3].distance.largest - rows[1].distance.largest), 0.3 * rows[1].distance.largest);
  // The inside has no inertia of its own, and follows a linear map.
  for (std::size_t k = 1; k < rows.size(); ++k) {
    EXPECT_LT(rows[k].distance.largest, 0.02) << rows[k].method;
    EXPECT_GT(rows[k].distance.largest, 0) << rows[k].method;
  }
  EXPECT_EQ(speed_table(experiment, "speed", "the block").rows.size(), 11u);
  EXPECT_NE(markdown(speed_table(experiment, "speed", "the block")).find("IV2, JE2 without predictor"),
            std::string::npos);
}

TEST(RigSpaceStudy, ARigOutsideIsAskedInPlaceOfTheScenes) {
  const RigSpaceCase of = linear_case();
  int asked = 0;
  FunctionRig outside("outside", of.scene->rig->parameters(), of.scene->rig->vertices(),
                      [&](std::span<const double> p) {
                        ++asked;
                        std::vector<Vec3> s(of.scene->rig->vertices());
                        of.scene->rig->evaluate(p, s);
                        return s;
                      });
  SpeedOptions options;
  options.steps = 5;
  options.reference_steps = 2;
  options.equilibrium_steps = 0;
  options.outside = &outside;
  const SpeedExperiment experiment = speed_experiment(of, options);
  ASSERT_EQ(experiment.rows.size(), 6u);  // no derivatives of its own
  double counted = 0;
  for (const SpeedRow& row : experiment.rows) counted += row.rig_evaluations * row.steps;
  EXPECT_GE(asked, counted);
  options.reference_steps = 0;
  EXPECT_TRUE(std::isnan(speed_experiment(of, options).rows.front().distance.mean));
}

TEST(RigSpaceStudy, NoMapToTheInsideIsBelowEquilibrium) {
  InteriorOptions options;
  options.frames = 12;
  const InteriorExperiment experiment = interior_experiment(bent_case(), options);
  ASSERT_EQ(experiment.equilibrium.size(), 12u);
  ASSERT_EQ(experiment.maps.size(), 11u);
  for (const InteriorMap& map : experiment.maps) {
    ASSERT_EQ(map.energy.size(), 12u);
    for (std::size_t k = 0; k < map.energy.size(); ++k)
      EXPECT_GE(map.energy[k], experiment.equilibrium[k] * (1 - 1e-9)) << map.name << ", frame " << k;
    EXPECT_GE(map.largest_ratio, map.mean_ratio);
  }
  const auto& maps = experiment.maps;
  EXPECT_LT(maps[0].mean_ratio, maps[2].mean_ratio);                   // 500 candidates against 5
  EXPECT_LT(maps[5].correspondences, maps[4].correspondences);         // algorithm 1 against all of the same candidates
  EXPECT_LT(maps[10].mean_ratio - 1, 0.1 * (maps[6].mean_ratio - 1));  // what the default map leaves out, made up for
  EXPECT_EQ(interior_frames_table(experiment).rows.size(), 12u * 12u);
}

TEST(RigSpaceStudy, TighterBoundsTakeMoreJacobiansAndAreNearer) {
  DeferralOptions options;
  options.steps = 100;
  options.linearity = {1e-2, 1e-4, 1e-6};
  const DeferralExperiment experiment = deferral_experiment(bent_case(), options);
  ASSERT_EQ(experiment.rows.size(), 6u);
  const auto& rows = experiment.rows;
  for (const DeferralRow& row : rows) EXPECT_EQ(row.jacobians, 1 + row.predicted_updates + row.roll_backs);
  for (std::size_t k = 2; k < rows.size(); ++k) {
    EXPECT_GT(rows[k].jacobians, rows[k - 2].jacobians);
    EXPECT_LT(rows[k].distance.mean, rows[k - 2].distance.mean);
  }
  EXPECT_EQ(rows[5].predicted_updates, 0);
  EXPECT_LT(rows[4].roll_backs, rows[5].roll_backs);  // looking ahead saves steps that are taken in vain
}

// Implicit Euler is of first order.
TEST(RigSpaceStudy, HalfTheStepIsHalfTheError) {
  StepLengthOptions options;
  options.seconds = 0.5;
  options.halvings = 3;
  options.tolerances = {1e-3};
  const StepLengthExperiment experiment = step_length_experiment(bent_case(), options);
  ASSERT_EQ(experiment.rows.size(), 10u);
  for (std::size_t k = 0; k <= 3; ++k) {
    const StepLengthRow& row = experiment.rows[k];
    EXPECT_FALSE(row.deferred);
    EXPECT_EQ(row.steps, 25 << k);
    if (k == 0) continue;
    const double ratio = experiment.rows[k - 1].distance.mean / row.distance.mean;
    EXPECT_GT(ratio, 1.4) << k;
    EXPECT_LT(ratio, 3) << k;
  }
  EXPECT_TRUE(experiment.rows[4].adaptive);
  EXPECT_GE(experiment.rows[4].steps, 25);
}

TEST(RigSpaceStudy, StopsKeepParametersInTheirRanges) {
  RigSpaceCase of = bent_case();
  of.animation = std::make_shared<Keyed>([](double seconds) { return 10 * swing(seconds); });
  StopsOptions options;
  options.steps = 80;
  options.ranges = {0.02};
  options.limits = {0, 5, 80};
  const StopsExperiment experiment = stops_experiment(of, options);
  ASSERT_EQ(experiment.rows.size(), 3u);
  EXPECT_GT(experiment.rows[0].largest, 1.5);
  EXPECT_EQ(experiment.rows[0].inside, 0);
  EXPECT_LT(experiment.rows[1].largest, 0.8 * experiment.rows[0].largest);
  EXPECT_LT(experiment.rows[2].largest, experiment.rows[1].largest);
  EXPECT_LE(experiment.rows[2].beyond, experiment.rows[1].beyond);
}

// Carried along so slowly that inertia is a load: twice the modulus, half the displacement.
TEST(RigSpaceStudy, StiffnessScalesWhatALoadMoves) {
  std::vector<StiffnessRun> runs;
  for (const double factor : {1.0, 2.0}) {
    RigSpaceCase of = bent_case();
    of.length = 4;
    of.animation = std::make_shared<Keyed>([](double t) { return 0.1 * std::sin(2 * std::numbers::pi * t / 4); });
    of.scene->free = {0};
    for (double& shear : of.scene->body->material.shear) shear *= factor;
    for (double& lambda : of.scene->body->material.lambda) lambda *= factor;
    runs.push_back({factor, std::move(of)});
  }
  const StiffnessExperiment experiment = stiffness_experiment(runs, "0", 400, 0.01);
  ASSERT_EQ(experiment.rows.size(), 2u);
  EXPECT_NEAR(experiment.rows[0].changed / experiment.rows[1].changed, 2, 0.1);
  EXPECT_EQ(experiment.rows[0].others, 0);
}

}  // namespace
}  // namespace sinew
