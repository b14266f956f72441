// Figures of each kind, told from their shapes: their bones have no names that mean anything.
#include "sinew/anatomy/body_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "tests/anatomy/figures.h"

namespace sinew {
namespace {

using namespace test;

BodyPlan kind(const Figure& figure) { return find_anatomy(figure.surface).body_plan.plan; }

// A capsule of links between two points, each link on its own bone, weights blended at joints. Returns the bones.
std::vector<int> limb(Figure& f, int parent, const Vec3& from, const Vec3& to, double radius, int links) {
  std::vector<int> bones;
  for (int k = 0; k < links; ++k)
    bones.push_back(f.bone(k == 0 ? parent : bones.back(), from + (static_cast<double>(k) / links) * (to - from)));
  const Vec3 axis = to - from;
  f.piece(capsule(from, to, radius, 16), [&, axis](const Vec3& x) {
    const double at = std::clamp(dot(x - from, axis) / squared_norm(axis), 0.0, 1.0) * links;
    const int link = std::min(static_cast<int>(at), links - 1);
    if (link == 0) return on(bones[0]);
    return between(bones[static_cast<std::size_t>(link - 1)], bones[static_cast<std::size_t>(link)],
                   (at - link) * 4 + 0.5);
  });
  return bones;
}

// A body along z at a height, with pairs of legs along it that reach the ground.
Figure walker(int pairs, double height = 1.0) {
  Figure f;
  const std::vector<int> spine = limb(f, -1, {0, height, 1}, {0, height, -1}, 0.3, 4);
  for (int pair = 0; pair < pairs; ++pair) {
    const double z = pairs == 1 ? 0 : 0.8 - 1.6 * pair / (pairs - 1);
    const auto on = static_cast<std::size_t>(std::clamp((1 - z) * 2, 0.0, 3.0));
    for (const double side : {-1.0, 1.0}) limb(f, spine[on], {0.3 * side, height, z}, {0.35 * side, 0.08, z}, 0.08, 2);
  }
  return f;
}

TEST(Kind, LegsThatReachTheGroundAreCounted) {
  EXPECT_EQ(kind(walker(1)), BodyPlan::biped);
  EXPECT_EQ(kind(walker(2)), BodyPlan::quadruped);
  EXPECT_EQ(kind(walker(3)), BodyPlan::insect);
  EXPECT_EQ(kind(walker(4)), BodyPlan::insect);
}

TEST(Kind, APersonOnTwoLegs) {
  Person p = person();
  for (const double side : {-1.0, 1.0}) limb(p.figure, p.hips, {0.15 * side, 0, 0}, {0.18 * side, -1.1, 0}, 0.09, 2);
  EXPECT_EQ(kind(p.figure), BodyPlan::biped);
}

TEST(Kind, SizeAndTurnAboutTheVerticalDoNotMatter) {
  for (const double scale : {0.01, 100.0}) {
    Figure f = walker(2);
    for (Vec3& x : f.surface.rest.positions) x = scale * Vec3{x.z, x.y, -x.x} + Vec3{0, 4, 0};
    for (Bone& bone : f.surface.bones) {
      const Vec3 x = inverse(bone.rest_to_joint).translation;
      bone.rest_to_joint = Affine{Mat3::identity(), -1.0 * (scale * Vec3{x.z, x.y, -x.x} + Vec3{0, 4, 0})};
    }
    EXPECT_EQ(kind(f), BodyPlan::quadruped) << scale;
  }
}

// Flippers of a pair are lowest, but as legs they would be too short.
TEST(Kind, AFishHasASpineAlongTheGroundAndNoLegs) {
  Figure f;
  limb(f, -1, {0, 0, 1}, {0, 0, -1}, 0.4, 5);
  EXPECT_EQ(kind(f), BodyPlan::fish);
  for (const double side : {-1.0, 1.0}) limb(f, 1, {0.3 * side, -0.3, 0.4}, {0.7 * side, -0.5, 0.3}, 0.05, 2);
  EXPECT_EQ(kind(f), BodyPlan::fish);
}

TEST(Kind, ASnakeIsLongAndHasNoLimbs) {
  for (const Vec3& along : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
    Figure f;
    limb(f, -1, 2.0 * along, -2.0 * along, 0.15, 8);
    EXPECT_EQ(kind(f), BodyPlan::snake);
  }
}

TEST(Kind, ABlobIsAsWideAsLong) {
  Figure f;
  const int root = f.bone(-1, {0, 0, 0}), top = f.bone(root, {0, 0.5, 0});
  f.piece(sphere({0, 0.5, 0}, 0.5), [=](const Vec3& x) { return between(root, top, (x.y - 0.1) / 0.6); });
  EXPECT_EQ(kind(f), BodyPlan::blob);
}

TEST(Kind, ARobotIsMadeOfPlatesHoweverItStands) {
  Figure f;
  int last = -1;
  for (int k = 0; k < 5; ++k) {
    last = f.bone(last, {0, 0.5 * k, 0});
    f.piece(box({-0.2, 0.5 * k, -0.2}, {0.2, 0.5 * k + 0.4, 0.2}), last);
  }
  const BodyPlanFound found = find_anatomy(f.surface).body_plan;
  EXPECT_EQ(found.plan, BodyPlan::robot);
  EXPECT_NE(found.because.find("5 bones"), std::string::npos) << found.because;
}

TEST(Kind, WithoutWeightsNothingTells) {
  Figure f;
  f.bone(-1, {});
  f.piece(sphere({}, 1, 12), [](const Vec3&) { return Influences{}; });
  f.surface.weighted = false;
  EXPECT_EQ(kind(f), BodyPlan::other);
}

}  // namespace
}  // namespace sinew
