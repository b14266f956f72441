// Sampling against values worked out by hand from glTF 2.0, appendix C.
#include "sinew/character/clip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/rounding.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

Skeleton one_joint() {
  Skeleton skeleton;
  skeleton.joints.resize(1);
  skeleton.parents_first = {0};
  return skeleton;
}

Clip one_channel(ChannelPath path, Interpolation interpolation, std::vector<double> times, int components,
                 std::vector<double> values) {
  Clip clip;
  clip.channels.push_back({0, path, interpolation, std::move(times), components, std::move(values)});
  return clip;
}

double x_at(const Clip& clip, double seconds) { return sample(one_joint(), &clip, seconds).world[0].translation.x; }

TEST(Clip, StepHoldsAndLinearInterpolates) {
  const std::vector<double> times = {1, 2, 4}, values = {0, 0, 0, 10, 0, 0, -10, 0, 0};
  const Clip step = one_channel(ChannelPath::translation, Interpolation::step, times, 3, values);
  const Clip linear = one_channel(ChannelPath::translation, Interpolation::linear, times, 3, values);
  for (const Clip& clip : {step, linear}) {
    EXPECT_EQ(x_at(clip, -5), 0);
    EXPECT_EQ(x_at(clip, 1), 0);
    EXPECT_EQ(x_at(clip, 2), 10);
    EXPECT_EQ(x_at(clip, 4), -10);
    EXPECT_EQ(x_at(clip, 100), -10);
  }
  EXPECT_EQ(x_at(step, 1.99), 0);
  EXPECT_EQ(x_at(step, 3.99), 10);
  EXPECT_DOUBLE_EQ(x_at(linear, 1.25), 2.5);
  EXPECT_DOUBLE_EQ(x_at(linear, 3), 0);
}

// A cubic with the right tangents is reproduced: x(t) = t^3 - 2 t on keys at 0, 1 and 3 s.
TEST(Clip, CubicSplineReproducesACubic) {
  const auto x = [](double t) { return t * t * t - 2 * t; };
  const auto slope = [](double t) { return 3 * t * t - 2; };
  std::vector<double> values;
  const std::vector<double> times = {0, 1, 3};
  for (const double t : times) values.insert(values.end(), {slope(t), 0, 0, x(t), 0, 0, slope(t), 0, 0});
  const Clip clip = one_channel(ChannelPath::translation, Interpolation::cubic_spline, times, 3, values);
  for (double t = 0; t <= 3; t += 0.125) EXPECT_NEAR(x_at(clip, t), x(t), 1e-13) << t;
  EXPECT_EQ(x_at(clip, -1), x(0));
  EXPECT_EQ(x_at(clip, 9), x(3));
}

double angle_about_z(const Clip& clip, double seconds) {
  const Vec3 x = sample(one_joint(), &clip, seconds).world[0].linear.column(0);
  EXPECT_NEAR(norm(x), 1, 1e-12);
  return std::atan2(x.y, x.x);
}

std::vector<double> about_z(double angle) { return {0, 0, std::sin(angle / 2), std::cos(angle / 2)}; }

TEST(Clip, RotationsTurnEvenlyAlongTheShorterArc) {
  std::vector<double> values = about_z(0);
  // 2 radians, but written with the opposite sign: the arc must not go the long way round.
  for (const double v : about_z(2)) values.push_back(-v);
  const Clip clip = one_channel(ChannelPath::rotation, Interpolation::linear, {0, 4}, 4, values);
  for (const double t : {0.0, 0.5, 1.0, 2.0, 3.9, 4.0}) EXPECT_NEAR(angle_about_z(clip, t), t / 2, 1e-12);
}

TEST(Clip, WhatIsHeldBetweenTwoKeysKeepsItsBits) {
  std::vector<double> values = about_z(0.7);
  for (const double v : about_z(0.7)) values.push_back(v);
  const Clip clip = one_channel(ChannelPath::rotation, Interpolation::linear, {0, 3}, 4, values);
  const Pose held = sample(one_joint(), &clip, 0);
  for (const double t : {0.1, 1.0 / 3, 2.9}) EXPECT_EQ(sample(one_joint(), &clip, t).world, held.world);
}

TEST(Clip, CubicRotationsAreNormalised) {
  std::vector<double> values;
  for (const double angle : {0.0, pi / 2}) {
    values.insert(values.end(), {0, 0, 0, 0});
    for (const double v : about_z(angle)) values.push_back(v);
    values.insert(values.end(), {0, 0, 0, 0});
  }
  const Clip clip = one_channel(ChannelPath::rotation, Interpolation::cubic_spline, {0, 1}, 4, values);
  // Without tangents the spline's midpoint is the mean of the two quaternions, half-way by symmetry.
  EXPECT_NEAR(angle_about_z(clip, 0.5), pi / 4, 1e-12);
  EXPECT_NEAR(angle_about_z(clip, 1), pi / 2, 1e-12);
}

TEST(Clip, MorphWeightsAndTheirDefaults) {
  Skeleton skeleton = one_joint();
  skeleton.joints[0].rest_weights = {0.25, 0.75};
  const Clip linear = one_channel(ChannelPath::weights, Interpolation::linear, {0, 1}, 2, {0, 1, 1, 3});
  EXPECT_EQ(sample(skeleton, nullptr, 0).morph_weights[0], (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(sample(skeleton, &linear, 0.5).morph_weights[0], (std::vector<double>{0.5, 2}));
  const Clip cubic = one_channel(ChannelPath::weights, Interpolation::cubic_spline, {0, 2}, 2,
                                 {9, 9, 0, 1, 1, -1, 1, -1, 2, -1, 9, 9});
  const std::vector<double> middle = sample(skeleton, &cubic, 1).morph_weights[0];
  EXPECT_NEAR(middle[0], 1, 1e-15);  // x = t from 0 to 2
  EXPECT_NEAR(middle[1], 0, 1e-15);  // x = 1 - t
}

TEST(Clip, OneKeyHoldsForEver) {
  for (const Interpolation interpolation : {Interpolation::step, Interpolation::linear}) {
    const Clip clip = one_channel(ChannelPath::translation, interpolation, {2}, 3, {7, 8, 9});
    for (const double t : {0.0, 2.0, 5.0}) EXPECT_EQ(x_at(clip, t), 7);
  }
  const Clip cubic =
      one_channel(ChannelPath::translation, Interpolation::cubic_spline, {2}, 3, {1, 1, 1, 7, 8, 9, 1, 1, 1});
  for (const double t : {0.0, 2.0, 5.0}) EXPECT_EQ(x_at(cubic, t), 7);
}

TEST(Clip, ManyKeysAreFoundByTime) {
  std::vector<double> times, values;
  for (int k = 0; k < 1000; ++k) {
    times.push_back(0.01 * k * k);
    values.insert(values.end(), {static_cast<double>(k), 0, 0});
  }
  const Clip clip = one_channel(ChannelPath::translation, Interpolation::step, times, 3, values);
  for (int k = 0; k < 999; ++k) {
    EXPECT_EQ(x_at(clip, times[static_cast<std::size_t>(k)]), k);
    EXPECT_EQ(x_at(clip, 0.5 * (times[static_cast<std::size_t>(k)] + times[static_cast<std::size_t>(k) + 1])), k);
  }
}

TEST(Clip, WorldFollowsTheHierarchy) {
  Skeleton skeleton;
  skeleton.joints.resize(3);
  skeleton.joints[2].rest.scale = {2, 2, 2};  // root
  skeleton.joints[0].parent = 2;              // turned by the clip
  skeleton.joints[1].parent = 0;
  skeleton.joints[1].rest.translation = {1, 0, 0};
  skeleton.parents_first = {2, 0, 1};
  const Clip clip = one_channel(ChannelPath::rotation, Interpolation::linear, {0}, 4, about_z(pi / 2));
  // Three joints of three products and sums each, after a quaternion that became a matrix.
  const double rounding = test::rounding_of(2, 3 * 6 + 4);
  EXPECT_NEAR(distance(sample(skeleton, &clip, 0).world[1].translation, {0, 2, 0}), 0, rounding);
  EXPECT_NEAR(distance(sample(skeleton, nullptr, 0).world[1].translation, {2, 0, 0}), 0, rounding);
}

TEST(Clip, AMatrixHoldsUntilTheJointIsAnimated) {
  Skeleton skeleton = one_joint();
  skeleton.joints[0].rest_matrix = Affine{Mat3{{1, 0.5, 0, 0, 1, 0, 0, 0, 1}}, {3, 0, 0}};
  skeleton.joints[0].rest.translation = {3, 0, 0};
  EXPECT_EQ(sample(skeleton, nullptr, 0).world[0], *skeleton.joints[0].rest_matrix);
  const Clip clip = one_channel(ChannelPath::rotation, Interpolation::linear, {0}, 4, about_z(pi / 2));
  EXPECT_NEAR(distance(sample(skeleton, &clip, 0).world[0] * Vec3{1, 0, 0}, {3, 1, 0}), 0, 1e-15);
}

}  // namespace
}  // namespace sinew
