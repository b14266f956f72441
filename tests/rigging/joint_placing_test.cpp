// Places of joints along lines of sight, and templates, against bodies whose middle is known.
#include "sinew/rigging/joint_placing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sinew/base/error.h"
#include "sinew/rigging/joint_templates.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

TriangleMesh moved_by(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& p : mesh.positions) p += by;
  return mesh;
}
TriangleMesh both(TriangleMesh a, const TriangleMesh& b) {
  const int offset = static_cast<int>(a.positions.size());
  a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
  for (const Triangle& t : b.triangles) a.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  return a;
}
TriangleMesh turned_inside_out(TriangleMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  return mesh;
}

TEST(JointPlacing, AJointStandsInTheMiddleOfTheFirstPartInside) {
  const TriangleMesh ball = sphere({}, 1), two = both(ball, moved_by(ball, {0, 0, -4}));
  const LineOfSight line{{0.3, 0.2, 10}, {0, 0, -2}};
  const std::vector<Inside> parts = inside_along(two, line);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_NEAR(line.at(parts[1].middle()).z, -4, 1e-6);
  EXPECT_LT(distance(*middle_along(two, line), {0.3, 0.2, 0}), 1e-6);
  EXPECT_LT(distance(*middle_along(turned_inside_out(two), line), {0.3, 0.2, 0}), 1e-6);
  EXPECT_FALSE(middle_along(two, {{2, 0, 10}, {0, 0, -1}}));
  EXPECT_FALSE(middle_along(two, {{0, 0, 10}, {0, 0, 1}})) << "behind";
  EXPECT_FALSE(middle_along(two, {{0, 0, 10}, {}}));
  EXPECT_FALSE(middle_along({}, line));
  // Through the vertices and edges of a box.
  for (const Vec3& from : {Vec3{0, 0, 10}, Vec3{0.5, 0.5, 10}, Vec3{0.25, -0.25, 10}})
    EXPECT_NEAR(middle_along(box({-1, -1, -1}, {1, 1, 1}), {from, {0, 0, -1}})->z, 0, 1e-12);
}

TEST(JointPlacing, ShellsThatOverlapAreOneBody) {
  const TriangleMesh ball = sphere({}, 1), coat = sphere({}, 1.2);
  EXPECT_NEAR(middle_along(both(ball, coat), {{0.1, 0, 10}, {0, 0, -1}})->z, 0, 1e-6);
  const TriangleMesh limb = moved_by(ball, {0, 0, 1});
  EXPECT_NEAR(middle_along(both(ball, limb), {{0.1, 0, 10}, {0, 0, -1}})->z, 0.5, 1e-3);
}

TEST(JointPlacing, ADraggedJointStaysInItsPlaneOrSnaps) {
  const TriangleMesh two = both(sphere({}, 1), moved_by(sphere({}, 1), {0, 0, -4}));
  const LineOfSight line{{0.5, 0, 10}, {0, 0, -1}};
  const auto at = [&](double z, bool snap) { return dragged_to(two, {0, 0, z}, line, {0, 0, 1}, snap)->z; };
  EXPECT_NEAR(at(0.7, false), 0.7, 1e-12);
  EXPECT_NEAR(at(0.7, true), 0, 1e-6);
  EXPECT_NEAR(at(-3.5, true), -4, 1e-6) << "the part that is nearest";
  EXPECT_NEAR(dragged_to(two, {0, 0, 0.7}, {{3, 0, 10}, {0, 0, -1}}, {0, 0, 1}, true)->z, 0.7, 1e-12)
      << "beside the body";
  EXPECT_FALSE(dragged_to(two, {}, line, {1, 0, 0}, true));
  EXPECT_FALSE(dragged_to(two, {0, 0, 20}, line, {0, 0, 1}, true)) << "behind the eye";
}

TEST(JointTemplates, EachIsASkeletonInTheBody) {
  for (const MirrorAxis axis : {MirrorAxis::x, MirrorAxis::z})
    for (const std::string name : joint_templates()) {
      const TriangleMesh body = moved_by(box({-0.4, 0, -0.6}, {0.4, 1, 0.6}), {0.1, 0.2, 0});
      const MirrorPlane plane{axis, axis == MirrorAxis::x ? 0.1 : 0, 0.02};
      const std::vector<PlacedJoint> joints = template_joints(name, body, plane);
      check_joints(joints, name);
      EXPECT_GE(joints.size(), 16u) << name;
      EXPECT_LE(joints.size(), 24u) << name;
      EXPECT_EQ(std::count_if(joints.begin(), joints.end(), [](const auto& joint) { return joint.parent.empty(); }), 1);
      for (const PlacedJoint& joint : joints) {
        EXPECT_TRUE(inside_along(body, {joint.position + Vec3{0, 0, 9}, {0, 0, -1}}).size() == 1) << name << joint.name;
        const auto partner = other_side(joint.name);
        if (!partner) continue;
        const auto other =
            std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.name == *partner; });
        ASSERT_NE(other, joints.end());
        EXPECT_LT(distance(mirror_image(joint.position, plane), other->position), 1e-12);
      }
    }
  EXPECT_THROW(template_joints("dragon", box({0, 0, 0}, {1, 1, 1}), {MirrorAxis::x, 0, 0}), Error);
  EXPECT_THROW(template_joints("fish", {}, {MirrorAxis::x, 0, 0}), Error);
}

}  // namespace
}  // namespace sinew
