#include "sinew/kinematics/stride_beats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/base/index.h"
#include "tests/kinematics/human.h"

namespace sinew {
namespace {

constexpr double turn = 2 * std::numbers::pi;

// A walk in place of `strides` strides in two seconds; the left thigh is farthest forward at the phase `late`.
Clip walk_in_place(const test::Human& human, int strides, double late, double swing = 0.5) {
  const BodyBones bones = human.body().bones;
  Clip clip{"walk", {}, 0, 2};
  for (const int side : {0, 1}) {
    Channel channel{bones.legs[index(side)].upper, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
    const Quat rest = human.skeleton.joints[index(channel.joint)].rest.rotation;
    for (int k = 0; k <= 240; ++k) {
      const double time = 2.0 * k / 240, phase = turn * (strides * time / 2 - late) + (side ? turn / 2 : 0);
      // Forward is a negative turn about the body's left.
      const Quat q = axis_angle({1, 0, 0}, -swing * std::cos(phase)) * rest;
      channel.times.push_back(time);
      channel.values.insert(channel.values.end(), {q.x, q.y, q.z, q.w});
    }
    clip.channels.push_back(channel);
  }
  return clip;
}

std::vector<double> beats_of(const test::Human& human, const Clip& clip) {
  const RiggedBody body = human.body();
  return stride_beats(human.skeleton, body.bones, anatomical_frames(body.bones, body.reference, body.up), clip);
}

TEST(StrideBeats, FeetTakeTurnsAndTheLeftBegins) {
  const test::Human human = test::make_human();
  const std::vector<double> one = beats_of(human, walk_in_place(human, 1, 0.3));
  ASSERT_EQ(one.size(), 2u);
  EXPECT_NEAR(one[0], 0.6, 0.02);
  EXPECT_NEAR(one[1], 1.6, 0.02);
  const std::vector<double> two = beats_of(human, walk_in_place(human, 2, 0.8));
  ASSERT_EQ(two.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(two[k] - two[0], 0.5 * static_cast<double>(k), 0.02);
  EXPECT_NEAR(std::remainder(two[0] - 0.8, 1), 0, 0.02);
}

TEST(StrideBeats, FeetThatHardlyMoveOrMoveTogetherTakeNone) {
  const test::Human human = test::make_human();
  EXPECT_TRUE(beats_of(human, walk_in_place(human, 1, 0, 0.05)).empty());
  Clip hop = walk_in_place(human, 1, 0);
  hop.channels.pop_back();
  Channel other = hop.channels[0];
  other.joint = human.body().bones.legs[1].upper;
  hop.channels.push_back(other);
  EXPECT_TRUE(beats_of(human, hop).empty());
}

}  // namespace
}  // namespace sinew
