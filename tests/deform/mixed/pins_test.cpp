// Pins: where they are, that every part of the body has enough of them, and that rest stays rest.
#include "sinew/deform/mixed/pins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "sinew/base/error.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/deform/mixed/rotation_field.h"
#include "tests/deform/bones.h"
#include "tests/deform/mixed/mixed_bodies.h"

namespace sinew {
namespace {

using test::at;

TetrahedralMesh bar() { return test::perturbed_unit_cells({12, 4, 4}, 0.2, 3).mesh; }

RotationClusters clusters_of(const TetrahedralMesh& mesh, const std::vector<Bone>& bones) {
  return rotation_clusters(mesh, bones, ClusterRule::segment);
}
BonePins pins_of(const TetrahedralMesh& mesh, const std::vector<Bone>& bones, int least = 3) {
  return bone_pins(mesh, bones, clusters_of(mesh, bones), {least});
}

// Twice the largest area of a triangle of the pinned vertices with `from` <= vertex < `to`.
double spanned(const TetrahedralMesh& mesh, const BonePins& pins, int from, int to) {
  std::vector<Vec3> points;
  for (const int v : pins.vertex)
    if (v >= from && v < to) points.push_back(mesh.positions[at(v)]);
  double most = 0;
  for (const Vec3& a : points)
    for (const Vec3& b : points)
      for (const Vec3& c : points) most = std::max(most, norm(cross(b - a, c - a)));
  return most;
}

TEST(BonePins, AreNearJointsAndMidpointsOfTheirOwnBone) {
  const TetrahedralMesh mesh = bar();
  const std::vector<Bone> bones = test::chain({{1, 2.3, 1.8}, {6, 1.8, 2.2}, {11, 2, 2}});
  const RotationClusters clusters = clusters_of(mesh, bones);
  const BonePins pins = bone_pins(mesh, bones, clusters, {1});
  EXPECT_EQ(pins.bone, (std::vector<int>{0, 0, 1, 1, 1}));
  const Vec3 handle[] = {{1, 2.3, 1.8}, {3.5, 2.05, 2}, {6, 1.8, 2.2}, {8.5, 1.9, 2.1}, {11, 2, 2}};
  for (std::size_t k = 0; k < pins.vertex.size(); ++k) {
    const int pinned = pins.vertex[k];
    EXPECT_LT(distance(mesh.positions[at(pinned)], handle[k]), 1.2);  // an edge or so
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
      for (const int v : mesh.tetrahedra[t])
        if (clusters.bone[t] == pins.bone[k]) {
          EXPECT_GE(distance(mesh.positions[at(v)], handle[k]), distance(mesh.positions[at(pinned)], handle[k]));
        }
  }
  EXPECT_TRUE(pins.boneless_parts.empty());
}

TEST(BonePins, SpanAPlaneInEveryPart) {
  // The bone is a line of vertices: its own pins do not hold the body from turning about it.
  TetrahedralMesh mesh = test::block({8, 2, 2}, {8, 2, 2}).mesh;
  const int own = static_cast<int>(mesh.positions.size());
  test::add_body(mesh, test::block({2, 2, 2}, {1, 1, 1}).mesh, {6.5, -1.5, 0.5});
  const std::vector<Bone> bones = test::chain({{0, 1, 1}, {4, 1, 1}, {8, 1, 1}});
  EXPECT_EQ(spanned(mesh, pins_of(mesh, bones, 2), 0, own), 0);
  const BonePins pins = pins_of(mesh, bones);
  EXPECT_GT(spanned(mesh, pins, 0, own), 1);
  EXPECT_GT(spanned(mesh, pins, own, static_cast<int>(mesh.positions.size())), 0.1);
  EXPECT_EQ(pins.vertex.size(), 5u + 1 + 3);
  EXPECT_EQ(std::set<int>(pins.vertex.begin(), pins.vertex.end()).size(), pins.vertex.size());
  for (std::size_t k = 6; k < pins.bone.size(); ++k) EXPECT_EQ(pins.bone[k], 1);

  ASSERT_EQ(pins.boneless_parts.size(), 1u);
  EXPECT_EQ(pins.boneless_parts[0].vertices, 27);
  EXPECT_EQ(pins.boneless_parts[0].bone, 1);
  EXPECT_LT(distance(pins.boneless_parts[0].centre, {7, -1, 1}), 1e-12);
}

// Without resistance to skew the system is definite only where pins span a plane in each part: otherwise its
// factorisation fails or its solution is far from the rigid motion that is asked for.
TEST(BonePins, MakeTheSystemDefinite) {
  TetrahedralMesh mesh = test::block({8, 2, 2}, {8, 2, 2}).mesh;
  test::add_body(mesh, test::block({2, 2, 2}, {1, 1, 1}).mesh, {6.5, -1.5, 0.5});
  const std::vector<Bone> bones = test::chain({{0, 1, 1}, {4, 1, 1}, {8, 1, 1}});
  const RotationClusters clusters = clusters_of(mesh, bones);
  const Affine motion{to_matrix(axis_angle(normalized(Vec3{1, 2, -1}), 2)), {3, -2, 5}};
  for (const double skew_share : {1.0, 0.0}) {
    const BonePins pins = bone_pins(mesh, bones, clusters, {skew_share > 0 ? 1 : 3});
    for (const bool tied : {false, true}) {
      const auto body = std::make_shared<const MixedBody>(mixed_body(
          mesh.positions, test::uneven_samples(mesh, Element::linear, 0.4), stretch_energy(MixedMaterial::corotated),
          tied ? tied_pins(pins, 10) : held_pins(pins), {skew_share}));
      const auto posed = [&](const std::vector<Affine>& pose) {
        std::vector<Mat3> rotations(mesh.tetrahedra.size());
        std::vector<Mat3> turns;
        for (const Affine& bone : pose) turns.push_back(bone.linear);
        blend_rotations(smooth_weights(mesh, bones, clusters.bone), turns, rotations);
        const std::vector<Vec3> places = pin_positions(pins, mesh.positions, pose);
        std::vector<Vec3> positions;
        MixedSolver(body).solve(
            {rotations, tied ? std::vector<Vec3>{} : places, tied ? places : std::vector<Vec3>{}, {}}, positions);
        return positions;
      };
      EXPECT_EQ(posed({{}, {}}), mesh.positions);
      EXPECT_LT(test::largest_difference(posed({motion, motion}), test::mapped(mesh.positions, motion)), 1e-9);
    }
  }
}

TEST(BonePins, OddSkeletonsHaveDefinedPins) {
  const TetrahedralMesh mesh = bar();
  const auto all = static_cast<int>(mesh.positions.size());
  for (const Vec3& end : {Vec3{11, 2, 2}, Vec3{1, 2, 2}, Vec3{1, 500, 2}}) {  // inside, a joint alone, outside
    const BonePins pins = pins_of(mesh, test::chain({{1, 2, 2}, end}));
    EXPECT_GE(pins.vertex.size(), 3u);
    EXPECT_GT(spanned(mesh, pins, 0, all), 0.1);
  }
  // Coincident joints; a bone far away has no elements and no pins.
  std::vector<Bone> bones = test::chain({{1, 2, 2}, {6, 2, 2}, {6, 2, 2}, {11, 2, 2}});
  bones.push_back(test::chain({{6, 99, 2}, {7, 99, 2}})[0]);
  for (const int bone : pins_of(mesh, bones).bone) EXPECT_TRUE(bone == 0 || bone == 2);
  // One tetrahedron.
  const TetrahedralMesh one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  EXPECT_GE(pins_of(one, test::chain({{0, 0, 0}, {0, 0, 1}})).vertex.size(), 3u);
  // A vertex of no element is not pinned.
  TetrahedralMesh loose = mesh;
  loose.positions.push_back({1, 2, 2});
  for (const int v : pins_of(loose, test::chain({{1, 2, 2}, {11, 2, 2}})).vertex) EXPECT_LT(v, all);
}

TEST(BonePins, RefuseWhatMakesNoSense) {
  const TetrahedralMesh mesh = test::block({1, 1, 1}, {1, 1, 1}).mesh;
  const std::vector<Bone> bones = test::chain({{0, 0, 0}, {1, 1, 1}});
  EXPECT_THROW(pins_of(mesh, bones, 0), Error);
  EXPECT_THROW(pins_of(mesh, bones, 4), Error);
  EXPECT_THROW(bone_pins(mesh, bones, {{0}, {0}}), Error);
  EXPECT_THROW(bone_pins(mesh, bones, {std::vector<int>(6, 1), std::vector<char>(6, 0)}), Error);
  const BonePins pins = pins_of(mesh, bones);
  EXPECT_THROW(tied_pins(pins, 0), Error);
  EXPECT_THROW(tied_pins(pins, HUGE_VAL), Error);
  EXPECT_THROW(pin_positions(pins, mesh.positions, {}), Error);
}

}  // namespace
}  // namespace sinew
