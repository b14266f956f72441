// True elasticity in a lattice against known answers: the linear law where strain is small, differences of the energy,
// rest, energy over time, and the shape that each level bends to.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "tests/deform/lattice/lattice_bodies.h"
#include "tests/deform/lattice/lattice_motion.h"

namespace sinew {
namespace {

using namespace test;

TissueStep exact() {
  TissueStep how;
  how.tolerance = 1e-9;
  how.precision = TissuePrecision::doubles;
  return how;
}

LatticeBarOptions tissue_bar(LatticeReference reference, int levels, const TissueStep& how = exact()) {
  LatticeBarOptions options = damped_bar(reference, Linearization::warped, Warping::element, levels);
  options.run.nonlinear = how;
  return options;
}

// A lattice's elasticity at a pose, over the free functions.
struct AtPose {
  AtPose(const LatticeBarOptions& options, const std::vector<Affine>& bones)
      : body(lattice_bar_body(options)),
        elasticity(lattice_elasticity(*body)),
        active(active_functions(body->description.role,
                                std::vector<Activity>(body->description.role.size(), Activity::solved))) {
    elasticity->activate(active);
    predict_pose(body->description, bones, pose);
    elasticity->set_pose(pose, pose.functions.goal);
  }

  // Random displacements of the free functions from the goal, detail included.
  std::vector<Vec3> displaced(double amplitude, unsigned seed = 1) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-amplitude, amplitude);
    std::vector<Vec3> position = pose.functions.goal;
    for (const int f : active.unknown_function)
      for (std::size_t k = 0; k < 3; ++k) position[static_cast<std::size_t>(f)][k] += uniform(random);
    return position;
  }
  // Minus the force.
  std::vector<double> gradient(std::span<const Vec3> position) const {
    std::vector<double> residual(3 * active.unknowns(), 0.0);
    const std::vector<Vec3> still(position.size());
    elasticity->subtract_force(-1, position, still, residual);
    return residual;
  }

  std::shared_ptr<const LatticeBody> body;
  std::unique_ptr<LatticeElasticity> elasticity;
  ActiveFunctions active;
  LatticePose pose;
};

double length(std::span<const double> v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

TEST(NonlinearLattice, ForceOfSmallStrainIsThatOfTheLinearLaw) {
  const Affine placed = rigid_motion({1, 2, 3}, 0.7, {0.1, 0.2, 0.3});
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic})
    for (const int levels : {1, 2}) {
      LatticeBarOptions options = tissue_bar(reference, levels);
      options.along = 4;
      const AtPose tissue(options, bar_pose(0, placed));
      options.run.nonlinear.reset();
      const AtPose linear(options, bar_pose(0, placed));
      const std::vector<Vec3> position = tissue.displaced(1e-6);
      const std::vector<double> expected = linear.gradient(position);
      std::vector<double> difference = tissue.gradient(position);
      for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= expected[k];
      EXPECT_LT(length(difference), 1e-3 * length(expected)) << levels;
    }
}

TEST(NonlinearLattice, ForceIsTheGradientOfTheEnergy) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic})
    for (const int levels : {1, 2}) {
      TissueStep how = exact();
      how.law.stiffening = 0.3;
      LatticeBarOptions options = tissue_bar(reference, levels, how);
      options.along = 4;
      const AtPose at(options, bar_pose(1.2, rigid_motion({1, 2, 3}, 0.7, {0.1, 0.2, 0.3})));
      std::vector<Vec3> position = at.displaced(0.01);
      const std::vector<double> gradient = at.gradient(position);
      const double delta = 1e-6, size = length(gradient) / std::sqrt(static_cast<double>(gradient.size()));
      for (std::size_t u = 0; u < at.active.unknowns(); u += 5)
        for (std::size_t k = 0; k < 3; ++k) {
          double& x = position[static_cast<std::size_t>(at.active.unknown_function[u])][k];
          const double here = x;
          x = here + delta;
          const double above = at.elasticity->energy(position);
          x = here - delta;
          const double below = at.elasticity->energy(position);
          x = here;
          EXPECT_NEAR((above - below) / (2 * delta), gradient[3 * u + k], 1e-5 * size) << levels;
        }
    }
}

// Energy is that of the shape alone, which conserves momentum and angular momentum.
TEST(NonlinearLattice, MotionOfTheWholeShapeMeetsNoForce) {
  const Affine motion = rigid_motion({3, -1, 2}, 2.5, {0.4, -0.3, 0.2});
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic})
    for (const int levels : {1, 2}) {
      LatticeBarOptions options = tissue_bar(reference, levels);
      options.along = 4;
      const AtPose at(options, bar_pose(reference == LatticeReference::rig ? 1.2 : 0));
      const auto moved = [&](std::vector<Vec3> position) {
        for (std::size_t f = 0; f < position.size(); ++f)
          position[f] = at.body->description.level[f] == 0 ? motion * position[f] : motion.linear * position[f];
        return position;
      };
      const std::vector<Vec3> deformed = at.displaced(0.01);
      EXPECT_LT(length(at.gradient(moved(at.pose.functions.goal))), 1e-9 * length(at.gradient(deformed)));
      if (reference == LatticeReference::elastic) {
        EXPECT_NEAR(at.elasticity->energy(moved(deformed)) / at.elasticity->energy(deformed), 1, 1e-9);
      }
    }
}

using Motion = std::function<std::vector<Affine>(double)>;  // time to bones

std::unique_ptr<LatticeBodyMotion> run(const std::shared_ptr<const LatticeBody>& body, const Motion& motion,
                                       int steps) {
  auto flesh = lattice_flesh(body);
  const double h = flesh->step();
  flesh->reset({0, motion(0)}, {h, motion(h)});
  for (int step = 1; step <= steps; ++step) flesh->advance({step * h, motion(step * h)});
  return flesh;
}

std::unique_ptr<LatticeBodyMotion> run(const LatticeBarOptions& options, const Motion& motion, int steps) {
  return run(lattice_bar_body(options), motion, steps);
}

// The second bone swings by `bend` radians.
Motion swinging(double bend) {
  return [=](double t) { return bar_pose(bend * std::sin(9 * t), rigid_motion({1, 2, 3}, 0.7, {0.1, 0.2, 0.3})); };
}

double largest_difference(const BodyMotion& a, const BodyMotion& b) {
  double most = 0;
  for (std::size_t f = 0; f < a.local_displacements().size(); ++f)
    most = std::max(most, distance(a.local_displacements()[f], b.local_displacements()[f]));
  return most;
}

double largest(const BodyMotion& flesh) {
  double most = 0;
  for (const Vec3& u : flesh.local_displacements()) most = std::max(most, norm(u));
  return most;
}

TEST(NonlinearLattice, StandingStillIsTheRigToTheLastBit) {
  const auto flesh = run(
      tissue_bar(LatticeReference::rig, 2, {}), [](double) { return bar_pose(1.2); }, 20);
  EXPECT_EQ(largest(*flesh), 0);
  EXPECT_EQ(flesh->statistics().iterations, 0);
}

TEST(NonlinearLattice, SmallMotionIsTheLinearStep) {
  double difference[2];
  for (const int k : {0, 1}) {
    const double amplitude = k == 0 ? 1e-3 : 1e-4;
    const Motion shaken = [&](double t) {
      return bar_pose(0, rigid_motion({1, 0, 0}, 0, amplitude * Vec3{0, std::sin(20 * t), std::sin(13 * t)}));
    };
    LatticeBarOptions options = tissue_bar(LatticeReference::rig, 1);
    options.dynamics.tolerance = 1e-8;
    const auto flesh = run(options, shaken, 40);
    options.run.nonlinear.reset();
    const auto linear = run(options, shaken, 40);
    difference[k] = largest_difference(*flesh, *linear) / largest(*linear);
  }
  EXPECT_LT(difference[0], 1e-2);
  EXPECT_LT(difference[1], 0.2 * difference[0]) << "the error falls with the amplitude";
}

// Kinetic and elastic energy while the bones stand.
TEST(NonlinearLattice, EnergyNeitherDriftsNorRises) {
  for (const double damping : {0.0, 8.0}) {
    TissueStep how = exact();
    how.law.stiffening = 0.3;
    LatticeBarOptions options = tissue_bar(LatticeReference::rig, 1, how);
    options.along = 4;
    options.mass_damping = damping;
    options.stiffness_damping = 0;
    options.dynamics.spectral_radius = 1;
    const Motion stops = [](double t) {
      return bar_pose(0.9, rigid_motion({1, 0, 0}, 0, {0, 0.02 * std::sin(30 * std::min(t, 0.05)), 0}));
    };
    const auto flesh = run(options, stops, 15);
    const std::vector<Affine> end = stops(1);
    Energies energies(options);
    const double first = energies.of(*flesh, end);
    double least = first, most = first, last = first;
    for (int step = 16; step < 16 + 2000; ++step) {
      flesh->advance({step * flesh->step(), end});
      const double now = energies.of(*flesh, end);
      if (damping > 0) {
        EXPECT_LT(now, last + 1e-9 * first);
      }
      least = std::min(least, now), most = std::max(most, now), last = now;
    }
    if (damping > 0) {
      EXPECT_LT(last, 1e-6 * first);
    } else {
      EXPECT_GT(least, 0.9 * first);
      EXPECT_LT(most, 1.1 * first);
    }
  }
}

TEST(NonlinearLattice, SnapshotsContinueWithTheSameBits) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic}) {
    const auto body = lattice_bar_body(tissue_bar(reference, 2, {}));
    const Motion motion = swinging(0.8);
    const auto flesh = run(body, motion, 8);
    Snapshot snapshot;
    flesh->save(snapshot);
    const auto other = lattice_flesh(body);
    const double h = flesh->step();
    other->load(snapshot, {8 * h, motion(8 * h)});
    for (int step = 9; step <= 16; ++step)
      for (LatticeBodyMotion* each : {flesh.get(), other.get()}) each->advance({step * h, motion(step * h)});
    EXPECT_EQ(largest_difference(*flesh, *other), 0);
    EXPECT_GT(largest(*flesh), 1e-3);
  }
}

TEST(NonlinearLatticeDeterminism, ThreadsDoNotChangeABit) {
  const auto body = lattice_bar_body(tissue_bar(LatticeReference::elastic, 2, {}));
  std::vector<std::unique_ptr<LatticeBodyMotion>> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    results.push_back(run(body, swinging(0.8), 4));
  }
  set_thread_count(0);
  EXPECT_EQ(largest_difference(*results[0], *results[1]), 0);
  EXPECT_EQ(largest_difference(*results[0], *results[2]), 0);
}

TEST(NonlinearLattice, ACapOnIterationsIsTold) {
  TissueStep how = exact();
  how.tolerance = 1e-12;
  how.most_iterations = 3;
  const auto flesh = run(tissue_bar(LatticeReference::rig, 1, how), swinging(0.8), 10);
  EXPECT_EQ(flesh->statistics().iterations, 3);
  EXPECT_GT(flesh->statistics().residual, how.tolerance);
}

}  // namespace
}  // namespace sinew
