#include "sinew/shape/guide.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

SimulationSurface arm() {
  SimulationSurface surface;
  Bone bone;
  bone.name = "upper_arm_l";
  bone.segments = {{{1, 1, 0}, {1, 1.05, 0}}, {{1, 1, 0}, {1.4, 1, 0}}};
  surface.bones.push_back(bone);
  return surface;
}

void expect_near(const Vec3& a, const Vec3& b) { EXPECT_LT(distance(a, b), 1e-12) << a.x << ' ' << a.y << ' ' << a.z; }

TEST(Guide, ABoneGuideSlidesAlongTheLongestSegmentAndOrbitsFromTheFront) {
  const Guide guide{GuideKind::bone, "upper_arm_l", {}};
  const Affine front = guide_frame(guide, std::vector<double>{0.25, 0.1, 0, 0}, arm());
  expect_near(front.translation, {1.1, 1, 0.1});
  expect_near(front.linear.column(0), {1, 0, 0});
  expect_near(front.linear.column(1), {0, 0, 1});
  const Affine below = guide_frame(guide, std::vector<double>{0.25, 0.1, 90, 0}, arm());
  expect_near(below.translation, {1.1, 0.9, 0});
  const Affine spun = guide_frame(guide, std::vector<double>{0.25, 0.1, 0, 90}, arm());
  expect_near(spun.translation, front.translation);
  expect_near(spun.linear.column(1), {0, -1, 0});
  EXPECT_NEAR(determinant(spun.linear), 1, 1e-12);
}

TEST(Guide, AMovedBoneGuideIsWhereItWasMovedTo) {
  Guide guide{GuideKind::bone, "upper_arm_l", {}};
  std::vector<double> parameters{0.5, 0, 30, 10};
  for (const Vec3& to : {Vec3{1.1, 1.05, -0.07}, Vec3{1.3, 0.9, 0.02}, Vec3{0.9, 1, 0.1}}) {
    move_guide(guide, parameters, to, arm());
    expect_near(guide_frame(guide, parameters, arm()).translation, to);
    EXPECT_EQ(parameters[3], 10) << "its spin stays";
  }
  move_guide(guide, parameters, {5, 1, 0.1}, arm());
  EXPECT_EQ(parameters[0], 2) << "beyond the end only as far as its range goes";
  const double orbit = parameters[2];
  move_guide(guide, parameters, {1.2, 1, 0}, arm());
  EXPECT_EQ(parameters[2], orbit) << "on the bone it has no side";
}

TEST(Guide, AMovedSkinGuideStaysOnTheSkin) {
  SimulationSurface surface;
  surface.rest = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  Guide guide{GuideKind::skin, {}, {0.25, 0.25, 0.3}};
  std::vector<double> parameters{0.1, 20};
  move_guide(guide, parameters, {0.5, 0.2, 3}, surface);
  expect_near(guide.point, {0.5, 0.2, 0});
  EXPECT_EQ(parameters, (std::vector<double>{0.1, 20}));
  Guide free;
  std::vector<double> six{0, 0, 0, 1, 2, 3};
  move_guide(free, six, {4, 5, 6}, surface);
  EXPECT_EQ(six, (std::vector<double>{4, 5, 6, 1, 2, 3}));
}

TEST(Guide, ASkinGuideGoesDownAlongTheNormal) {
  SimulationSurface surface;
  surface.rest = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const Guide guide{GuideKind::skin, {}, {0.25, 0.25, 0.3}};
  const Affine frame = guide_frame(guide, std::vector<double>{0.1, 0}, surface);
  expect_near(frame.translation, {0.25, 0.25, -0.1});
  expect_near(frame.linear.column(1), {0, 0, 1});
  expect_near(frame.linear.column(0), {0, 1, 0});
  expect_near(guide_frame(guide, std::vector<double>{0.1, 90}, surface).linear.column(1), {0, 0, 1});
}

TEST(Guide, AFreeGuideIsSixNumbers) {
  const Affine frame = guide_frame({}, std::vector<double>{1, 2, 3, 90, 0, 90}, {});
  expect_near(frame.translation, {1, 2, 3});
  expect_near(frame.linear * Vec3{0, 1, 0}, {0, 0, 1});
  expect_near(frame.linear * Vec3{1, 0, 0}, {0, 1, 0});
}

TEST(Guide, ABoneThatDoesNotExistIsNamed) {
  try {
    guide_frame({GuideKind::bone, "tail", {}}, std::vector<double>{0, 0, 0, 0}, arm());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'tail'"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew
