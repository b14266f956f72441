// Points of flesh in tetrahedra that hands and belts hold: they are where they are held, and come back.
#include "sinew/base/error.h"
#include "tests/deform/response_bars.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

using namespace test;

TEST(FleshResponse, AGrabbedPointIsWhereTheHandIsAndSwingsBack) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  for (const Reference& reference : references) {
    // Warped vertex by vertex a bar that is bent and drawn this far does not come back, whoever drew it: that stiffness
    // is no energy's (docs/flesh.md).
    const double bend = &reference == &references[2] ? 0.1 : 0.4;
    const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}), bend);
    const std::unique_ptr<BodyMotion> flesh = reference(body);
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    const std::vector<Vec3> rest = places(*body, *flesh, pose);
    const auto vertex = static_cast<std::size_t>(vertex_near(*body, {0.3, 0.06, 0}));
    ASSERT_GE(body->free_index[vertex], 0);
    const Vec3 start = rest[vertex];
    int k = 1;
    for (; k <= 120; ++k) {
      const auto hand = [&](double t) { return start + Vec3{0.02, 0.03, -0.01} * std::min(1.0, t / 0.3); };
      Environment environment;
      const Vec3 way = hand(k * h) - hand((k - 1) * h);
      environment.held.push_back({at_vertex(static_cast<int>(vertex)), hand(k * h), way / h, "hand"});
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      ASSERT_LT(distance(places(*body, *flesh, pose)[vertex], hand(k * h)), 1e-11) << k;
      ASSERT_LT(distance(state_of(*body, *flesh).velocity[static_cast<std::size_t>(body->free_index[vertex])], way / h),
                1e-9);
      ASSERT_EQ(flesh->constraint_errors().size(), 1u);
      EXPECT_LT(flesh->constraint_errors()[0].largest, 1e-11);
    }
    flesh->set_environment({});
    double energy = HUGE_VAL;
    for (; k <= 1200; ++k) {
      flesh->advance({k * h, pose});
      if (&reference == &references[0]) {
        const double now = mechanical_energy(*body, *flesh);
        EXPECT_LT(now, energy * (1 + 1e-9));
        energy = now;
      }
    }
    EXPECT_TRUE(flesh->constraint_errors().empty());
    const std::vector<Vec3> end = places(*body, *flesh, pose);
    double farthest = 0;
    for (std::size_t v = 0; v < end.size(); ++v) farthest = std::max(farthest, distance(end[v], rest[v]));
    EXPECT_LT(farthest, 1e-5) << &reference - references;
  }
}

// The vertices of the bar's upper side within a radius of a point, weighing less towards the rim, moved by `way` in
// all.
std::vector<HeldPoint> patch(const FleshBody& body, const std::vector<Vec3>& start, const Vec3& middle, double radius,
                             const Vec3& way, const Vec3& velocity) {
  std::vector<HeldPoint> held;
  double sum = 0;
  for (std::size_t v = 0; v < start.size(); ++v) {
    const Vec3& rest = body.description.mesh.positions[v];
    const double r = distance(rest, middle) / radius;
    if (r >= 1 || rest.y < middle.y - 1e-6 || body.free_index[v] < 0) continue;
    held.push_back(
        {at_vertex(static_cast<int>(v)), start[v] + way, velocity, "hand", 0, (1 - r * r) * (1 - r * r), true});
    sum += held.back().share;
  }
  for (HeldPoint& point : held) point.share /= sum;
  return held;
}

// Its rim weighs next to nothing, so that the body need not follow there; the mean it has to.
TEST(FleshResponse, APatchsMeanIsWhereTheHandIs) {
  Bar bar = damped_tetrahedra_bar();
  bar.along = 16;
  const auto body = cooked_bar(bar);
  for (const Reference& reference : references) {
    const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}), 0.1);
    const std::unique_ptr<BodyMotion> flesh = reference(body);
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    const std::vector<Vec3> rest = places(*body, *flesh, pose);
    const Vec3 drawn{0.02, 0.06, -0.01};
    double strayed = 0;
    for (int k = 1; k <= 90; ++k) {
      const auto way = [&](double t) { return drawn * std::min(1.0, t / 0.25); };
      Environment environment;
      environment.held = patch(*body, rest, {0.3, 0.06, 0}, 0.07, way(k * h), (way(k * h) - way((k - 1) * h)) / h);
      ASSERT_GT(environment.held.size(), 6u);
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      const std::vector<Vec3> now = places(*body, *flesh, pose);
      Vec3 missed;
      for (const HeldPoint& point : environment.held) {
        const Vec3 own = point.target - now[static_cast<std::size_t>(point.point.vertex[0])];
        missed += point.share * own;
        strayed = std::max(strayed, norm(own));
      }
      ASSERT_LT(norm(missed), 1e-11) << k;
      ASSERT_EQ(flesh->constraint_errors().size(), 1u);
      EXPECT_LT(flesh->constraint_errors()[0].largest, 1e-11);
      EXPECT_FALSE(flesh->constraint_errors()[0].is_ring);
    }
    EXPECT_LT(strayed, 0.5 * norm(drawn));  // no thorn
  }
}

// Held for long the bar is at the least elastic energy among all shapes with the point there: the dense KKT system.
TEST(FleshResponse, HeldForLongIsTheStaticAnswer) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}));
  const auto flesh = rig_reference_flesh(body);
  const double h = flesh->step();
  flesh->reset({0, pose}, {h, pose});
  const int a = vertex_near(*body, {0.3, 0.06, 0}), b = vertex_near(*body, {0.1, -0.06, 0.06});
  // One hand at the middle of two vertices, one at a third.
  const int c = vertex_near(*body, {0.35, 0.06, 0});
  const std::vector<Vec3>& x = body->description.mesh.positions;
  const auto at = [&](int v) { return x[static_cast<std::size_t>(v)]; };
  const Vec3 first = 0.5 * (at(a) + at(c)) + Vec3{0.01, 0.02, 0}, second = at(b) + Vec3{0, -0.015, 0.005};
  Environment environment;
  environment.held.push_back({{{a, c, -1}, {0.5, 0.5, 0}}, first, {}, "one"});
  environment.held.push_back({at_vertex(b), second, {}, "two"});
  flesh->set_environment(environment);
  for (int k = 1; k <= 2000; ++k) flesh->advance({k * h, pose});

  const auto n = static_cast<Eigen::Index>(3 * body->free_vertex.size());
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + 6, n + 6);
  system.topLeftCorner(n, n) = dense(body->stiffness);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 6);
  const auto row = [&](int constraint, int vertex, double weight) {
    for (int k = 0; k < 3; ++k) {
      const Eigen::Index i = n + 3 * constraint + k, j = 3 * body->free_index[static_cast<std::size_t>(vertex)] + k;
      system(i, j) += weight;
      system(j, i) += weight;
    }
  };
  row(0, a, 0.5);
  row(0, c, 0.5);
  row(1, b, 1);
  const Vec3 moved_by[] = {first - 0.5 * (at(a) + at(c)), second - at(b)};
  for (int q = 0; q < 2; ++q)
    for (int k = 0; k < 3; ++k) right[n + 3 * q + k] = moved_by[q][static_cast<std::size_t>(k)];
  const Eigen::VectorXd expected = test::solved(system, right).topRows(n);
  EXPECT_LT((free_displacement(*body, *flesh) - expected).norm(), 1e-6 * expected.norm());
}

// A patch of vertices that the body can move apart is held as they are by themselves.
TEST(FleshResponse, APatchHeldForLongIsTheStaticAnswer) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}));
  const auto flesh = rig_reference_flesh(body);
  const double h = flesh->step();
  flesh->reset({0, pose}, {h, pose});
  const std::vector<Vec3>& x = body->description.mesh.positions;
  const int held[] = {vertex_near(*body, {0.3, 0.06, 0}), vertex_near(*body, {0.35, 0.06, 0}),
                      vertex_near(*body, {0.3, 0.06, 0.05})};
  const double share[] = {0.5, 0.3, 0.2};
  const Vec3 way[] = {{0.01, 0.02, 0}, {0.008, 0.022, 0.001}, {0.01, 0.018, -0.002}};
  Environment environment;
  for (std::size_t c = 0; c < 3; ++c)
    environment.held.push_back(
        {at_vertex(held[c]), x[static_cast<std::size_t>(held[c])] + way[c], {}, "hand", 0, share[c], true});
  flesh->set_environment(environment);
  for (int k = 1; k <= 2000; ++k) flesh->advance({k * h, pose});

  const auto n = static_cast<Eigen::Index>(3 * body->free_vertex.size());
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + 9, n + 9);
  system.topLeftCorner(n, n) = dense(body->stiffness);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 9);
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) {
      const Eigen::Index i = n + 3 * c + k;
      const Eigen::Index j = 3 * body->free_index[static_cast<std::size_t>(held[c])] + k;
      system(i, j) = system(j, i) = 1;
      right[i] = way[c][static_cast<std::size_t>(k)];
    }
  const Eigen::VectorXd expected = test::solved(system, right).topRows(n);
  EXPECT_LT((free_displacement(*body, *flesh) - expected).norm(), 1e-6 * expected.norm());
}

TEST(FleshResponse, ContradictoryGrabsMeetHalfWay) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}));
  for (const Reference& reference : references) {
    const auto flesh = reference(body);
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    const int vertex = vertex_near(*body, {0.3, 0.06, 0});
    const Vec3 start = places(*body, *flesh, pose)[static_cast<std::size_t>(vertex)];
    Environment environment;
    environment.held.push_back({at_vertex(vertex), start + Vec3{0, 0.02, 0}, {}, "up"});
    environment.held.push_back({at_vertex(vertex), start + Vec3{0, -0.01, 0}, {}, "down"});
    flesh->set_environment(environment);
    for (int k = 1; k <= 20; ++k) flesh->advance({k * h, pose});
    const Vec3 end = places(*body, *flesh, pose)[static_cast<std::size_t>(vertex)];
    EXPECT_LT(distance(end, start + Vec3{0, 0.005, 0}), 1e-10);
    ASSERT_EQ(flesh->constraint_errors().size(), 2u);
    for (const ConstraintError& error : flesh->constraint_errors()) EXPECT_NEAR(error.largest, 0.015, 1e-9);
  }
}

// A point of a core is the skeleton's: what holds it says how far off it is, and nothing else happens.
TEST(FleshResponse, WhatTheSkeletonHasCannotBeHeld) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}));
  const auto flesh = rig_reference_flesh(body);
  flesh->reset({0, pose}, {flesh->step(), pose});
  const int vertex = vertex_near(*body, {0.1, 0, 0});
  ASSERT_LT(body->free_index[static_cast<std::size_t>(vertex)], 0);
  Environment environment;
  environment.held.push_back({at_vertex(vertex),
                              body->description.mesh.positions[static_cast<std::size_t>(vertex)] + Vec3{0, 0.1, 0},
                              {},
                              "x"});
  flesh->set_environment(environment);
  flesh->advance({flesh->step(), pose});
  EXPECT_EQ(largest_norm(flesh->local_displacements()), 0);
  ASSERT_EQ(flesh->constraint_errors().size(), 1u);
  EXPECT_NEAR(flesh->constraint_errors()[0].largest, 0.1, 1e-12);
  environment.held[0].point.vertex[0] = 1 << 20;
  EXPECT_THROW(flesh->set_environment(environment), Error);
}

// The ring of vertices half way keeps the shape that it has at rest, drawn tight by a tenth and turned with its bone.
TEST(FleshResponse, ABeltKeepsItsRing) {
  Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  std::vector<int> ring;
  const std::vector<Vec3>& rest = body->description.mesh.positions;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (std::abs(rest[v].x - 0.1) < 1e-9 && body->free_index[v] >= 0 &&
        std::max(std::abs(rest[v].y), std::abs(rest[v].z)) > 0.059)
      ring.push_back(static_cast<int>(v));
  ASSERT_GT(ring.size(), 10u);
  for (const Reference& reference : references) {
    const auto flesh = reference(body);
    const double h = flesh->step();
    const auto pose = [&](double t) { return bar_pose(bar, moved({0, 0.02 * std::sin(7 * t), 0})); };
    flesh->reset({0, pose(0)}, {h, pose(h)});
    for (int k = 1; k <= 60; ++k) {
      const auto drawn = [&](double t) {
        const double size = 1 - 0.1 * std::min(1.0, t / 0.1);
        return pose(t)[0] * Affine{Mat3::identity() * size, (1 - size) * Vec3{0.1, 0, 0}};
      };
      Environment environment;
      for (const int v : ring) {
        const Vec3 target = drawn(k * h) * rest[static_cast<std::size_t>(v)];
        environment.held.push_back({at_vertex(v), target,
                                    (target - drawn((k - 1) * h) * rest[static_cast<std::size_t>(v)]) / h, "belt", 0,
                                    1 / static_cast<double>(ring.size())});
      }
      flesh->set_environment(environment);
      flesh->advance({k * h, pose(k * h)});
      const std::vector<Vec3> now = places(*body, *flesh, pose(k * h));
      for (const int v : ring)
        ASSERT_LT(distance(now[static_cast<std::size_t>(v)], drawn(k * h) * rest[static_cast<std::size_t>(v)]), 1e-10);
    }
  }
}

}  // namespace
}  // namespace sinew
