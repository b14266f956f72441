// Held points by Lagrange multipliers: the motion that projection gives, and the way back of what is off its target.
#include "sinew/deform/lattice/solver/held_by_multipliers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "tests/deform/lattice/lattice_motion.h"

namespace sinew {
namespace {

using namespace test;

struct Case {
  LatticeReference reference;
  Linearization linearization;
  int levels;
};
const Case cases[] = {{LatticeReference::rig, Linearization::warped, 1},
                      {LatticeReference::elastic, Linearization::warped, 2},
                      {LatticeReference::elastic, Linearization::quasi, 1},
                      {LatticeReference::elastic, Linearization::none, 1}};

LatticeBarOptions options_of(const Case& c, HeldBy held_by) {
  LatticeBarOptions options = damped_bar(c.reference, c.linearization, Warping::element, c.levels);
  options.run.held_by = held_by;
  options.dynamics.tolerance = 1e-7;
  options.dynamics.max_iterations = 300;
  return options;
}

HeldPoint led(int vertex, const Vec3& start, const Vec3& way, double t, double h) {
  const auto path = [&](double s) { return start + way * (0.5 - 0.5 * std::cos(8 * s)); };
  return {at_vertex(vertex), path(t), (path(t) - path(t - h)) / h, "hand " + std::to_string(vertex)};
}

// Two hands and a rig that begins to bend: held by the same forces but for what the first step jerks at, which the
// oscillation forgets within some twelve times its own four steps.
TEST(HeldByMultipliers, TheSameMotionAsByProjection) {
  for (const Case& c : cases) {
    SCOPED_TRACE(static_cast<int>(c.linearization));
    std::vector<std::unique_ptr<LatticeBodyMotion>> flesh;
    std::shared_ptr<const LatticeBody> body;
    for (const HeldBy held_by : {HeldBy::subspace, HeldBy::multipliers}) {
      body = lattice_bar_body(options_of(c, held_by));
      flesh.push_back(lattice_flesh(body));
    }
    const double h = body->method.step;
    const auto pose_at = [](double t) { return bar_pose(0.2 - 0.2 * std::cos(6 * t)); };
    std::vector<Affine> pose = pose_at(0);
    const std::vector<Affine> next = pose_at(h);
    const int first = surface_vertex(*body, {0.5, 0.5 * bar_width, 0}),
              second = surface_vertex(*body, {0.2, 0, 0.5 * bar_width});
    double most = 0, moved = 0;
    std::vector<Vec3> start;
    for (const auto& each : flesh) each->reset({0, pose}, {h, next});
    for (const int v : {first, second}) start.push_back(flesh[0]->place_of(at_vertex(v), pose));
    const std::vector<Vec3> rest(flesh[0]->local_displacements().begin(), flesh[0]->local_displacements().end());
    for (int k = 1; k <= 90; ++k) {
      Environment environment;
      pose = pose_at(k * h);
      environment.held = {led(first, start[0], {0, 0.03, 0.02}, k * h, h),
                          led(second, start[1], {0, 0, -0.01}, k * h, h)};
      for (const auto& each : flesh) {
        each->set_environment(environment);
        each->advance({k * h, pose});
      }
      for (const HeldPoint& held : environment.held)
        EXPECT_LT(distance(flesh[1]->place_of(held.point, pose), held.target), k > 48 ? 1e-6 : 5e-5) << k;
      for (std::size_t f = 0; f < rest.size(); ++f) {
        if (k > 48)
          most = std::max(most, distance(flesh[0]->local_displacements()[f], flesh[1]->local_displacements()[f]));
        moved = std::max(moved, distance(flesh[0]->local_displacements()[f], rest[f]));
      }
    }
    EXPECT_GT(moved, 0.02);
    // Both are solved to 1e-7 of what a step changes, in products of single precision; and flesh still rings from the
    // jerk.
    EXPECT_LT(most, 1e-3 * moved);
    EXPECT_GT(most, 0);
  }
}

// A hand takes hold of a point that is off by a centimetre: the point comes back as the oscillation says, step by step.
TEST(HeldByMultipliers, WhatIsOffItsTargetComesBackAsTheOscillationSays) {
  for (const Case& c : cases) {
    SCOPED_TRACE(static_cast<int>(c.linearization));
    const auto body = lattice_bar_body(options_of(c, HeldBy::multipliers));
    const auto flesh = lattice_flesh(body);
    const double h = body->method.step;
    const std::vector<Affine> pose = bar_pose(0.2);
    flesh->reset({0, pose}, {h, pose});
    const int vertex = surface_vertex(*body, {0.5, 0.5 * bar_width, 0});
    const Vec3 start = flesh->place_of(at_vertex(vertex), pose);
    Environment environment;
    environment.held = {{at_vertex(vertex), start + Vec3{0, 0.01, 0}, {}, "hand"}};
    Vec3 away{0, -0.01, 0}, rate;
    for (int k = 1; k <= 60; ++k) {
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      rate += baumgarte_change(stabilization_of(h), away, rate, h);
      away += h * rate;
      EXPECT_LT(distance(flesh->place_of(at_vertex(vertex), pose) - environment.held[0].target, away), 2e-6) << k;
    }
    EXPECT_LT(norm(away), 1e-5);
  }
}

// Points that ask for different places of one: it is led half way, as by projection.
TEST(HeldByMultipliers, ContradictionsAreMetHalfWay) {
  const auto body = lattice_bar_body(options_of(cases[0], HeldBy::multipliers));
  const auto flesh = lattice_flesh(body);
  const double h = body->method.step;
  const std::vector<Affine> pose = bar_pose(0);
  flesh->reset({0, pose}, {h, pose});
  const int vertex = surface_vertex(*body, {0.5, 0.5 * bar_width, 0});
  const Vec3 place = flesh->place_of(at_vertex(vertex), pose);
  Environment environment;
  environment.held = {{at_vertex(vertex), place + Vec3{0, 0.01, 0}, {}, "left"},
                      {at_vertex(vertex), place - Vec3{0, 0.01, 0}, {}, "right"}};
  for (int k = 1; k <= 60; ++k) {
    flesh->set_environment(environment);
    flesh->advance({k * h, pose});
  }
  for (const ConstraintError& error : flesh->constraint_errors()) EXPECT_NEAR(error.largest, 0.01, 1e-5);
  EXPECT_LT(distance(flesh->place_of(at_vertex(vertex), pose), place), 1e-5);
}

// What comes back goes on from a snapshot to the bit.
TEST(HeldByMultipliers, SnapshotsKnowHowFarPointsAre) {
  const auto body = lattice_bar_body(options_of(cases[0], HeldBy::multipliers));
  const auto flesh = lattice_flesh(body), other = lattice_flesh(body);
  const double h = body->method.step;
  const auto pose_at = [](double t) { return bar_pose(0.3 * std::sin(6 * t)); };
  const std::vector<Affine> now = pose_at(0), next = pose_at(h);
  flesh->reset({0, now}, {h, next});
  const int vertex = surface_vertex(*body, {0.5, 0.5 * bar_width, 0});
  Environment environment;
  environment.held = {{at_vertex(vertex), flesh->place_of(at_vertex(vertex), now) + Vec3{0, 0.01, 0}, {}, "hand"}};
  const auto advance = [&](LatticeBodyMotion& which, int k) {
    which.set_environment(environment);
    const std::vector<Affine> pose = pose_at(k * h);
    which.advance({k * h, pose});
  };
  for (int k = 1; k <= 3; ++k) advance(*flesh, k);
  Snapshot snapshot;
  flesh->save(snapshot);
  const std::vector<Affine> saved_at = pose_at(3 * h);
  other->load(snapshot, {3 * h, saved_at});
  for (int k = 4; k <= 12; ++k) {
    advance(*flesh, k);
    advance(*other, k);
  }
  EXPECT_TRUE(std::equal(flesh->local_displacements().begin(), flesh->local_displacements().end(),
                         other->local_displacements().begin()));
}

TEST(HeldByMultipliers, NeedsOneSymmetricSystem) {
  LatticeBarOptions options = damped_bar(LatticeReference::elastic, Linearization::warped, Warping::vertex);
  options.run.held_by = HeldBy::multipliers;
  EXPECT_THROW(lattice_flesh(lattice_bar_body(options)), Error);
  options = damped_bar(LatticeReference::elastic, Linearization::blended);
  options.run.held_by = HeldBy::multipliers;
  EXPECT_THROW(lattice_flesh(lattice_bar_body(options)), Error);
}

}  // namespace
}  // namespace sinew
