// Hands and obstacles together on flesh in tetrahedra, on any number of threads and from saved states.
#include "sinew/base/threads/parallel.h"
#include "tests/deform/response_bars.h"

namespace sinew {
namespace {

using namespace test;

// A hand holds a point while a sphere comes: the point is the hand's, and no other enters the sphere.
TEST(FleshResponse, HandsAndObstaclesTogether) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}));
  for (const Reference& reference : references) {
    const auto flesh = reference(body);
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    const auto vertex = static_cast<std::size_t>(vertex_near(*body, {0.3, 0.06, 0}));
    const Vec3 start = body->description.mesh.positions[vertex];
    int contacts = 0;
    for (int k = 1; k <= 160; ++k) {
      const auto sphere = [&](double t) {
        return sphere_collider(start + Vec3{-0.07, 0.045 + 0.05 - 0.06 * std::sin(6 * t), 0}, 0.05);
      };
      Environment environment;
      const Vec3 target = start + Vec3{0, 0.01 * std::sin(5 * k * h), 0};
      environment.held.push_back(
          {at_vertex(static_cast<int>(vertex)), target, {0, 0.05 * std::cos(5 * k * h), 0}, "hand"});
      environment.colliders.capsules.push_back(sphere(k * h));
      environment.colliders_before.capsules.push_back(sphere((k - 1) * h));
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      contacts += flesh->statistics().contacts;
      ASSERT_LT(distance(places(*body, *flesh, pose)[vertex], target), 1e-11);
      ASSERT_LT(deepest(*body, *flesh, pose, environment.colliders), 1e-6);
    }
    EXPECT_GT(contacts, 20);
  }
}

// The same bits for any number of threads, and from a state saved while things act.
TEST(FleshResponse, DeterministicOverThreadsAndResumes) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const double h = body->method.step;
  const auto pose = [&](double t) { return bar_pose(bar, moved({0, 0.01 * std::sin(9 * t), 0}), 0.3 * t); };
  const int vertex = vertex_near(*body, {0.3, 0.06, 0}), half = 30, all = 60;
  const auto acting = [&](int k) {
    Environment environment;
    const Vec3 start = body->description.mesh.positions[static_cast<std::size_t>(vertex)];
    environment.held.push_back({at_vertex(vertex), start + Vec3{0, 0.02 * std::sin(4 * k * h), 0}, {}, "hand"});
    environment.colliders.planes.push_back({{0, -0.06 + 0.02 * std::sin(9 * k * h), 0}, {0, 1, 0}});
    environment.colliders_before.planes.push_back({{0, -0.06 + 0.02 * std::sin(9 * (k - 1) * h), 0}, {0, 1, 0}});
    environment.loads.push_back({{0.2, 0, 0.06}, {0, 0, -3}, 0.05});
    return environment;
  };
  for (const Reference& reference : references) {
    Snapshot first, middle, resumed;
    for (int threads : {1, 2, 4}) {
      set_thread_count(threads);
      const auto flesh = reference(body);
      flesh->reset({0, pose(0)}, {h, pose(h)});
      for (int k = 1; k <= all; ++k) {
        flesh->set_environment(acting(k));
        flesh->advance({k * h, pose(k * h)});
        if (k == half) flesh->save(middle);
      }
      Snapshot last;
      flesh->save(last);
      if (threads == 1) first = last;
      EXPECT_TRUE(last.numbers == first.numbers) << threads << " threads";
    }
    set_thread_count(0);
    const auto flesh = reference(body);
    const std::vector<Affine> at_half = pose(half * h);
    flesh->load(middle, {half * h, at_half});
    for (int k = half + 1; k <= all; ++k) {
      flesh->set_environment(acting(k));
      flesh->advance({k * h, pose(k * h)});
    }
    flesh->save(resumed);
    EXPECT_TRUE(resumed.numbers == first.numbers);
  }
}

// A cap on iterations keeps the pace of hands that pull flesh as far as it can: each step goes on where the last one
// ended, and the flesh ends where it does without.
TEST(FleshResponse, ACapOnIterationsDelaysFleshThatHandsPull) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const double h = body->method.step;
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}));
  const auto vertex = static_cast<std::size_t>(vertex_near(*body, {0.3, 0.06, 0}));
  std::vector<Vec3> ends[2];
  int most = 0, unfinished = 0;
  for (const bool capped : {false, true}) {
    QuasiNewton how;
    if (!capped) how.most_iterations_acted_on = how.most_iterations;
    const auto flesh = quasi_newton_flesh(body, how);
    flesh->reset({0, pose}, {h, pose});
    for (int k = 1; k * h < 1.5; ++k) {
      Environment environment;
      const double pulled = 0.28 * std::min(1.0, k * h / 0.1);  // 70 % of the bar's length, in a tenth of a second
      environment.held.push_back({at_vertex(static_cast<int>(vertex)),
                                  body->description.mesh.positions[vertex] + Vec3{0, pulled, 0},
                                  {},
                                  "hand"});
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      if (!capped) continue;
      most = std::max(most, flesh->statistics().iterations);
      unfinished += flesh->statistics().unfinished;
    }
    ends[capped] = places(*body, *flesh, pose);
  }
  EXPECT_EQ(most, QuasiNewton().most_iterations_acted_on);
  EXPECT_GT(unfinished, 0);
  EXPECT_LT(unfinished, 100);  // of 360
  EXPECT_LT(largest_difference(ends[0], ends[1]), 1e-3 * bar.length);
}

}  // namespace
}  // namespace sinew
