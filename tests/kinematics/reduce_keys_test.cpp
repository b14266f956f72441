// Keys that a clip can do without.
#include "sinew/kinematics/reduce_keys.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double bone_length = 0.5;

// A chain of joints, each half a metre above the one before.
Skeleton chain_of(int joints) {
  Skeleton skeleton;
  for (int j = 0; j < joints; ++j) {
    Joint joint;
    joint.parent = j - 1;
    joint.rest.translation = {0, j > 0 ? bone_length : 0, 0};
    skeleton.joints.push_back(joint);
    skeleton.parents_first.push_back(j);
  }
  return skeleton;
}

Channel turning(int joint, double seconds, double per_second, const std::function<double(double)>& angle) {
  Channel channel{joint, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
  for (int k = 0; k <= std::lround(seconds * per_second); ++k) {
    const double t = k / per_second, half = 0.5 * angle(t);
    channel.times.push_back(t);
    channel.values.insert(channel.values.end(), {0, 0, std::sin(half), std::cos(half)});
  }
  return channel;
}

Clip clip_of(std::vector<Channel> channels) {
  Clip clip;
  clip.channels = std::move(channels);
  clip.end = clip.channels.front().times.back();
  return clip;
}

// Looked at far more often than keys are.
double largest_distance(const Skeleton& skeleton, const Clip& a, const Clip& b) {
  double most = 0;
  for (double t = a.start; t <= a.end; t += 1e-3) {
    const Pose one = sample(skeleton, &a, t), other = sample(skeleton, &b, t);
    for (std::size_t j = 0; j < one.world.size(); ++j)
      most = std::max(most, distance(one.world[j].translation, other.world[j].translation));
  }
  return most;
}

TEST(ReduceKeys, FindsTheKeysThatAMotionWasMadeOf) {
  const auto corners = [](double t) { return t < 0.5 ? 1.6 * t : t < 0.75 ? 0.8 - 2 * (t - 0.5) : 0.3 + t - 0.75; };
  const Skeleton skeleton = chain_of(3);
  const Clip baked = clip_of({turning(1, 1, 120, corners)});
  const ReducedKeys found = reduce_keys(skeleton, baked, 1e-6);
  EXPECT_EQ(found.before, 121u);
  EXPECT_EQ(found.clip.channels[0].times, (std::vector<double>{0, 0.5, 0.75, 1}));
  EXPECT_LT(largest_distance(skeleton, baked, found.clip), 1e-6);
  for (std::size_t k = 0; k < 4; ++k)  // to the bit
    EXPECT_EQ(found.clip.channels[0].values[4 * k + 2],
              baked.channels[0].values[4 * static_cast<std::size_t>(120 * found.clip.channels[0].times[k]) + 2]);
}

// Between its keys a line is off a smooth curve by the square of its length: a hundredth of the bound takes ten times
// as many keys.
TEST(ReduceKeys, KeysGrowWithTheRootOfTheAccuracy) {
  const Skeleton skeleton = chain_of(2);
  const Clip baked = clip_of({turning(0, 2, 2000, [](double t) { return std::sin(9 * t); })});
  const auto keys = [&](double bound) {
    const ReducedKeys found = reduce_keys(skeleton, baked, bound);
    EXPECT_LE(found.farthest, bound);
    EXPECT_LE(largest_distance(skeleton, baked, found.clip), 1.01 * bound);
    return static_cast<double>(found.after);
  };
  const double few = keys(1e-3), many = keys(1e-5);
  EXPECT_GT(few, 10);
  EXPECT_NEAR(many / few, 10, 3);
}

// Every joint of a long chain turns, so that errors add up towards its end: the bound holds there too, and is used.
TEST(ReduceKeys, TheBoundHoldsAtTheEndOfAChain) {
  const Skeleton skeleton = chain_of(12);
  std::vector<Channel> channels;
  for (int j = 0; j < 12; ++j)
    channels.push_back(turning(j, 2, 60, [j](double t) { return 0.2 * std::sin(5 * t + j); }));
  Channel going{0, ChannelPath::translation, Interpolation::linear, {}, 3, {}};
  for (int k = 0; k <= 120; ++k) {
    going.times.push_back(k / 60.0);
    going.values.insert(going.values.end(), {k / 60.0, 0.05 * std::cos(8 * k / 60.0), 0});
  }
  channels.push_back(going);
  const Clip baked = clip_of(channels);
  const double bound = 0.02;
  const ReducedKeys found = reduce_keys(skeleton, baked, bound);
  EXPECT_LE(largest_distance(skeleton, baked, found.clip), 1.01 * bound);
  EXPECT_GT(found.farthest, 0.3 * bound);
  EXPECT_LT(3 * found.after, found.before);
}

TEST(ReduceKeys, WhatIsNotOnLinesStays) {
  const Skeleton skeleton = chain_of(3);
  std::vector<Channel> channels{turning(0, 1, 60, [](double) { return 0.0; }),
                                turning(1, 1, 60, [](double) { return 0.0; })};
  channels[1].interpolation = Interpolation::step;
  channels.push_back({2, ChannelPath::weights, Interpolation::linear, {0, 0.5, 1}, 1, {0, 0, 0}});
  // A jump: two keys at about the same time.
  Channel jumping{2, ChannelPath::translation, Interpolation::linear, {0, 0.4, 0.4 + 1e-7, 1}, 3, {}};
  jumping.values = {0, 0.5, 0, 0, 0.5, 0, 0.001, 0.5, 0, 0.001, 0.5, 0};
  channels.push_back(jumping);
  const ReducedKeys found = reduce_keys(skeleton, clip_of(channels), 0.01);
  EXPECT_EQ(found.clip.channels[0].times.size(), 2u);
  EXPECT_EQ(found.clip.channels[1].times.size(), 61u);
  EXPECT_EQ(found.clip.channels[2].times.size(), 3u);
  EXPECT_EQ(found.clip.channels[3].times.size(), 4u);
  EXPECT_EQ(found.joints, (std::vector<int>{0, 2}));
}

}  // namespace
}  // namespace sinew
