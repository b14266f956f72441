// Free handles in a body of mixed elements: what they hold, how points turn together, and how bodies follow them.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/mixed/handle_regions.h"
#include "sinew/deform/mixed/mixed_deformer.h"
#include "sinew/deform/mixed/movers.h"
#include "tests/base/refusal.h"
#include "tests/deform/bones.h"
#include "tests/deform/mixed/mixed_bodies.h"

namespace sinew {
namespace {

using test::at;

Affine motion_of_test(const Vec3& axis, double angle, const Vec3& by) {
  return {to_matrix(axis_angle(normalized(axis), angle)), by};
}

double difference_of(const Affine& a, const Affine& b) {
  return frobenius_norm(a.linear - b.linear) + norm(a.translation - b.translation);
}

TEST(BestRigidMotion, IsTheMotionOfPointsThatMoveRigidly) {
  const Affine motion = motion_of_test({1, 2, -1}, 2.5, {3, -1, 0.5});
  const std::vector<Vec3> space{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0.3, 0.1, 1.5}};
  EXPECT_LT(difference_of(best_rigid_motion(space, test::mapped(space, motion)), motion), 1e-13);
  const std::vector<Vec3> plane{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  EXPECT_LT(difference_of(best_rigid_motion(plane, test::mapped(plane, motion)), motion), 1e-13);
}

TEST(BestRigidMotion, TurnsPointsInLineByTheLeastAngle) {
  const std::vector<Vec3> line{{0, 0, 0}, {0, 1, 0}, {0, 3, 0}};
  const Affine quarter = motion_of_test({0, 0, 1}, std::acos(0.0), {1, 0, 0});
  // About the line itself they could be turned by any angle.
  const Affine twisted = quarter * motion_of_test({0, 1, 0}, 1.2, {});
  EXPECT_LT(difference_of(best_rigid_motion(line, test::mapped(line, twisted)), quarter), 1e-13);
  const std::vector<Vec3> one{{1, 2, 3}}, moved{{2, 2, 5}};
  EXPECT_LT(difference_of(best_rigid_motion(one, moved), {Mat3::identity(), {1, 0, 2}}), 1e-15);
  const std::vector<Vec3> upside_down{{0, 3, 0}, {0, 2, 0}, {0, 0, 0}};
  const Mat3 half = best_rigid_motion(line, upside_down).linear;
  EXPECT_NEAR(determinant(half), 1, 1e-12);
  EXPECT_LT(norm(half * Vec3{0, 1, 0} - Vec3{0, -1, 0}), 1e-12);
  test::refusal(ErrorKind::usage, [&] { best_rigid_motion(line, one); });
}

HandleInBody handle_in(const TetrahedralMesh& mesh, const Vec3& place, double radius) {
  return {"handle 'tip'", place, radius, embed_points(mesh, std::vector<Vec3>{place}).points[0].tetrahedron, {}};
}

TEST(HandleRegions, HoldTheFleshAroundAndShareItByDistance) {
  const TetrahedralMesh mesh = test::block({6, 2, 2}, {6, 2, 2}).mesh;
  const std::vector<HandleInBody> two{handle_in(mesh, {1, 1, 1}, 1.6), handle_in(mesh, {3, 1, 1}, 1.6)};
  const std::vector<HandleRegion> regions = handle_regions(mesh, two);
  ASSERT_EQ(regions.size(), 2u);
  for (std::size_t h = 0; h < 2; ++h)
    for (const int v : regions[h].vertices) {
      const Tetrahedron& own = mesh.tetrahedra[at(two[h].tetrahedron)];
      if (std::find(own.begin(), own.end(), v) == own.end()) {
        EXPECT_LE(distance(mesh.positions[at(v)], two[h].place), 1.6);
      }
      EXPECT_LE(distance(mesh.positions[at(v)], two[h].place), distance(mesh.positions[at(v)], two[1 - h].place));
    }
  // 3 x 3 x 3 vertices around each but seven corners, since the eighth is a corner of the tetrahedron at the place; the
  // plane between them belongs to the first.
  EXPECT_EQ(regions[0].vertices.size(), 20u);
  EXPECT_EQ(regions[1].vertices.size(), 20u - 5u);
}

TEST(HandleRegions, DoNotReachAcrossAGap) {
  TetrahedralMesh mesh = test::block({2, 2, 2}, {2, 2, 2}).mesh;
  const auto own = static_cast<int>(mesh.positions.size());
  test::add_body(mesh, test::block({2, 2, 2}, {2, 2, 2}).mesh, {2.01, 0, 0});
  const std::vector<HandleRegion> regions = handle_regions(mesh, std::vector{handle_in(mesh, {1.9, 1, 1}, 1.2)});
  EXPECT_GT(regions[0].vertices.size(), 4u);
  for (const int v : regions[0].vertices) EXPECT_LT(v, own);
}

TEST(HandleRegions, AreRefusedOutsideAndWhereOthersHoldAll) {
  const TetrahedralMesh mesh = test::block({2, 2, 2}, {2, 2, 2}).mesh;
  const std::string outside = test::refusal(ErrorKind::usage, [&] {
    handle_regions(mesh, std::vector{handle_in(mesh, {5, 1, 1}, 0.5)});
  });
  EXPECT_EQ(outside,
            "handle 'tip' is 3 m outside of the body, more than its radius of 0.5 m; place it in the body, on its skin "
            "or near it.");
  const std::string nothing = test::refusal(ErrorKind::usage, [&] {
    handle_regions(mesh, std::vector{handle_in(mesh, {1, 1, 1}, 9), handle_in(mesh, {1.1, 1, 1}, 0.2)});
  });
  EXPECT_NE(nothing.find("handle 'tip' holds nothing"), std::string::npos) << nothing;
}

// A bar on two point handles that hold its ends.
struct HandledBar {
  TetrahedralMesh mesh = test::block({12, 3, 3}, {4, 1, 1}).mesh;
  Embedding embedding;
  TriangleMesh surface;
  RotationWeights weights;
  BonePins pins;
  MixedMovers movers;
  std::shared_ptr<const MixedBody> body;

  explicit HandledBar(MixedMaterial material) {
    const std::vector<HandleInBody> handles{handle_in(mesh, {0, 0.5, 0.5}, 0.8), handle_in(mesh, {4, 0.5, 0.5}, 0.8)};
    const std::vector<HandleRegion> regions = handle_regions(mesh, handles);
    for (const HandleInBody& handle : handles) movers.handles.push_back({false, handle.place, handle.tetrahedron});
    const std::vector<int> of_handles = movers.of_handles();
    for (std::size_t h = 0; h < 2; ++h)
      for (const int v : regions[h].vertices) {
        pins.vertex.push_back(v);
        pins.bone.push_back(of_handles[h]);
      }
    weights = hard_weights(std::vector<int>(mesh.tetrahedra.size(), 0));
    ElementFields fields;
    fields.material.poisson = 0.3;
    body = test::shared(mixed_body(mesh.positions, strain_samples(mesh, Element::linear, fields),
                                   stretch_energy(material), held_pins(pins)));
    surface.positions = {{2, 0, 0}};
    embedding = embed_points(mesh, surface.positions);
  }

  std::vector<Vec3> led(const Affine& first, const Affine& second) const {
    MixedPieces pieces{body, mesh, embedding, surface, weights, pins, movers};
    pieces.held_pins = pins.vertex.size();
    const std::unique_ptr<Deformer> deformer = mixed_deformer(std::move(pieces));
    Environment environment;
    environment.handles = {first, second};
    deformer->advance({0, {}}, environment);
    return {deformer->points().begin(), deformer->points().end()};
  }
};

// Kuhn's triangulation is its own image in the middle of the bar, and so is what two opposite pulls make of it.
TEST(MixedHandles, TwoPulledApartStretchTheBarAlikeOnBothSides) {
  for (const MixedMaterial material : test::all_mixed_materials) {
    const HandledBar bar(material);
    const std::vector<Vec3> rest = bar.led({}, {});
    EXPECT_EQ(rest, bar.mesh.positions);
    const Vec3 pull{0.3, 0.05, 0};
    const std::vector<Vec3> pulled = bar.led({Mat3::identity(), -pull}, {Mat3::identity(), pull});
    const std::size_t last = rest.size() - 1;
    double asymmetry = 0, longest = 0;
    for (std::size_t v = 0; v <= last; ++v) {
      asymmetry = test::worse(asymmetry, norm((pulled[v] - rest[v]) + (pulled[last - v] - rest[last - v])));
      longest = test::worse(longest, norm(pulled[v] - rest[v]));
    }
    EXPECT_LT(asymmetry, 1e-6 * longest) << static_cast<int>(material);
    // Both ends turned towards the pull, with the whole bar between them.
    EXPECT_GT(longest, 0.3);
  }
}

TEST(MixedHandles, MoveTheBarRigidlyTogether) {
  const HandledBar bar(MixedMaterial::corotated);
  const Affine motion = motion_of_test({0, 0.2, 1}, 0.8, {1, 2, 3});
  const std::vector<Vec3> moved = bar.led(motion, motion);
  // Two points say nothing of the turn about their line, for which the least one is taken.
  const Affine least = best_rigid_motion(std::vector<Vec3>{{0, 0.5, 0.5}, {4, 0.5, 0.5}},
                                         std::vector<Vec3>{motion * Vec3{0, 0.5, 0.5}, motion * Vec3{4, 0.5, 0.5}});
  EXPECT_LT(test::largest_difference(moved, test::mapped(bar.mesh.positions, least)), 1e-9 * 4);
}

TEST(MixedHandlesThreads, AnyNumberOfThreadsGivesTheSameBits) {
  const HandledBar bar(MixedMaterial::stable_neo_hookean);
  const Affine turned = motion_of_test({1, 0, 0}, 0.4, {0.1, 0, 0.2});
  set_thread_count(1);
  const std::vector<Vec3> one = bar.led({}, turned);
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(bar.led({}, turned), one);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew
