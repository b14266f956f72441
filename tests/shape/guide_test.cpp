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
