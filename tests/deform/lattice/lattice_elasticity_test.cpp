// Elasticity of flesh in control lattices: forces without deformation, their energy, their systems.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/deform/lattice/lattice_forces.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

using namespace test;

double largest(const std::vector<double>& values) {
  double most = 0;
  for (double v : values) most = std::max(most, std::abs(v));
  return most;
}

struct FleshCase {
  const char* name;
  Linearization linearization;
  Warping warping;
};
const FleshCase every_linearization[] = {{"warped", Linearization::warped, Warping::element},
                                         {"vertex", Linearization::warped, Warping::vertex},
                                         {"quasi", Linearization::quasi, Warping::element},
                                         {"none", Linearization::none, Warping::element}};

LatticeBarOptions elastic_bar(const FleshCase& c, int levels) {
  LatticeBarOptions options;
  options.levels = levels;
  options.reference = LatticeReference::elastic;
  options.run.linearization = c.linearization;
  options.run.warping = c.warping;
  return options;
}

TEST(LatticeElasticity, RigidMotionOfAllBonesMeetsNoForce) {
  for (const double angle : {2.1, 3.141592653589793})
    for (const FleshCase& c : every_linearization)
      for (const int levels : {1, 2}) {
        Forces forces(elastic_bar(c, levels));
        forces.take(bar_pose(0, rigid_motion({1, 2, 3}, angle, {4, -3, 2})));
        // Products are in single precision, of differences that are not.
        EXPECT_LT(largest(forces.at(forces.pose.functions.goal)), 1e-6 * forces.scale()) << c.name << ' ' << levels;
      }
}

TEST(LatticeElasticity, LinearStrainTakesRotationForDeformation) {
  Forces forces(elastic_bar({"linear", Linearization::linear, Warping::element}, 1));
  forces.take(bar_pose(0, rigid_motion({0, 0, 1}, 0, {4, -3, 2})));
  EXPECT_LT(largest(forces.at(forces.pose.functions.goal)), 1e-6 * forces.scale());
  forces.take(bar_pose(0, rigid_motion({0, 0, 1}, 0.5, {})));
  EXPECT_GT(largest(forces.at(forces.pose.functions.goal)), 0.01 * forces.scale());
}

std::vector<Vec3> disturbed(const Forces& forces, double size) {
  std::vector<Vec3> position = forces.pose.functions.goal;
  for (std::size_t f = 0; f < position.size(); ++f) {
    if (forces.active.unknown[f] < 0) continue;
    const double k = static_cast<double>(f);
    position[f] += size * Vec3{std::sin(k), std::cos(1.3 * k), std::sin(2.1 * k + 1)};
  }
  return position;
}

// The force is the gradient of the energy where there is one.
TEST(LatticeElasticity, ForceIsTheGradientOfTheEnergy) {
  for (const FleshCase& c : every_linearization) {
    if (c.warping == Warping::vertex) continue;
    Forces forces(elastic_bar(c, 2));
    forces.take(bar_pose(1.2));
    const std::vector<Vec3> position = disturbed(forces, 0.004);
    const std::vector<double> force = forces.at(position);
    const double delta = 2e-4, size = largest(force);
    for (std::size_t u = 0; u < forces.active.unknowns(); u += 7)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto f = static_cast<std::size_t>(forces.active.unknown_function[u]);
        std::vector<Vec3> plus = position, minus = position;
        plus[f][k] += delta;
        minus[f][k] -= delta;
        const double slope = (forces.elasticity->energy(plus) - forces.elasticity->energy(minus)) / (2 * delta);
        EXPECT_NEAR(-slope, force[3 * u + k], 3e-3 * size) << c.name;
      }
  }
}

TEST(LatticeElasticity, SystemsAreSymmetricAndDefiniteButForEquation510) {
  for (const FleshCase& c : every_linearization) {
    Forces forces(elastic_bar(c, 1));
    forces.take(bar_pose(2.3));
    const Eigen::MatrixXd a = dense_system(forces);
    const double skew = (a - a.transpose()).norm() / a.norm();
    if (c.warping == Warping::vertex) {
      EXPECT_FALSE(forces.elasticity->symmetric());
      EXPECT_GT(skew, 1e-3);
      continue;
    }
    EXPECT_TRUE(forces.elasticity->symmetric());
    EXPECT_LT(skew, 1e-6) << c.name;
    EXPECT_GT(test::symmetric_eigenvalues(0.5 * (a + a.transpose()))[0], 0) << c.name;
  }
}

}  // namespace
}  // namespace sinew
