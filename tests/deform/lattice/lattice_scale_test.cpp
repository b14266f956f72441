// Rigs that scale what they carry, and bones that lead no flesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/deform/lattice/lattice_measures.h"
#include "tests/deform/lattice/lattice_motion.h"

namespace sinew {
namespace {

using namespace test;

Affine scaled(double factor, const Affine& motion) {
  Affine result = motion;
  result.linear = factor * result.linear;
  return result;
}

LatticeBarOptions damped_elastic_bar(Warping warping, int levels,
                                     SubdivisionScheme scheme = SubdivisionScheme::trilinear) {
  LatticeBarOptions options = damped_bar(LatticeReference::elastic, Linearization::warped, warping, levels);
  options.scheme = scheme;
  options.dynamics.gravity_in_rest = GravityInRest::pose;
  return options;
}

// Flesh that a rig enlarges and turns as a whole rests where the rig has it.
TEST(LatticeScale, EnlargedRigsMeetNoForce) {
  for (const double factor : {0.002, 0.5, 2.0, 40.0})
    for (const Warping warping : {Warping::element, Warping::vertex})
      for (const int levels : {1, 2}) {
        const auto body = lattice_bar_body(damped_elastic_bar(warping, levels));
        const auto elasticity = lattice_elasticity(*body);
        const ActiveFunctions active = active_functions(
            body->description.role, std::vector<Activity>(body->description.role.size(), Activity::solved));
        elasticity->activate(active);
        LatticePose pose;
        predict_pose(body->description, bar_pose(0, scaled(factor, rigid_motion({1, 2, 3}, 2.1, {4, -3, 2}))), pose);
        elasticity->set_pose(pose, pose.functions.goal);
        std::vector<double> force(3 * active.unknowns(), 0.0);
        elasticity->subtract_force(1, pose.functions.goal, std::vector<Vec3>(pose.functions.goal.size()), force);
        for (double f : force)
          EXPECT_LT(std::abs(f), 1e-6 * std::max(1.0, factor) * 2e4 * bar_width * bar_width) << factor;
        EXPECT_NEAR(measure_volume(body->description, pose.functions.goal).volume_ratio / std::pow(factor, 3), 1, 1e-9);
      }
}

// One half swells or shrinks: the flesh goes along, and none of it turns inside out.
TEST(LatticeScale, FleshGoesAlongWithOneBone) {
  for (const double factor : {0.01, 0.5, 1.5}) {
    const auto body = lattice_bar_body(damped_elastic_bar(Warping::element, 1));
    const auto flesh = lattice_flesh(body);
    const Vec3 joint{0.5 * bar_length, 0, 0};
    std::vector<Affine> pose = bar_pose(0);
    pose[1].linear = factor * Mat3::identity();
    pose[1].translation = joint - factor * joint;
    flesh->reset({0, pose}, {flesh->step(), pose});
    for (int step = 1; step <= 60; ++step) flesh->advance({step * flesh->step(), pose});
    LatticePose predicted;
    predict_pose(body->description, pose, predicted);
    const BodyMeasures goal = measure_volume(body->description, predicted.functions.goal),
                       measures = flesh->measure({0, pose});
    EXPECT_NEAR(measures.volume_ratio, goal.volume_ratio, 0.1 * goal.volume_ratio) << factor;
    EXPECT_GT(measures.min_det, -1e-4) << factor;
    for (const Vec3& u : flesh->local_displacements()) EXPECT_LT(norm(u), 0.15 * bar_width) << factor;
  }
}

// The far half's bone has no skin: wherever it goes, the flesh there is the near bone's.
TEST(LatticeScale, ABoneWithoutFleshLeadsNone) {
  const LatticeBarOptions options = damped_elastic_bar(Warping::element, 1);
  const ControlLattice lattice = lattice_bar(options.along);
  const LatticeGrid grid = lattice_grid(lattice, options.scheme, options.levels);
  Influences near;
  near.count = 1;
  near.joint[0] = 0;
  near.weight[0] = 1;
  const std::size_t count = grid.tetrahedra.mesh.tetrahedra.size();
  const LatticeFields fields{std::vector<double>(count, 1.0),     std::vector<double>(count, options.young),     {},
                             std::vector<double>(count, 1000.0),  std::vector<double>(count, options.bone_hold), {},
                             std::vector<Influences>(count, near)};
  const LatticeOnBones on_bones{{0, 1}, 2, std::vector<Influences>(grid.functions(), near)};
  LatticeDescription description =
      describe_lattice(lattice, grid, fields, on_bones, {.material = {options.young, 0.45, 1000}});
  const auto body = cook_lattice(std::move(description), options.reference, options.run, options.dynamics);
  const auto flesh = lattice_flesh(body);
  const std::vector<Affine> apart{rigid_motion({0, 0, 1}, 0.3, {1, 0, 0}),
                                  scaled(300, rigid_motion({0, 1, 0}, 2, {5, 5, 5}))};
  flesh->reset({0, apart}, {flesh->step(), apart});
  flesh->advance({flesh->step(), apart});
  EXPECT_NEAR(flesh->measure({0, apart}).volume_ratio, 1, 1e-6);
  for (const Vec3& u : flesh->local_displacements()) EXPECT_LT(norm(u), 1e-6);
}

}  // namespace
}  // namespace sinew
