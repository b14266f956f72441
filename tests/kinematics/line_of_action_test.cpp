#include "sinew/kinematics/line_of_action.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/body_lines.h"
#include "sinew/linalg/turns.h"
#include "tests/kinematics/posed_skeleton.h"

namespace sinew {
namespace {

using test::PosedSkeleton;

constexpr int body_hips = 1, body_spine = 2, body_head = 3, left_hand = test::body_hands[0] + 1,
              left_foot = test::body_feet[0] + 1, right_foot = test::body_feet[1] + 1;

PosedSkeleton bent_chain(int bones, bool flat) {
  PosedSkeleton chain(test::chain_tree(bones, 0.3), 0.01);
  test::RandomPoses random(7);
  for (int j = 2; j <= bones; ++j)
    chain.rotation[index(j)] = axis_angle(flat ? Vec3{0, 0, 1} : random.direction(), random.uniform(-0.5, 0.5));
  return chain;
}

std::vector<Vec3> places_of(const PosedSkeleton& body, std::span<const int> joints) {
  std::vector<Vec3> places;
  for (const int joint : joints) places.push_back(body.place(joint));
  return places;
}

std::vector<int> all_joints_of_chain(const PosedSkeleton& chain) {
  std::vector<int> joints;
  for (std::size_t j = 1; j < chain.bone.size(); ++j) joints.push_back(static_cast<int>(j));
  return joints;
}

LineOfAction follow_line(PosedSkeleton& body, const DrawnLine& drawn, const LineOptions& options = {}) {
  LineOfAction line = line_of_action(body.skeleton, body.bone, body.pose(), drawn, options);
  body.take(line.turned, line.moved);
  return line;
}

double largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, distance(a[k], b[k]));
  return most;
}

// Angles between the first two coordinates of bones that follow each other.
std::vector<double> turns_in_picture(std::span<const Vec3> places) {
  std::vector<double> turns;
  for (std::size_t k = 2; k < places.size(); ++k) {
    const Vec3 a = places[k - 1] - places[k - 2], b = places[k] - places[k - 1];
    turns.push_back(std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y));
  }
  return turns;
}

std::vector<Vec3> arc(double radius, double angle, int points) {
  std::vector<Vec3> places;
  for (int k = 0; k <= points; ++k) {
    const double at = angle * k / points;
    places.push_back({radius * (1 - std::cos(at)), radius * std::sin(at), 0});
  }
  return places;
}

const Vec3 oblique = normalized(Vec3{0.3, 0.2, 0.9}), near_eye{0.4, 1.1, 4};

TEST(LineOfAction, AStrokeAlongTheLineItselfChangesNothing) {
  for (const bool perspective : {false, true}) {
    PosedSkeleton chain = bent_chain(9, false);
    const std::vector<Vec3> before = places_of(chain, all_joints_of_chain(chain));
    const PicturePlane plane{before[4], oblique, perspective ? std::optional(before[4] + oblique * 300) : std::nullopt};
    DrawnLine drawn{{}, plane.normal, plane.eye};
    for (const Vec3& place : before) drawn.points.push_back(plane.seen(place));
    const LineOfAction line = follow_line(chain, drawn);
    EXPECT_EQ(line.joints, all_joints_of_chain(chain));
    EXPECT_LT(largest_distance(before, places_of(chain, all_joints_of_chain(chain))), 1e-9 * 100) << perspective;
    EXPECT_LT(line.off, 1e-9);
  }
  // So does one along the body from a foot over the hips to the head.
  PosedSkeleton body;
  const BodyLine foot_to_head = line_between(body.skeleton, left_foot, body_head);
  const std::vector<Vec3> before = places_of(body, foot_to_head.joints);
  DrawnLine drawn;
  for (const LinePiece& piece : pieces_of(foot_to_head)) {
    if (drawn.points.empty()) drawn.points.push_back(body.place(piece.from));
    drawn.points.push_back(body.place(piece.to));
  }
  const LineOfAction line = follow_line(body, drawn);
  EXPECT_EQ(line.joints, foot_to_head.joints);
  EXPECT_LT(largest_distance(before, places_of(body, foot_to_head.joints)), 1e-9);
}

// A joint that is pinned inside of the line: those beyond it stay, and the others keep their shares of the stroke.
TEST(LineOfAction, AStrokeAlongALineWithAPinChangesNothing) {
  PosedSkeleton chain = bent_chain(9, false);
  const std::vector<Vec3> before = places_of(chain, all_joints_of_chain(chain));
  const PicturePlane plane{before[4], oblique, std::nullopt};
  DrawnLine drawn{{}, plane.normal, plane.eye};
  for (const Vec3& place : before) drawn.points.push_back(plane.seen(place));
  LineOptions options;
  options.pinned = {{6, chain.place(6)}};
  const LineOfAction line = follow_line(chain, drawn, options);
  EXPECT_EQ(line.joints.back(), 6);
  EXPECT_LT(largest_distance(before, places_of(chain, all_joints_of_chain(chain))), 1e-9 * 100);
  EXPECT_LT(line.off, 1e-9);
}

TEST(LineOfAction, AStraightStrokeMakesTheLineStraightAndBonesKeepTheirLengths) {
  for (const bool flat : {true, false}) {
    PosedSkeleton chain = bent_chain(9, flat);
    const std::vector<Vec3> before = places_of(chain, all_joints_of_chain(chain));
    const Vec3 direction = normalized(Vec3{0.3, 1, 0});
    const LineOfAction line = follow_line(chain, {{before.front(), before.front() + direction * 250}});
    EXPECT_EQ(line.moved, Vec3{});
    const std::vector<Vec3> after = places_of(chain, all_joints_of_chain(chain));
    for (std::size_t k = 1; k < after.size(); ++k) {
      const Vec3 bone = after[k] - after[k - 1], old = before[k] - before[k - 1];
      EXPECT_LT(std::abs(cross(direction, bone).z), 1e-9 * 100);
      EXPECT_GT(dot(direction, bone), 0);
      EXPECT_NEAR(norm(bone), norm(old), 1e-9 * 100);
      EXPECT_NEAR(bone.z, old.z, 1e-9 * 100) << "the depth of each bone stays";
    }
  }
}

TEST(LineOfAction, AnArcOfACircleTurnsBonesOfEqualLengthAlike) {
  PosedSkeleton chain = bent_chain(8, true);
  const Vec3 base = chain.place(1);
  DrawnLine drawn{arc(150, 1.6, 8 * 250)};
  for (Vec3& point : drawn.points) point += base;
  follow_line(chain, drawn);
  for (const double turn : turns_in_picture(places_of(chain, all_joints_of_chain(chain))))
    EXPECT_NEAR(turn, -1.6 / 8, 1e-9);
}

TEST(LineOfAction, TheSizeOfAStrokeAndItsSenseDoNotMatter) {
  const std::vector<Vec3> points = arc(150, 1.3, 60);
  std::vector<std::vector<Vec3>> results;
  for (const double size : {1.0, 2.0, -1.0}) {
    PosedSkeleton chain = bent_chain(8, false);
    DrawnLine drawn{points};
    for (Vec3& point : drawn.points) point = point * std::abs(size) + chain.place(1);
    if (size < 0) std::reverse(drawn.points.begin(), drawn.points.end());
    const LineOfAction line = follow_line(chain, drawn);
    EXPECT_EQ(line.joints.front(), size < 0 ? 9 : 1);
    results.push_back(places_of(chain, all_joints_of_chain(chain)));
  }
  EXPECT_LT(largest_distance(results[0], results[1]), 1e-9 * 100);
  EXPECT_LT(largest_distance(results[0], results[2]), 1e-9 * 100);
}

TEST(LineOfAction, AnEyeThatIsNearSeesTheLineAlongTheStroke) {
  PosedSkeleton body;
  test::RandomPoses random(3);
  for (const int joint : {body_hips, body_spine})
    body.rotation[index(joint)] = body.rotation[index(joint)] * axis_angle(random.direction(), 0.3);
  const PicturePlane plane{{0, 1, 0}, normalized(near_eye - Vec3{0, 1, 0}), near_eye};
  DrawnLine drawn{{}, plane.normal, near_eye};
  for (const Vec3& place : {Vec3{0.1, 0, 0}, Vec3{0.05, 0.5, 0}, Vec3{-0.05, 1, 0}, Vec3{-0.4, 1.6, 0}})
    drawn.points.push_back(plane.seen(place - Vec3{0, 0.9, 0}));
  LineOptions options;
  options.through = body_head;
  const LineOfAction line = follow_line(body, drawn, options);
  EXPECT_LT(line.off, 1e-9);
  // Seen by the eye, pieces go along chords of the stroke in the order of their directions: all to the left of y.
  const BodyLine joints = line_between(body.skeleton, line.joints.front(), line.joints.back());
  const Polyline stroke(drawn.points);
  for (const LinePiece& piece : pieces_of(joints)) {
    const Vec3 seen = plane.seen(body.place(piece.to)) - plane.seen(body.place(piece.from));
    double least = 4;
    for (int a = 0; a < 200; ++a)
      for (int b = a + 1; b <= 200; ++b) {
        const Vec3 chord = stroke.at(a * stroke.length() / 200) - stroke.at(b * stroke.length() / 200);
        least = std::min(least, std::acos(std::clamp(-dot(normalized(chord), normalized(seen)), -1.0, 1.0)));
      }
    EXPECT_LT(least, 0.02);
  }
}

TEST(LineOfAction, PinnedFeetStayWhileTheTrunkFollows) {
  PosedSkeleton body;
  // Knees that are bent a little can stretch.
  for (const int knee : {left_foot - 1, right_foot - 1}) {
    body.rotation[index(knee - 1)] = axis_angle({1, 0, 0}, -0.3);
    body.rotation[index(knee)] = axis_angle({1, 0, 0}, 0.5);
  }
  LineOptions options;
  options.pinned = {{left_foot, body.place(left_foot)}, {right_foot, body.place(right_foot)}};
  const Mat3 flat = body.pose().world[index(left_foot)].linear;
  const Vec3 hips = body.place(body_hips);
  const LineOfAction line = follow_line(body, {{hips, hips + Vec3{0.1, 0.3, 0}, hips + Vec3{0.35, 0.5, 0}}}, options);
  EXPECT_EQ(line.joints, (std::vector<int>{body_hips, body_spine, body_head}));
  EXPECT_LT(line.off, 1e-9);
  EXPECT_LT(line.missed, 1e-4);
  for (const JointPlace& pin : options.pinned) EXPECT_LT(distance(body.place(pin.joint), pin.place), 1e-4);
  EXPECT_LT(frobenius_norm(body.pose().world[index(left_foot)].linear - flat), 1e-3);
  const Vec3 upper = body.place(body_head) - body.place(body_spine);
  EXPECT_GT(upper.x, 0.5 * upper.y);
}

// Feet of some rigs hang on the root: shins are led to them, and the first bone stays, with which they would go along.
TEST(LineOfAction, EndsOfShinsStayAtFeetThatHangElsewhere) {
  PosedSkeleton body;
  for (const int knee : {left_foot - 1, right_foot - 1}) {
    body.rotation[index(knee - 1)] = axis_angle({1, 0, 0}, -0.3);
    body.rotation[index(knee)] = axis_angle({1, 0, 0}, 0.5);
  }
  LineOptions options;
  std::vector<JointPlace> feet;
  for (const int foot : {left_foot, right_foot}) {
    feet.push_back({foot, body.place(foot)});
    options.pinned.push_back({foot - 1, body.place(foot), body.place(foot) - body.place(foot - 1)});
  }
  const Vec3 hips = body.place(body_hips);
  const LineOfAction line = follow_line(body, {{hips, hips + Vec3{0.1, 0.3, 0}, hips + Vec3{0.35, 0.5, 0}}}, options);
  EXPECT_EQ(line.moved, Vec3{});
  EXPECT_LT(line.off, 1e-9);
  for (const JointPlace& foot : feet) EXPECT_LT(distance(body.place(foot.joint), foot.place), 1e-4);
}

TEST(LineOfAction, ALineFromAPinnedFootTakesTheBodyAlong) {
  PosedSkeleton body;
  LineOptions options;
  options.through = left_foot;
  const Vec3 foot = body.place(left_foot);
  options.pinned = {{left_foot, foot}};
  const LineOfAction line = follow_line(
      body, {{foot, foot + Vec3{0.3, 0.8, 0}, foot + Vec3{0.35, 1.2, 0}, foot + Vec3{0.2, 1.5, 0}}}, options);
  EXPECT_EQ(line.joints, line_between(body.skeleton, left_foot, body_head).joints);
  EXPECT_LT(distance(body.place(left_foot), foot), 1e-4);
  EXPECT_LT(line.off, 1e-9);
  const Vec3 shin = body.place(left_foot - 1) - foot;
  EXPECT_NEAR(shin.x / shin.y, 0.3 / 0.8, 1e-6);
}

TEST(LineOfAction, LimitsHoldAndJointsBeyondMakeUpForThem) {
  PosedSkeleton chain(test::chain_tree(6, 0.3));
  const Vec3 base = chain.place(1);
  DrawnLine drawn{{base, base + Vec3{0, 0.6, 0}, base + Vec3{1.2, 0.6, 0}}};
  LineOptions options;
  JointLimits limits;  // 0.3 radians about z
  limits.hinge = {0, 0, 1};
  limits.about_hinge = {-0.3, 0.3};
  options.limits.assign(chain.bone.size(), std::nullopt);
  options.limits[3] = limits;
  const LineOfAction line = follow_line(chain, drawn, options);
  const std::vector<Vec3> after = places_of(chain, all_joints_of_chain(chain));
  const std::vector<double> turns = turns_in_picture(after);
  EXPECT_NEAR(turns[1], -0.3, 1e-9);
  EXPECT_NEAR(turns[2], 0.3 - std::numbers::pi / 2, 1e-9);
  EXPECT_NEAR(line.off, (std::numbers::pi / 2 - 0.3) / 6, 1e-9);
}

TEST(LineOfAction, TheLineIsFoundFromTheStroke) {
  PosedSkeleton body;
  const auto found = [&](std::initializer_list<Vec3> points) {
    return line_of_action(body.skeleton, body.bone, body.pose(), {points}).joints;
  };
  const auto between = [&](int a, int b) { return line_between(body.skeleton, a, b).joints; };
  const int right_hand = test::body_hands[1] + 1;
  EXPECT_EQ(found({body.place(body_hips) + Vec3{0.02, 0, 0}, body.place(body_head)}), between(body_hips, body_head));
  EXPECT_EQ(found({body.place(left_foot), body.place(body_head) + Vec3{0.2, -0.05, 0}}), between(left_foot, body_head));
  EXPECT_EQ(found({body.place(right_hand), body.place(body_spine) + Vec3{-0.2, 0.3, 0},
                   body.place(body_spine) + Vec3{0.2, 0.3, 0}, body.place(left_hand)}),
            between(right_hand, left_hand));
  EXPECT_EQ(found({body.place(right_foot), body.place(body_hips), body.place(left_foot)}),
            between(right_foot, left_foot));
}

TEST(LineOfAction, WhatCannotBeFollowedIsRefused) {
  const PosedSkeleton body;
  const Pose pose = body.pose();
  const auto follow = [&](const DrawnLine& drawn, const LineOptions& options = {}) {
    line_of_action(body.skeleton, body.bone, pose, drawn, options);
  };
  const std::vector<Vec3> up{{0, 0, 0}, {0, 1, 0}};
  EXPECT_THROW(follow({}), Error);
  EXPECT_THROW(follow({{{0, 0, 0}, {0, 0, 1}}}), Error) << "no length in the picture";
  EXPECT_THROW(follow({up, {}}), Error);
  EXPECT_THROW(follow({up, {0, 0, 1}, Vec3{0, 0, -3}}), Error);
  LineOptions options;
  options.through = 0;
  EXPECT_THROW(follow({up}, options), Error);
  options.through = -1;
  options.pinned = {{99, {}}};
  EXPECT_THROW(follow({up}, options), Error);
  std::vector<char> none(body.bone.size());
  EXPECT_THROW(line_of_action(body.skeleton, none, pose, {up}), Error);
}

}  // namespace
}  // namespace sinew
