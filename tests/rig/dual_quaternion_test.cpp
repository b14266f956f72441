// Dual quaternion skinning: what holds exactly, and the twist that it is known for.
#include "sinew/rig/dual_quaternion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/rig/linear_blend.h"
#include "sinew/rig/packed_influences.h"
#include "tests/character/influences.h"
#include "tests/elastic/blocks.h"

namespace sinew {
namespace {

using test::Noise;

Affine motion(Noise& noise, double most_angle) {
  const Vec3 axis = normalized(noise.vector());
  return {to_matrix(axis_angle(axis, most_angle * noise())), 3 * noise.vector()};
}

double difference(const Affine& a, const Affine& b) {
  return frobenius_norm(a.linear - b.linear) + distance(a.translation, b.translation);
}

std::vector<Vec3> points(std::size_t count) {
  Noise noise(5);
  std::vector<Vec3> result(count);
  for (Vec3& p : result) p = noise.vector();
  return result;
}

TEST(DualQuaternion, IsARigidMotionAndBack) {
  Noise noise(1);
  for (int k = 0; k < 200; ++k) {
    const Affine m = motion(noise, 2 * std::numbers::pi);
    const DualQuaternion q = to_dual_quaternion(m);
    EXPECT_NEAR(dot(q.real, q.real), 1, 1e-14);
    EXPECT_NEAR(dot(q.real, q.dual), 0, 1e-14);
    EXPECT_LT(difference(to_rigid_motion(q), m), 1e-13);
    // Not normalised, and with the other sign.
    const auto scaled = [](const Quat& a, double s) { return Quat{s * a.x, s * a.y, s * a.z, s * a.w}; };
    EXPECT_LT(difference(to_rigid_motion({scaled(q.real, -3), scaled(q.dual, -3)}), m), 1e-13);
  }
}

TEST(DualQuaternion, OneInfluenceIsLinearBlending) {
  Noise noise(2);
  std::vector<Affine> bones;
  for (int b = 0; b < 3; ++b) {
    bones.push_back(motion(noise, 3));
    bones.back().linear = bones.back().linear * (Mat3::identity() * 1.5 + noise.matrix() * 0.2);  // stretched too
  }
  const std::vector<Vec3> rest = points(30);
  std::vector<Influences> influences;
  for (std::size_t v = 0; v < rest.size(); ++v) influences.push_back(test::between(static_cast<int>(v % 3), 0, 0));
  influences[4] = {};
  std::vector<Vec3> dual(rest.size()), linear(rest.size());
  dual_quaternion_blend(rest, influences, bones, dual);
  linear_blend(rest, influences, bones, linear);
  for (std::size_t v = 0; v < rest.size(); ++v) EXPECT_LT(distance(dual[v], linear[v]), 1e-13);
  EXPECT_EQ(dual[4], rest[4]);
}

// Whatever the weights are: bones that move alike move everything so, and a motion of the whole skeleton moves the
// result.
TEST(DualQuaternion, FollowsRigidMotions) {
  Noise noise(3);
  const std::vector<Vec3> rest = points(50);
  std::vector<Influences> influences;
  for (std::size_t v = 0; v < rest.size(); ++v) influences.push_back(test::between(0, 1, 0.5 + 0.5 * noise()));
  const Affine whole = motion(noise, 3), other = motion(noise, 1.5);
  std::vector<Vec3> result(rest.size()), before(rest.size());
  dual_quaternion_blend(rest, influences, std::vector<Affine>{whole, whole}, result);
  for (std::size_t v = 0; v < rest.size(); ++v) EXPECT_LT(distance(result[v], whole * rest[v]), 1e-13);

  dual_quaternion_blend(rest, influences, std::vector<Affine>{{}, other}, before);
  dual_quaternion_blend(rest, influences, std::vector<Affine>{whole, whole * other}, result);
  for (std::size_t v = 0; v < rest.size(); ++v) EXPECT_LT(distance(result[v], whole * before[v]), 1e-13);
}

// Twisted about an axis, points stay as far from it as they are, where linear blending brings them closer by
// cos(angle / 2) half way; and equal weights turn half the angle.
TEST(DualQuaternion, TwistKeepsTheRadius) {
  const std::vector<Vec3> rest{{0.3, 1, 0}, {0.7, 0, 2}, {-1, 0.6, 0.8}};
  for (const double degrees : {60.0, 120.0, 170.0, -150.0}) {
    const double angle = degrees * std::numbers::pi / 180;
    const Affine twist{to_matrix(axis_angle({1, 0, 0}, angle)), {}};
    for (const double weight : {0.1, 0.5, 0.8}) {
      const std::vector<Influences> influences(rest.size(), test::between(0, 1, weight));
      std::vector<Vec3> dual(rest.size()), linear(rest.size());
      dual_quaternion_blend(rest, influences, std::vector<Affine>{{}, twist}, dual);
      linear_blend(rest, influences, std::vector<Affine>{{}, twist}, linear);
      for (std::size_t v = 0; v < rest.size(); ++v) {
        const double radius = std::hypot(rest[v].y, rest[v].z);
        EXPECT_NEAR(std::hypot(dual[v].y, dual[v].z), radius, 1e-14);
        EXPECT_NEAR(dual[v].x, rest[v].x, 1e-14);
        if (weight == 0.5) {
          EXPECT_NEAR(std::hypot(linear[v].y, linear[v].z), radius * std::cos(angle / 2), 1e-14);
          EXPECT_LT(distance(dual[v], to_matrix(axis_angle({1, 0, 0}, angle / 2)) * rest[v]), 1e-14);
        }
      }
    }
  }
}

TEST(DualQuaternion, RefusesWhatIsNotThere) {
  const std::vector<Vec3> rest(2);
  std::vector<Vec3> result(2);
  EXPECT_THROW(dual_quaternion_blend(rest, std::vector<Influences>(1), std::vector<Affine>(1), result), Error);
  EXPECT_THROW(
      dual_quaternion_blend(rest, std::vector<Influences>(2, test::between(0, 1, 0.5)), std::vector<Affine>(1), result),
      Error);
  const Affine broken{Mat3::identity() * std::nan(""), {}};
  EXPECT_THROW(dual_quaternion_blend(rest, std::vector<Influences>(2), std::vector<Affine>{broken}, result), Error);
  const std::vector<Influences> both(2, test::between(0, 1, 0.5));
  const PackedInfluences packed = packed_influences(both);
  EXPECT_THROW(dual_quaternion_blend(rest, both, packed, std::vector<Affine>(1), result), Error);
  EXPECT_THROW(linear_blend(rest, packed, std::vector<Affine>(1), result), Error);
  EXPECT_THROW(linear_blend(std::vector<Vec3>(3), packed, std::vector<Affine>(2), result), Error);
}

// Points of up to eight influences, some of which turn by more than half a turn against the strongest one.
TEST(DualQuaternion, PointsTogetherMoveAsEachByItself) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const bool stretched : {false, true})
    for (const std::size_t bones : {3U, 40U})
      for (const std::size_t count : {1U, 7U, 64U, 200U}) {
        std::vector<Affine> maps;
        for (std::size_t b = 0; b < bones; ++b) {
          const Vec3 axis = normalized(Vec3{number(random), number(random), 1.1});
          maps.push_back({to_matrix(axis_angle(axis, 6 * number(random))), {number(random), number(random), 2}});
          if (stretched && b % 2 == 0) maps[b].linear = maps[b].linear * Mat3::diagonal({1.2, 0.9, 1});
        }
        std::vector<Vec3> rest;
        std::vector<Influences> on(count);
        for (std::size_t v = 0; v < count; ++v) {
          rest.push_back({number(random), number(random), number(random)});
          on[v].count = static_cast<int>(v % (max_influences + 1));
          for (std::size_t k = 0; k < static_cast<std::size_t>(on[v].count); ++k) {
            on[v].joint[k] = static_cast<int>(random() % bones);
            on[v].weight[k] = k == 0 ? 1 : 0.2 * (1.1 + number(random));
          }
        }
        const BoneMotions motions = bone_motions(maps);
        std::vector<Vec3> together(count), in_place = rest;
        dual_quaternion_blend(rest, on, maps, together);
        dual_quaternion_blend(in_place, on, maps, in_place);
        for (std::size_t v = 0; v < count; ++v)
          EXPECT_LT(distance(together[v], moved_by(motions, on[v], rest[v])), 1e-12) << bones << ' ' << v;
        EXPECT_EQ(in_place, together);
        // In groups, also where the signs of a group's motions do not agree.
        const PackedInfluences packed = packed_influences(on);
        std::vector<Vec3> in_groups = rest, linear(count), linear_in_groups(count);
        dual_quaternion_blend(in_groups, on, packed, maps, in_groups);
        linear_blend(rest, on, maps, linear);
        linear_blend(rest, packed, maps, linear_in_groups);
        for (std::size_t v = 0; v < count; ++v) {
          EXPECT_LT(distance(in_groups[v], together[v]), 1e-12) << bones << ' ' << v;
          EXPECT_LT(distance(linear_in_groups[v], linear[v]), 1e-12) << bones << ' ' << v;
        }
      }
}

}  // namespace
}  // namespace sinew
