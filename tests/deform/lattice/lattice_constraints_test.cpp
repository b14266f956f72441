// Held points of flesh in lattices: grabbed points and belts are where they should be, and nothing stays of them.
#include "sinew/contact/held_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "tests/deform/lattice/lattice_bodies.h"
#include "tests/deform/lattice/lattice_motion.h"

namespace sinew {
namespace {

using namespace test;

HeldPoint hand(int vertex, const Vec3& start, const Vec3& way, double t, double h) {
  const auto path = [&](double s) { return start + way * (0.5 - 0.5 * std::cos(8 * s)); };
  return {at_vertex(vertex), path(t), (path(t) - path(t - h)) / h, "hand"};
}

struct ConstraintCase {
  LatticeReference reference;
  Linearization linearization;
  Warping warping;
  int levels;
  bool tissue = false;

  LatticeBarOptions bar() const {
    const LatticeBarOptions options = damped_bar(reference, linearization, warping, levels);
    return tissue ? converged_tissue(options) : options;
  }
};
const ConstraintCase constraint_cases[] = {
    {LatticeReference::rig, Linearization::warped, Warping::element, 1},
    {LatticeReference::elastic, Linearization::warped, Warping::element, 2},
    {LatticeReference::elastic, Linearization::warped, Warping::vertex, 1},
    {LatticeReference::elastic, Linearization::quasi, Warping::element, 1},
    {LatticeReference::elastic, Linearization::blended, Warping::element, 2},
    {LatticeReference::elastic, Linearization::none, Warping::element, 1},
    {LatticeReference::rig, Linearization::warped, Warping::element, 2, true},
    {LatticeReference::elastic, Linearization::warped, Warping::element, 1, true}};

// A belt on the vertices: they keep the ring that they form at rest, and go where `now` takes it.
std::vector<HeldPoint> belt(const LatticeBody& body, std::span<const int> vertices, const Affine& before,
                            const Affine& now, double step) {
  std::vector<HeldPoint> held;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const int v = vertices[k];
    const Vec3& rest = body.description.surface_rest[static_cast<std::size_t>(v)];
    const Vec3 target = now * rest;
    held.push_back(
        {at_vertex(v), target, (target - before * rest) / step, "belt", 0, 1 / static_cast<double>(vertices.size())});
  }
  return held;
}

// Many more vertices than functions see them apart: the mean of the patch is met all the same.
TEST(LatticeConstraints, APatchsMeanIsWhereTheHandIs) {
  for (const ConstraintCase& c : constraint_cases) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(c.linearization) << static_cast<int>(c.warping) << c.levels);
    const auto body = lattice_bar_body(c.bar());
    const auto flesh = lattice_flesh(body);
    const double h = flesh->step();
    const std::vector<Affine> pose = bar_pose(0.4);
    flesh->reset({0, pose}, {h, pose});
    const std::vector<Vec3>& rest = body->description.surface_rest;
    const int middle = surface_vertex(*body, {0.5, 0.5 * bar_width, 0});
    std::vector<HeldPoint> patch;
    std::vector<Vec3> start;
    double sum = 0;
    for (std::size_t v = 0; v < rest.size(); ++v) {
      const double r = distance(rest[v], rest[static_cast<std::size_t>(middle)]) / 0.06;
      if (r >= 1) continue;
      patch.push_back({at_vertex(static_cast<int>(v)), {}, {}, "hand", 0, (1 - r * r) * (1 - r * r), true});
      start.push_back(flesh->place_of(patch.back().point, pose));
      sum += patch.back().share;
    }
    ASSERT_GT(patch.size(), 3u);
    for (HeldPoint& point : patch) point.share /= sum;
    for (int k = 1; k <= 30; ++k) {
      Environment environment;
      environment.held = patch;
      for (std::size_t i = 0; i < patch.size(); ++i) {
        const HeldPoint led = hand(patch[i].point.vertex[0], start[i], {0, 0.04, 0.02}, k * h, h);
        environment.held[i].target = led.target;
        environment.held[i].velocity = led.velocity;
      }
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      Vec3 missed;
      for (const HeldPoint& point : environment.held)
        missed += point.share * (point.target - flesh->place_of(point.point, pose));
      EXPECT_LT(norm(missed), 1e-11) << k;
      EXPECT_LT(flesh->constraint_errors()[0].largest, 1e-11);
    }
  }
}

TEST(LatticeConstraints, AGrabbedPointIsWhereTheHandIsAndSwingsBack) {
  for (const ConstraintCase& c : constraint_cases) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(c.linearization) << static_cast<int>(c.warping) << c.levels);
    const auto body = lattice_bar_body(c.bar());
    const auto flesh = lattice_flesh(body);
    const double h = flesh->step();
    const std::vector<Affine> pose = bar_pose(0.4);
    flesh->reset({0, pose}, {h, pose});
    // Where blended steps stay is not quite where the reset's longer ones do.
    for (int k = 0; k < (c.linearization == Linearization::blended ? 960 : 0); ++k) flesh->advance({0, pose});
    const std::vector<Vec3> rest(flesh->local_displacements().begin(), flesh->local_displacements().end());
    const int vertex = surface_vertex(*body, {0.5, 0.5 * bar_width, 0});
    const Vec3 start = flesh->place_of(at_vertex(vertex), pose);
    double most = 0;
    for (int k = 1; k <= 60; ++k) {
      Environment environment;
      environment.held.push_back(hand(vertex, start, {0, 0.04, 0.02}, k * h, h));
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      const HeldPoint& held = environment.held.front();
      EXPECT_LT(distance(flesh->place_of(held.point, pose), held.target), 1e-12) << k;
      EXPECT_LT(distance(surface_velocity(*body, *flesh, vertex), held.velocity), 1e-9) << k;
      EXPECT_LT(flesh->constraint_errors()[0].largest, 1e-12);
      most = std::max(most, distance(held.target, start));
    }
    EXPECT_GT(most, 0.03);
    flesh->set_environment({});
    for (int k = 61; k <= 1000; ++k) flesh->advance({k * h, pose});
    for (std::size_t f = 0; f < rest.size(); ++f)
      EXPECT_LT(distance(flesh->local_displacements()[f], rest[f]), 1e-6 * bar_length) << f;
  }
}

TEST(LatticeConstraints, AHandThatStandsStillDoesNoWork) {
  for (const double radius : {1.0, 0.8}) {
    LatticeBarOptions options;  // undamped
    options.dynamics.spectral_radius = radius;
    options.dynamics.tolerance = 1e-6;
    const auto body = lattice_bar_body(options);
    const auto flesh = lattice_flesh(body);
    Energies energies(options);
    const double h = flesh->step();
    const std::vector<Affine> pose = bar_pose(0);
    flesh->reset({0, pose}, {h, pose});
    const int vertex = surface_vertex(*body, {0.5, 0.5 * bar_width, 0}),
              other = surface_vertex(*body, {0.6, 0, -0.5 * bar_width});
    const Vec3 start = flesh->place_of(at_vertex(vertex), pose);
    const auto hold = [&](int v, const Vec3& place) {
      Environment environment;
      environment.held.push_back({at_vertex(v), place, {}, "hand"});
      flesh->set_environment(environment);
    };
    int k = 0;
    hold(vertex, start + Vec3{0, 0.03, 0});
    while (k++ < 30) flesh->advance({k * h, pose});
    flesh->set_environment({});
    while (k++ < 36) flesh->advance({k * h, pose});
    const double first = energies.of(*flesh, pose);
    hold(other, flesh->place_of(at_vertex(other), pose));
    double last = first, gain = 0;
    while (k++ < 300) {
      flesh->advance({k * h, pose});
      const double now = energies.of(*flesh, pose);
      gain = std::max(gain, now - last);
      last = now;
    }
    EXPECT_LT(gain, 2e-6 * first) << radius;  // products are in single precision
    EXPECT_LT(last, first);
  }
}

TEST(LatticeConstraints, ContradictoryGrabsMeetHalfWay) {
  const auto body = lattice_bar_body(damped_bar(LatticeReference::rig));
  const auto flesh = lattice_flesh(body);
  const double h = flesh->step();
  const std::vector<Affine> pose = bar_pose(0);
  flesh->reset({0, pose}, {h, pose});
  const int vertex = surface_vertex(*body, {0.5, 0.5 * bar_width, 0});
  const Vec3 place = flesh->place_of(at_vertex(vertex), pose);
  Environment environment;
  environment.held.push_back({at_vertex(vertex), place + Vec3{0, 0.01, 0}, {}, "left hand"});
  environment.held.push_back({at_vertex(vertex), place - Vec3{0, 0.01, 0}, {}, "right hand"});
  flesh->set_environment(environment);
  flesh->advance({h, pose});
  ASSERT_EQ(flesh->constraint_errors().size(), 2u);
  EXPECT_EQ(flesh->constraint_errors()[1].name, "right hand");
  for (const ConstraintError& error : flesh->constraint_errors()) EXPECT_NEAR(error.largest, 0.01, 1e-12);
  EXPECT_LT(distance(flesh->place_of(at_vertex(vertex), pose), place), 1e-12);
  // Two hands that agree are no contradiction.
  environment.held[1].target = environment.held[0].target;
  flesh->set_environment(environment);
  flesh->advance({2 * h, pose});
  for (const ConstraintError& error : flesh->constraint_errors()) EXPECT_LT(error.largest, 1e-12);
}

TEST(LatticeConstraints, ABeltKeepsItsRing) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic}) {
    const auto body = lattice_bar_body(damped_bar(reference));
    const auto flesh = lattice_flesh(body);
    const double h = flesh->step();
    const auto motion = [](double t) {
      return bar_pose(0.9 * std::sin(6 * t),
                      rigid_motion({0, 1, 0}, 0.4 * std::sin(5 * t), {0, 0.1 * std::sin(9 * t), 0}));
    };
    flesh->reset({0, motion(0)}, {h, motion(h)});
    std::vector<int> ring;
    for (std::size_t v = 0; v < body->description.surface_rest.size(); ++v)
      if (std::abs(body->description.surface_rest[v].x - 0.5) < 1e-9) ring.push_back(static_cast<int>(v));
    ASSERT_GE(ring.size(), 8u);
    double strayed = 0;
    for (int k = 1; k <= 120; ++k) {
      const Affine before = motion((k - 1) * h)[1], now = motion(k * h)[1];
      Environment environment;
      environment.held = belt(*body, ring, before, now, h);
      flesh->set_environment(environment);
      flesh->advance({k * h, motion(k * h)});
      ASSERT_EQ(flesh->constraint_errors().size(), 1u);
      EXPECT_LT(flesh->constraint_errors()[0].largest, 1e-9) << k;
      for (const HeldPoint& point : environment.held)
        strayed = std::max(strayed, distance(flesh->place_of(point.point, motion(k * h)), point.target));
    }
    EXPECT_LT(strayed, 1e-9);
  }
}

TEST(LatticeConstraints, SameBitsForAnyNumberOfThreadsAndFromASnapshot) {
  const auto body = lattice_bar_body(damped_bar(LatticeReference::elastic, Linearization::warped, Warping::element, 2));
  const std::vector<Affine> pose = bar_pose(0.4);
  const int vertex = surface_vertex(*body, {0.5, 0.5 * bar_width, 0});
  const double h = body->method.step;
  const auto run = [&](LatticeBodyMotion& flesh, const Vec3& start, int from, int to) {
    for (int k = from; k <= to; ++k) {
      Environment environment;
      environment.held.push_back(hand(vertex, start, {0, 0.04, 0.02}, k * h, h));
      flesh.set_environment(environment);
      flesh.advance({k * h, pose});
    }
  };
  Snapshot first, middle;
  Vec3 start;
  for (int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const auto flesh = lattice_flesh(body);
    flesh->reset({0, pose}, {h, pose});
    start = flesh->place_of(at_vertex(vertex), pose);
    run(*flesh, start, 1, 20);
    flesh->save(middle);
    run(*flesh, start, 21, 40);
    Snapshot last;
    flesh->save(last);
    if (threads == 1) first = last;
    EXPECT_TRUE(last.numbers == first.numbers) << threads;
  }
  set_thread_count(0);
  const auto flesh = lattice_flesh(body);
  flesh->load(middle, {20 * h, pose});
  run(*flesh, start, 21, 40);
  Snapshot resumed;
  flesh->save(resumed);
  EXPECT_TRUE(resumed.numbers == first.numbers);
}

TEST(LatticeConstraints, WhatCannotBeHeldIsSaid) {
  Environment environment;
  environment.held.push_back({at_vertex(0), {}, {}, "hand"});
  const auto flesh = lattice_flesh(lattice_bar_body(damped_bar(LatticeReference::rig)));
  environment.held[0].point = at_vertex(100000);
  EXPECT_THROW(flesh->set_environment(environment), Error);
  environment.held[0] = {at_vertex(0), {NAN, 0, 0}, {}, "hand"};
  EXPECT_THROW(flesh->set_environment(environment), Error);
  environment.held.clear();
  environment.colliders.capsules.push_back(sphere_collider({}, -1));
  EXPECT_THROW(flesh->set_environment(environment), Error);
}

}  // namespace
}  // namespace sinew
