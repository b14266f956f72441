#include "studio/server/web/frame.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "tests/studio/read_frame.h"

namespace {

using namespace sinew;
using namespace sinew::studio;

std::vector<Vec3> scattered(std::size_t count, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> along(-size, size);
  std::vector<Vec3> points(count);
  for (Vec3& point : points) point = {along(random), 0.3 * along(random) + 5, along(random)};
  return points;
}

TEST(StudioFrame, PositionsComeBackWithinAStepOfTheBox) {
  const std::vector<Vec3> positions = scattered(1001, 0.9, 1);
  const std::vector<Affine> joints(3, Affine{Mat3::diagonal({2, 3, 4}), {7, 8, 9}});
  FrameContent content;
  content.number = 41;
  content.character = 2;
  content.elapsed = 1.25;
  content.clip_time = 0.5;
  content.positions = positions;
  content.joints = joints;
  std::vector<std::byte> bytes;
  write_frame(content, bytes);
  set_applied(bytes, 77);
  const test::ReadFrame frame = test::read_frame(bytes);
  EXPECT_EQ(frame.number, 41u);
  EXPECT_EQ(frame.applied, 77u);
  EXPECT_EQ(frame.character, 2u);
  EXPECT_EQ(frame.elapsed, 1.25);
  EXPECT_EQ(frame.clip_time, 0.5);
  ASSERT_EQ(frame.positions.size(), positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) EXPECT_LT(distance(frame.positions[v], positions[v]), 1.8 / 65535);
  ASSERT_EQ(frame.joints.size(), 3u);
  EXPECT_EQ(frame.joints[1].linear(2, 2), 4);
  EXPECT_EQ(frame.joints[2].translation, (Vec3{7, 8, 9}));
}

TEST(StudioFrame, AFlatOrEmptyCharacterIsAFrameToo) {
  FrameContent content;
  std::vector<std::byte> bytes;
  write_frame(content, bytes);
  EXPECT_TRUE(test::read_frame(bytes).positions.empty());
  const std::vector<Vec3> flat{{1, 2, 3}, {1, 2, 3}, {2, 2, 3}};
  content.positions = flat;
  write_frame(content, bytes);
  const test::ReadFrame frame = test::read_frame(bytes);
  for (std::size_t v = 0; v < flat.size(); ++v) EXPECT_LT(distance(frame.positions[v], flat[v]), 1e-4);
}

TEST(StudioFrame, BringsHeatGoalAndMeasures) {
  const std::vector<Vec3> positions = scattered(10, 1, 2);
  std::vector<Vec3> goal = positions;
  for (std::size_t v = 0; v < goal.size(); ++v) goal[v].y -= 0.01 * static_cast<double>(v);
  FrameContent content;
  content.positions = positions;
  content.goal = goal;
  content.with_goal = content.with_heat = true;
  content.heat_scale = 0.05;
  content.measures = FrameMeasures{1, 2, 3, 4, 5, 6};
  std::vector<std::byte> bytes;
  write_frame(content, bytes);
  const test::ReadFrame frame = test::read_frame(bytes);
  ASSERT_EQ(frame.heat.size(), 10u);
  EXPECT_FLOAT_EQ(frame.heat_scale, 0.05f);
  EXPECT_EQ(frame.heat[0], 0);
  EXPECT_NEAR(frame.heat[2], 0.02 / 0.05 * 255, 1);
  EXPECT_EQ(frame.heat[9], 255);
  for (std::size_t v = 0; v < goal.size(); ++v) EXPECT_LT(distance(frame.goal[v], goal[v]), 1e-4);
  EXPECT_EQ(frame.measures, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
