// Clusters against the rules written out, and what the bones of odd skeletons get.
#include "sinew/deform/mixed/rotation_clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/base/error.h"
#include "tests/deform/bones.h"

namespace sinew {
namespace {

using test::at;

constexpr ClusterRule all_rules[] = {ClusterRule::segment, ClusterRule::midpoint, ClusterRule::hierarchy};

TetrahedralMesh irregular_bar() { return test::perturbed_unit_cells({8, 4, 4}, 0.2, 3).mesh; }

// In a convex body every straight way is inside it: the nearest bone by definition.
TEST(RotationClusters, AreTheNearestBonesInAConvexBody) {
  const TetrahedralMesh mesh = irregular_bar();
  const std::vector<Bone> bones = test::chain({{0.5, 2, 2}, {3.2, 2.3, 1.8}, {5.1, 1.7, 2.2}, {7.5, 2, 2}});
  const auto by_midpoint = rotation_clusters(mesh, bones, ClusterRule::midpoint);
  const auto by_segment = rotation_clusters(mesh, bones, ClusterRule::segment);
  int shared_joint = 0;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const Vec3 c = test::barycentre(mesh, t);
    std::vector<double> to_midpoint, to_segment;
    for (const Bone& bone : bones) {
      const BoneSegment& s = bone.segments[0];
      to_midpoint.push_back(distance(c, (s.head + s.tail) * 0.5));
      const Vec3 axis = s.tail - s.head;
      const double along = std::clamp(dot(c - s.head, axis) / squared_norm(axis), 0.0, 1.0);
      to_segment.push_back(distance(c, s.head + axis * along));
    }
    EXPECT_EQ(by_midpoint.bone[t], std::min_element(to_midpoint.begin(), to_midpoint.end()) - to_midpoint.begin());
    const double least = *std::min_element(to_segment.begin(), to_segment.end());
    EXPECT_LT(to_segment[at(by_segment.bone[t])], least + 1e-12);
    shared_joint +=
        std::count_if(to_segment.begin(), to_segment.end(), [&](double d) { return d < least + 1e-12; }) > 1;
    EXPECT_EQ(by_segment.boneless[t], 0);
  }
  EXPECT_GT(shared_joint, 10);  // where only the angle can decide
}

// Two bones at a right angle: the border is the plane that halves it, on the outer side of the joint too.
TEST(RotationClusters, MeetInThePlaneThatHalvesTheAngle) {
  const TetrahedralMesh mesh = test::perturbed_unit_cells({8, 8, 2}, 0.2, 5).mesh;
  const Vec3 joint{4.03, 4.01, 1};
  const std::vector<Bone> bones = test::chain({{0, 4.01, 1}, joint, {4.03, 8.02, 1}});
  for (const ClusterRule rule : {ClusterRule::segment, ClusterRule::hierarchy}) {
    const RotationClusters clusters = rotation_clusters(mesh, bones, rule);
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
      const Vec3 c = test::barycentre(mesh, t) - joint;
      if (rule == ClusterRule::hierarchy && norm(c) > 1.9) continue;  // another joint is nearer
      EXPECT_EQ(clusters.bone[t], -c.x > c.y ? 0 : 1) << c.x << ' ' << c.y;
    }
  }
}

TEST(RotationClusters, HierarchyGoesByTheNearestJoint) {
  const TetrahedralMesh mesh = irregular_bar();
  // A long bone whose middle is nearer to the short bone's joints than to its own.
  std::vector<Bone> bones = test::chain({{0, 2, 2}, {8, 2, 2}});
  bones.push_back(test::chain({{4, 3.6, 2}, {4.5, 3.6, 2}})[0]);
  const RotationClusters by_joint = rotation_clusters(mesh, bones, ClusterRule::hierarchy);
  const RotationClusters by_segment = rotation_clusters(mesh, bones, ClusterRule::segment);
  int differ = 0;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const Vec3 c = test::barycentre(mesh, t);
    double own[2];
    for (std::size_t b = 0; b < 2; ++b)
      own[b] = std::min(distance(c, bones[b].segments[0].head), distance(c, bones[b].segments[0].tail));
    EXPECT_EQ(by_joint.bone[t], own[0] < own[1] ? 0 : 1);
    differ += by_joint.bone[t] != by_segment.bone[t];
  }
  EXPECT_GT(differ, 50);
}

// A thin limb lies along a thick one: the thick one's flesh beside it is nearer to the thin one's bone.
TEST(RotationClusters, DoNotReachThroughTheAir) {
  const TetrahedralMesh mesh = test::fork();
  std::vector<Bone> bones = test::chain({{1, 0.6, 1}, {5, 0.6, 1}});
  bones.push_back(test::chain({{1, 2.6, 1}, {5, 2.6, 1}})[0]);
  bones.push_back(test::chain({{0.1, 1.5, 1}, {0.9, 1.5, 1}})[0]);
  for (const ClusterRule rule : {ClusterRule::segment, ClusterRule::midpoint}) {
    const RotationClusters clusters = rotation_clusters(mesh, bones, rule);
    int nearer_through_the_air = 0;
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
      const Vec3 c = test::barycentre(mesh, t);
      if (c.x < 2.8) continue;
      EXPECT_EQ(clusters.bone[t], c.y < 2 ? 0 : 1);
      nearer_through_the_air += c.y < 2 && distance_to_bone(bones[1], c) < distance_to_bone(bones[0], c);
    }
    EXPECT_GT(nearer_through_the_air, 100);
  }
}

TEST(RotationClusters, DoNotDependOnTheOrderOfElements) {
  TetrahedralMesh mesh = test::fork();  // a regular grid, full of ties
  test::add_body(mesh, test::block({3, 3, 3}, {1, 1, 1}).mesh, {2, 3.5, 0.5});
  std::vector<Bone> bones = test::chain({{0.5, 1, 1}, {1, 1, 1}, {2.5, 1, 1}, {5, 1, 1}});
  bones.push_back(test::chain({{1, 2.6, 1}, {5, 2.6, 1}})[0]);
  std::vector<std::size_t> order(mesh.tetrahedra.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  test::Noise noise(7);
  for (std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[static_cast<std::size_t>((noise() + 1) / 2 * static_cast<double>(k))]);
  TetrahedralMesh shuffled{mesh.positions, {}};
  for (const std::size_t t : order) shuffled.tetrahedra.push_back(mesh.tetrahedra[t]);
  for (const ClusterRule rule : all_rules) {
    const RotationClusters a = rotation_clusters(mesh, bones, rule), b = rotation_clusters(shuffled, bones, rule);
    for (std::size_t k = 0; k < order.size(); ++k) {
      ASSERT_EQ(b.bone[k], a.bone[order[k]]);
      ASSERT_EQ(b.boneless[k], a.boneless[order[k]]);
    }
  }
}

TEST(RotationClusters, PiecesWithoutABoneFollowTheNearestPiece) {
  TetrahedralMesh mesh = irregular_bar();
  const std::size_t own = mesh.tetrahedra.size();
  test::add_body(mesh, test::block({2, 2, 2}, {1, 1, 1}).mesh, {0.5, 4.5, 1.5});
  test::add_body(mesh, test::block({2, 2, 2}, {1, 1, 1}).mesh, {6.5, -1.5, 1.5});
  const std::vector<Bone> bones = test::chain({{0, 2, 2}, {4, 2, 2}, {8, 2, 2}});
  for (const ClusterRule rule : all_rules) {
    const RotationClusters clusters = rotation_clusters(mesh, bones, rule);
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
      EXPECT_EQ(clusters.boneless[t], t >= own);
      if (t >= own) {
        EXPECT_EQ(clusters.bone[t], test::barycentre(mesh, t).x < 4 ? 0 : 1);
      }
    }
  }
}

TEST(RotationClusters, OddSkeletonsHaveDefinedClusters) {
  const TetrahedralMesh mesh = irregular_bar();
  for (const ClusterRule rule : all_rules) {
    // One bone, inside or far outside.
    for (const double y : {2.0, 50.0})
      for (const int bone : rotation_clusters(mesh, test::chain({{0, y, 2}, {8, y, 2}}), rule).bone) EXPECT_EQ(bone, 0);
    // One joint.
    for (const int bone : rotation_clusters(mesh, test::chain({{1, 1, 1}, {1, 1, 1}}), rule).bone) EXPECT_EQ(bone, 0);
    // A bone outside and one inside: it gets what is nearer to it.
    std::vector<Bone> bones = test::chain({{1, 2, 2}, {7, 2, 2}});
    bones.push_back(test::chain({{4, 60, 2}, {5, 60, 2}})[0]);
    for (const int bone : rotation_clusters(mesh, bones, rule).bone) EXPECT_EQ(bone, 0);
  }
  // Coincident joints: the bone of no length has nothing at the joint that it shares.
  const std::vector<Bone> bones = test::chain({{0, 2, 2}, {4, 2, 2}, {4, 2, 2}, {8, 2, 2}});
  for (const ClusterRule rule : {ClusterRule::segment, ClusterRule::hierarchy}) {
    const RotationClusters clusters = rotation_clusters(mesh, bones, rule);
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
      EXPECT_EQ(clusters.bone[t], test::barycentre(mesh, t).x < 4 ? 0 : 2);
  }
}

TEST(RotationClusters, GivenBonesStay) {
  const TetrahedralMesh mesh = irregular_bar();
  const std::vector<Bone> bones = test::chain({{0, 2, 2}, {4, 2, 2}, {8, 2, 2}});
  const std::vector<int> by_rule = rotation_clusters(mesh, bones, ClusterRule::segment).bone;
  std::vector<int> given(mesh.tetrahedra.size(), -1);
  for (std::size_t t = 0; t < given.size(); t += 3) given[t] = 1 - by_rule[t];
  const std::vector<int> mixed = rotation_clusters(mesh, bones, ClusterRule::segment, given).bone;
  for (std::size_t t = 0; t < given.size(); ++t) EXPECT_EQ(mixed[t], given[t] >= 0 ? given[t] : by_rule[t]);
}

TEST(RotationClusters, RefuseWhatMakesNoSense) {
  const TetrahedralMesh mesh = test::block({1, 1, 1}, {1, 1, 1}).mesh;
  const std::vector<Bone> bones = test::chain({{0, 0, 0}, {1, 1, 1}});
  const auto clusters = [&](const TetrahedralMesh& m, const std::vector<Bone>& b, const std::vector<int>& given = {}) {
    return rotation_clusters(m, b, ClusterRule::segment, given);
  };
  EXPECT_THROW(clusters(mesh, {}), Error);
  EXPECT_THROW(clusters({}, bones), Error);
  EXPECT_THROW(clusters(mesh, {Bone{}}), Error);
  EXPECT_THROW(clusters(mesh, test::chain({{0, 0, 0}, {std::nan(""), 0, 0}})), Error);
  EXPECT_THROW(clusters(mesh, bones, {0}), Error);
  EXPECT_THROW(clusters(mesh, bones, std::vector<int>(6, 1)), Error);
  EXPECT_THROW(clusters(mesh, bones, std::vector<int>(6, -2)), Error);
}

}  // namespace
}  // namespace sinew
