// Obstacles on flesh in tetrahedra: solids stay empty, and what is let go comes back.
#include "sinew/contact/solid_mesh.h"
#include "tests/deform/response_bars.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

// A sphere is pressed into the bar's upper side and drawn back.
TEST(FleshResponse, ASphereIsPushedInAndDrawnBack) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}), 0.2);
  for (const Reference& reference : references) {
    const auto flesh = reference(body);
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    const std::vector<Vec3> rest = places(*body, *flesh, pose);
    const auto sphere = [&](double t) {
      return sphere_collider({0.15, 0.06 + 0.05 + 0.01 - 0.035 * std::sin(std::min(t, 0.5) * 2 * pi), 0}, 0.05);
    };
    int contacts = 0;
    for (int k = 1; k <= 720; ++k) {
      Environment environment;
      environment.colliders.capsules.push_back(sphere(k * h));
      environment.colliders_before.capsules.push_back(sphere((k - 1) * h));
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      contacts += flesh->statistics().contacts;
      ASSERT_LT(deepest(*body, *flesh, pose, environment.colliders), 2e-5 * bar.width) << k;
    }
    EXPECT_GT(contacts, 100);
    const std::vector<Vec3> end = places(*body, *flesh, pose);
    double farthest = 0;
    for (std::size_t v = 0; v < end.size(); ++v) farthest = std::max(farthest, distance(end[v], rest[v]));
    EXPECT_LT(farthest, 1e-4) << &reference - references;
  }
}

// A ball as a mesh dents flesh as the ball does, and solids that are not convex stay empty too.
TEST(FleshResponse, MeshesAreMetAsTheirShapesAre) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}));
  const auto after = [&](const Reference& reference, const Colliders& colliders) {
    const auto flesh = reference(body);
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    Environment environment;
    environment.colliders = colliders;
    flesh->set_environment(environment);
    for (int k = 1; k <= 300; ++k) flesh->advance({k * h, pose});
    EXPECT_GT(flesh->statistics().contacts, 0);
    EXPECT_LT(deepest(*body, *flesh, pose, colliders), 1e-4 * bar.width);
    return places(*body, *flesh, pose);
  };
  // The bar ends at y = 0.06. Two balls that overlap are one solid with a groove across the bar.
  const Vec3 low{0.12, 0.075, 0}, high{0.22, 0.075, 0};
  const double radius = 0.03;
  TriangleMesh two = capsule(low, low + Vec3{0, 0, 1e-9}, radius, 64, 64);
  const TriangleMesh other = capsule(low + Vec3{0.04, 0, 0}, low + Vec3{0.04, 0, 1e-9}, radius, 64, 64);
  Colliders ball, mesh, groove;
  ball.capsules = {sphere_collider(high, radius)};
  mesh.meshes = {mesh_collider(solid_mesh(capsule(high, high + Vec3{0, 0, 1e-9}, radius, 64, 64)), {})};
  const int first = static_cast<int>(two.positions.size());
  two.positions.insert(two.positions.end(), other.positions.begin(), other.positions.end());
  for (const Triangle& t : other.triangles) two.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  groove.meshes = {mesh_collider(solid_mesh(two), {})};
  for (const Reference& reference : references) {
    EXPECT_LT(largest_difference(after(reference, ball), after(reference, mesh)), 0.05 * radius);
    after(reference, groove);
  }
}

// A box on the bar: where only its front is near, flesh meets a plane and rests against it; off its sides nothing does.
TEST(FleshResponse, ABoxIsAPlaneAsFarAsItsSides) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}));
  const auto after = [&](const Reference& reference, const Colliders& colliders, int& contacts) {
    const auto flesh = reference(body);
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    Environment environment;
    environment.colliders = colliders;
    flesh->set_environment(environment);
    for (int k = 1; k <= 300; ++k) flesh->advance({k * h, pose});
    contacts = flesh->statistics().contacts;
    return places(*body, *flesh, pose);
  };
  // The bar ends at y = 0.06; the front is a centimetre below, and its edges are far away, or just beyond the bar's
  // end.
  const double front = 0.05;
  Colliders plane, wide, beside, none;
  plane.planes = {{{0, front, 0}, {0, -1, 0}}};
  wide.boxes = {{{0.2, front + 0.3, 0}, Mat3::identity(), {1, 0.3, 1}, 0.02}};
  beside.boxes = {{{0.9, front + 0.3, 0}, Mat3::identity(), {0.4, 0.3, 1}, 0.02}};
  for (const Reference& reference : references) {
    int touched = 0, touched_by_box = 0, touched_beside = 0, untouched = 0;
    const std::vector<Vec3> by_plane = after(reference, plane, touched),
                            by_box = after(reference, wide, touched_by_box), free = after(reference, none, untouched),
                            by_neighbour = after(reference, beside, touched_beside);
    EXPECT_GT(touched, 4);
    EXPECT_EQ(touched_by_box, touched);
    EXPECT_LT(largest_difference(by_box, by_plane), 1e-9);
    EXPECT_GT(largest_difference(by_box, free), 0.009);
    EXPECT_EQ(touched_beside, 0);
    EXPECT_EQ(by_neighbour, free);
  }
}

// An edge that is pressed in makes a dent as deep as it goes, and is found where it is.
TEST(FleshResponse, AnEdgeOfABoxIsPressedInAndDrawnBack) {
  const Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}), 0.2);
  const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, pi / 4));
  for (const Reference& reference : references) {
    const auto flesh = reference(body);
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    const std::vector<Vec3> rest = places(*body, *flesh, pose);
    const auto box = [&](double t) {
      const double lowest = 0.06 + 0.01 - 0.03 * std::sin(std::min(t, 0.5) * 2 * pi), half = 0.05, rounding = 0.01;
      const double to_edge = (half - rounding) * std::sqrt(2.0) + rounding;
      return BoxCollider{{0.15, lowest + to_edge, 0}, turn, {half, half, 0.3}, rounding};
    };
    int contacts = 0;
    for (int k = 1; k <= 720; ++k) {
      Environment environment;
      environment.colliders.boxes.push_back(box(k * h));
      environment.colliders_before.boxes.push_back(box((k - 1) * h));
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      contacts += flesh->statistics().contacts;
      ASSERT_LT(deepest(*body, *flesh, pose, environment.colliders), 2e-5 * bar.width) << k;
    }
    EXPECT_GT(contacts, 100);
    EXPECT_LT(largest_difference(places(*body, *flesh, pose), rest), 1e-4) << &reference - references;
  }
}

// Two plates close on the bar to less than it is thick and stand: it bulges, stays finite, and comes to rest.
TEST(FleshResponse, SqueezedBetweenPlates) {
  Bar bar = damped_tetrahedra_bar();
  const auto body = cooked_bar(bar);
  const std::vector<Affine> pose = bar_pose(bar, moved({0, 0, 0}));
  for (const Reference& reference : references) {
    const auto flesh = reference(body);
    const double h = flesh->step();
    flesh->reset({0, pose}, {h, pose});
    std::vector<Vec3> last;
    double restless = 0;
    for (int k = 1; k <= 600; ++k) {
      const auto plates = [&](double t) {
        const double at = 0.062 - 0.012 * std::min(1.0, t / 0.3);
        return Colliders{{{{0, at, 0}, {0, -1, 0}}, {{0, -at, 0}, {0, 1, 0}}}, {}};
      };
      Environment environment;
      environment.colliders = plates(k * h);
      environment.colliders_before = plates((k - 1) * h);
      flesh->set_environment(environment);
      flesh->advance({k * h, pose});
      ASSERT_LT(deepest(*body, *flesh, pose, environment.colliders), 1e-6) << k;
      const std::vector<Vec3> now = places(*body, *flesh, pose);
      for (std::size_t v = 0; k > 500 && v < now.size(); ++v)
        restless = std::max(restless, distance(now[v], last[v]) / h);
      last = now;
    }
    EXPECT_LT(restless, 1e-5);
  }
}

}  // namespace
}  // namespace sinew
