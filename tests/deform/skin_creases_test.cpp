// The surface on which two halves of a bent tube meet, and who meets whom.
#include "sinew/deform/flesh/skin_creases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/base/threads/parallel.h"
#include "sinew/rig/linear_blend.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

constexpr double crease_degrees = std::numbers::pi / 180;
constexpr double tube_radius = 0.12;

// One metre high, 0.24 m thick, bending in the middle.
const SimulationSurface& creased_tube() {
  static const SimulationSurface surface =
      simulation_surface(test::two_bone_tube(48, 32, 1, tube_radius, [](double height) {
        const double t = std::clamp((height - 0.4) / 0.2, 0.0, 1.0);
        return t * t * (3 - 2 * t);
      }));
  return surface;
}
std::shared_ptr<const ImplicitSkin> creased_skin() {
  static const std::shared_ptr<const ImplicitSkin> skin = implicit_skin(creased_tube());
  return skin;
}

std::vector<Affine> bent_in_the_middle(double angle) {
  const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, angle));
  const Vec3 joint{0, 0.5, 0};
  return {Affine{}, Affine{turn, joint - turn * joint}};
}

std::vector<Vec3> goals_of(const std::vector<Affine>& bones) {
  std::vector<Vec3> positions(creased_tube().rest.positions.size());
  linear_blend(creased_tube().rest.positions, creased_tube().influences, bones, positions);
  return positions;
}

SkinCreases creases_at(double angle, double before) {
  SkinCreases creases(creased_skin());
  const std::vector<Affine> bones = bent_in_the_middle(angle);
  creases.begin(bent_in_the_middle(before), bones, goals_of(bones));
  return creases;
}

TEST(SkinCreases, NothingMeetsAtRestOrInASlightBend) {
  for (const double angle : {0.0, 2.0, 5.0, 10.0, 20.0, -45.0}) {
    const SkinCreases creases = creases_at(angle * crease_degrees, 0);
    EXPECT_TRUE(creases.meetings().empty()) << angle;
  }
}

TEST(SkinCreases, TheHalvesOfAFoldMeetInItsMiddle) {
  const double angle = 130 * crease_degrees;
  const SkinCreases creases = creases_at(angle, angle);
  const Vec3 joint{0, 0.5, 0}, n{-std::sin(angle / 2), std::cos(angle / 2), 0},
      along{-std::cos(angle / 2), -std::sin(angle / 2), 0};  // away from the joint, inside of the fold
  int lower = 0, upper = 0;
  for (const SkinMeeting& meeting : creases.meetings()) {
    const Vec3& rest = creased_tube().rest.positions[meeting.point];
    const double side = rest.y > 0.5 ? 1 : -1;
    (side > 0 ? upper : lower) += 1;
    EXPECT_LT(rest.x, 0) << "on the inner side";
    // Where both halves have skin, the surface is the plane that halves the bend.
    for (const double far : {0.16, 0.24}) {
      const Vec3 place = joint + far * along + Vec3{0, 0, 0.4 * rest.z};
      const Gap there = creases.gap(meeting, place), off = creases.gap(meeting, place + 0.01 * side * n);
      EXPECT_NEAR(there.distance, 0, 0.05 * tube_radius) << meeting.point;
      EXPECT_GT(dot(there.normal, side * n), 0.97) << meeting.point;
      EXPECT_NEAR(off.distance - there.distance, 0.01, 0.002) << meeting.point;
    }
  }
  EXPECT_GT(lower, 20);
  EXPECT_GT(upper, 20);
}

// Both halves close by the same angle; the surface turns by half of it.
TEST(SkinCreases, GapsBeforeTheStepAreThoseOfItsBones) {
  const double angle = 130 * crease_degrees, step = 0.004;
  const SkinCreases moving = creases_at(angle, angle - 0.02), resting = creases_at(angle - 0.02, angle - 0.02);
  ASSERT_FALSE(moving.meetings().empty());
  for (const SkinMeeting& meeting : moving.meetings()) {
    const Vec3 place = goals_of(bent_in_the_middle(angle))[meeting.point];
    EXPECT_EQ(moving.gap_before(meeting, place).distance, resting.gap(meeting, place).distance);
    const Vec3 joint{0, 0.5, 0}, arm = place - joint;
    const Vec3 turning = meeting.part == 0 ? Vec3{} : 0.02 / step * Vec3{-arm.y, arm.x, 0};
    EXPECT_LT(distance(moving.velocity(meeting, place, step), turning), 0.02 * norm(turning) + 1e-12);
  }
}

TEST(SkinCreases, ThreadsChangeNothing) {
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    results.emplace_back();
    const SkinCreases creases = creases_at(2, 1.9);
    ASSERT_GT(creases.meetings().size(), 20u);
    for (const SkinMeeting& meeting : creases.meetings())
      results.back().insert(results.back().end(),
                            {static_cast<double>(meeting.point), static_cast<double>(meeting.part), meeting.slack,
                             meeting.at_goal.distance, creases.gap_before(meeting, meeting.goal).distance});
  }
  set_thread_count(0);
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

}  // namespace
}  // namespace sinew
