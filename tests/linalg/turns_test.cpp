#include "sinew/linalg/turns.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace sinew {
namespace {

class Turns : public ::testing::Test {
 protected:
  Vec3 vector() { return {normal_(generator_), normal_(generator_), normal_(generator_)}; }
  Quat quaternion() {
    return normalized(Quat{normal_(generator_), normal_(generator_), normal_(generator_), normal_(generator_)});
  }

 private:
  std::mt19937 generator_{7};
  std::normal_distribution<double> normal_;
};

// Distance of two rotations, which a quaternion and its negative share.
double apart(const Quat& a, const Quat& b) { return std::sqrt(std::max(2 - 2 * std::abs(dot(a, b)), 0.0)); }

TEST_F(Turns, TheShortestTakesOneDirectionToTheOtherAboutTheirNormal) {
  for (int i = 0; i < 100; ++i) {
    const Vec3 from = vector(), to = vector();
    const Quat turn = shortest_turn(from, to);
    EXPECT_LT(distance(normalized(rotate(turn, from)), normalized(to)), 1e-14);
    EXPECT_NEAR(dot(Vec3{turn.x, turn.y, turn.z}, from), 0, 1e-14 * norm(from));
  }
}

TEST_F(Turns, OppositeDirectionsAreHalfACircleApart) {
  for (int i = 0; i < 20; ++i) {
    const Vec3 from = vector();
    EXPECT_LT(distance(rotate(shortest_turn(from, -2 * from), from), -from), 1e-12 * norm(from));
    // Nearly opposite: the half angle is known to about the square root of rounding.
    const Vec3 near = -from + 1e-7 * vector();
    EXPECT_LT(distance(normalized(rotate(shortest_turn(from, near), from)), normalized(near)), 1e-7);
  }
  EXPECT_EQ(shortest_turn({}, {1, 0, 0}), Quat{});
}

TEST_F(Turns, RotationVectorsComeBack) {
  for (const double angle : {0.0, 1e-9, 1e-5, 1e-3, 1.0, 3.14}) {
    const Vec3 turn = normalized(vector()) * angle;
    EXPECT_LT(distance(rotation_logarithm(rotation_exponential(turn)), turn), 1e-13);
    EXPECT_NEAR(turned_angle(rotation_exponential(turn)), angle, 1e-13);
  }
  // A turn by more than half a circle comes back as the shorter one.
  const Vec3 axis = normalized(vector());
  EXPECT_LT(distance(rotation_logarithm(rotation_exponential(axis * 4)), axis * (4 - 2 * std::numbers::pi)), 1e-13);
}

TEST_F(Turns, SwingAndTwistMakeTheRotation) {
  for (int i = 0; i < 100; ++i) {
    const Quat q = quaternion();
    const Vec3 axis = normalized(vector());
    const SwingTwist parts = swing_and_twist(q, axis);
    EXPECT_LT(apart(parts.swing * parts.twist, q), 1e-7);  // square root of rounding
    EXPECT_NEAR(dot(Vec3{parts.swing.x, parts.swing.y, parts.swing.z}, axis), 0, 1e-14);
    EXPECT_LT(distance(rotate(parts.twist, axis), axis), 1e-14);
    EXPECT_LT(apart(axis_angle(axis, twist_angle(q, axis)), parts.twist), 1e-7);
    EXPECT_LE(std::abs(twist_angle(q, axis)), std::numbers::pi);
  }
}

TEST_F(Turns, AWholeTwistOfAnySignIsItsAngle) {
  const Vec3 axis = normalized(vector());
  for (const double angle : {-3.0, -1.0, 0.0, 0.5, 3.1}) {
    const Quat q = axis_angle(axis, angle);
    EXPECT_NEAR(twist_angle(q, axis), angle, 1e-14);
    EXPECT_NEAR(twist_angle({-q.x, -q.y, -q.z, -q.w}, axis), angle, 1e-14);
  }
}

}  // namespace
}  // namespace sinew
