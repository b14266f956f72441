// Flesh in control lattices: rest, free fall, damping per cell, the same bits for any number of threads.
#include "sinew/deform/lattice/lattice_flesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "tests/deform/lattice/lattice_forces.h"

namespace sinew {
namespace {

using namespace test;

TEST(LatticeFlesh, RestIsRest) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic}) {
    LatticeBarOptions options;
    options.levels = 2;
    options.reference = reference;
    options.dynamics.gravity_in_rest = reference == LatticeReference::rig ? GravityInRest::pose : GravityInRest::bind;
    const auto flesh = lattice_flesh(lattice_bar_body(options));
    const std::vector<Affine> pose = bar_pose(0);
    flesh->reset({0, pose}, {flesh->step(), pose});
    for (int step = 1; step <= 240; ++step) flesh->advance({step * flesh->step(), pose});
    for (const Vec3& u : flesh->local_displacements()) EXPECT_LT(norm(u), 1e-12);
  }
}

// A bent elbow that stands still: the reset's equilibrium is where the steps stay.
TEST(LatticeFlesh, EquilibriumIsWhereStepsStay) {
  for (const Linearization linearization : {Linearization::warped, Linearization::none}) {
    LatticeBarOptions options;
    options.levels = linearization == Linearization::none ? 1 : 2;
    options.reference = LatticeReference::elastic;
    options.run.linearization = linearization;
    options.dynamics.gravity_in_rest = GravityInRest::off;
    options.mass_damping = 10;
    SCOPED_TRACE(static_cast<int>(linearization));
    const auto flesh = lattice_flesh(lattice_bar_body(options));
    const std::vector<Affine> pose = bar_pose(1.4);
    flesh->reset({0, pose}, {flesh->step(), pose});
    const std::vector<Vec3> before(flesh->local_displacements().begin(), flesh->local_displacements().end());
    for (int step = 1; step <= 60; ++step) flesh->advance({step * flesh->step(), pose});
    double most = 0;
    for (std::size_t s = 0; s < before.size(); ++s) {
      most = std::max(most, norm(before[s]));
      EXPECT_LT(distance(flesh->local_displacements()[s], before[s]), 2e-6);
    }
    EXPECT_GT(most, 0.002);
  }
}

TEST(LatticeFlesh, FreeFallOfTheRigTakesTheWeightOff) {
  // Under the weight that the shape does not hold, the flesh hangs; in free fall it does not.
  LatticeBarOptions options;
  options.levels = 2;
  options.dynamics.gravity_in_rest = GravityInRest::off;
  options.mass_damping = 20;
  const auto flesh = lattice_flesh(lattice_bar_body(options));
  const auto falling = [&](double time) {
    return bar_pose(0, rigid_motion({0, 0, 1}, 0, {0, -0.5 * 9.81 * time * time, 0}));
  };
  flesh->reset({0, falling(0)}, {flesh->step(), falling(0)});
  double hanging = 0, left = 0;
  for (const Vec3& u : flesh->local_displacements()) hanging = std::max(hanging, norm(u));
  for (int step = 1; step <= 480; ++step) flesh->advance({step * flesh->step(), falling(step * flesh->step())});
  for (const Vec3& u : flesh->local_displacements()) left = std::max(left, norm(u));
  EXPECT_GT(hanging, 1e-4);
  EXPECT_LT(left, 1e-3 * hanging);
}

std::vector<Vec3> run(const LatticeBarOptions& options, int steps) {
  const auto flesh = lattice_flesh(lattice_bar_body(options));
  flesh->reset({0, swing(0)}, {flesh->step(), swing(flesh->step())});
  for (int step = 1; step <= steps; ++step) flesh->advance({step * flesh->step(), swing(step * flesh->step())});
  return {flesh->local_displacements().begin(), flesh->local_displacements().end()};
}

LatticeBarOptions adaptive(double threshold) {
  LatticeBarOptions options;
  options.levels = 3;
  options.along = 2;
  options.mass_damping = 3;
  options.run.adaptation.on = true;
  options.run.adaptation.threshold = {threshold, threshold};
  return options;
}

TEST(LatticeFlesh, SameBitsForAnyNumberOfThreads) {
  for (const bool adapt : {false, true}) {
    LatticeBarOptions options = adaptive(0.02);
    options.run.adaptation.on = adapt;
    set_thread_count(1);
    const std::vector<Vec3> one = run(options, 40);
    for (const int threads : {2, 4}) {
      set_thread_count(threads);
      EXPECT_EQ(run(options, 40), one);
    }
    set_thread_count(0);
  }
}

TEST(LatticeAdaptation, WithAllFunctionsOnItIsTheWholeBasis) {
  LatticeBarOptions options = adaptive(0);
  options.dynamics.tolerance = 1e-9;
  options.dynamics.max_iterations = 500;
  const std::vector<Vec3> adaptive_run = run(options, 60);
  options.run.adaptation.on = false;
  const std::vector<Vec3> whole = run(options, 60);
  double most = 0, far = 0;
  for (std::size_t s = 0; s < whole.size(); ++s) {
    most = std::max(most, norm(whole[s]));
    far = std::max(far, distance(adaptive_run[s], whole[s]));
  }
  EXPECT_LT(far, 1e-9);
  EXPECT_GT(most, 0.005);
}

// Where every cell's damping is the same multiple, that is what more damping does; where it is not, flesh rings longer
// where there is less.
TEST(LatticeFlesh, CellsHaveDampingOfTheirOwn) {
  LatticeBarOptions options;
  options.mass_damping = 6;
  options.stiffness_damping = 0.004;
  options.dynamics.tolerance = 1e-8;
  options.dynamics.max_iterations = 300;
  const auto cooked = [&](const LatticeDescription& description) {
    return cook_lattice(description, options.reference, options.run, options.dynamics);
  };
  const auto moved = [&](std::shared_ptr<const LatticeBody> body, int steps) {
    const auto flesh = lattice_flesh(std::move(body));
    flesh->reset({0, swing(0)}, {flesh->step(), swing(flesh->step())});
    for (int step = 1; step <= steps; ++step)
      flesh->advance({step * flesh->step(), swing(std::min(step, 60) * flesh->step())});
    return std::vector<Vec3>(flesh->local_displacements().begin(), flesh->local_displacements().end());
  };
  LatticeDescription same = lattice_bar_description(options), twice = same, varied = same;
  same.mass_damping *= 2;
  same.stiffness_damping *= 2;
  twice.cell_damping.assign(twice.cells.cells(), 2.0);
  const std::vector<Vec3> expected = moved(cooked(same), 60), measured = moved(cooked(twice), 60);
  double most = 0;
  for (std::size_t f = 0; f < expected.size(); ++f) {
    EXPECT_LT(distance(expected[f], measured[f]), 1e-7);
    most = std::max(most, norm(expected[f]));
  }
  EXPECT_GT(most, 0.003);

  for (std::size_t c = 0; c < varied.cells.cells(); ++c)
    varied.cell_damping.push_back(varied.cell_centre[c].x < 0.5 * bar_length ? 4.0 : 0.05);
  const std::vector<Vec3> ringing = moved(cooked(varied), 150);
  double near = 0, far = 0;
  for (std::size_t f = 0; f < ringing.size(); ++f)
    (varied.place[f].x < 0.2 * bar_length ? near : far) =
        std::max(varied.place[f].x < 0.2 * bar_length ? near : far, norm(ringing[f]));
  EXPECT_GT(far, 3 * near);
}

TEST(LatticeFlesh, SnapshotsContinueBitForBit) {
  const LatticeBarOptions options = adaptive(0.02);
  const auto body = lattice_bar_body(options);
  const auto flesh = lattice_flesh(body), other = lattice_flesh(body);
  flesh->reset({0, swing(0)}, {flesh->step(), swing(flesh->step())});
  const auto advance = [&](BodyMotion& which, int step) {
    which.advance({step * flesh->step(), swing(step * flesh->step())});
  };
  for (int step = 1; step <= 30; ++step) advance(*flesh, step);
  Snapshot snapshot;
  flesh->save(snapshot);
  other->load(snapshot, {30 * flesh->step(), swing(30 * flesh->step())});
  for (int step = 31; step <= 60; ++step) {
    advance(*flesh, step);
    advance(*other, step);
  }
  EXPECT_TRUE(std::equal(flesh->local_displacements().begin(), flesh->local_displacements().end(),
                         other->local_displacements().begin()));
  snapshot.numbers.pop_back();
  EXPECT_THROW(other->load(snapshot, {}), Error);
}

}  // namespace
}  // namespace sinew
