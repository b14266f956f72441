#include "sinew/kinematics/paths/stroke_motion.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/built_in_motion.h"
#include "sinew/kinematics/gesture_motion.h"
#include "sinew/kinematics/paths/joint_path.h"
#include "tests/kinematics/human.h"

namespace sinew {
namespace {

constexpr double leg_gravity = 11.5;

TimedStroke stroke_along(double seconds, const std::function<Vec3(double)>& place) {
  TimedStroke stroke;
  for (int k = 0; k <= 100; ++k) {
    stroke.times.push_back(3 + seconds * k / 100);  // strokes may begin at any time
    stroke.points.push_back(place(k / 100.0));
  }
  return stroke;
}

// A dip, an arc and a dip: a jump of two legs' length.
TimedStroke drawn_jump() {
  return stroke_along(1.6, [](double s) {
    const double air = std::clamp((s - 0.35) / 0.35, 0.0, 1.0),
                 dips = s < 0.35  ? std::sin(std::numbers::pi * s / 0.35)
                        : s > 0.7 ? std::sin(std::numbers::pi * (s - 0.7) / 0.3)
                                  : 0;
    return Vec3{0, 2.4 * air * (1 - air) - 0.25 * dips, 2 * air};
  });
}

TEST(StrokeMotion, HipsGoAlongTheStrokeInItsTime) {
  const TimedStroke stroke = drawn_jump();
  const StrokeMotion motion(stroke, {leg_gravity, false});
  EXPECT_NEAR(motion.seconds(), 1.6, 1e-12);
  for (std::size_t k = 0; k < stroke.times.size(); ++k) {
    const double time = stroke.times[k] - stroke.times[0];
    // Its corners, where it leaves the ground and comes back, are rounded within 0.1 s; elsewhere the hips are off by
    // half of the acceleration, 15 legs a second squared in the air, times the variance of the smoothing, 0.0022 s^2.
    const bool at_corner = std::abs(time - 0.56) < 0.11 || std::abs(time - 1.12) < 0.11;
    EXPECT_LT(distance(motion.place(time), stroke.points[k]), at_corner ? 0.1 : 0.018) << time;
    EXPECT_NEAR(motion.pose(time).hips.z, motion.place(time).z, 1e-9) << time;
  }
  EXPECT_LT(distance(motion.place(0), {}), 1e-12);
  EXPECT_LT(distance(motion.place(1.6), stroke.points.back() - stroke.points.front()), 1e-9);
}

TEST(StrokeMotion, FeetLeaveTheGroundWhereTheStrokeRises) {
  const StrokeMotion motion(drawn_jump(), {leg_gravity, false});
  ASSERT_EQ(motion.leaps().size(), 1u);
  const StrokeMotion::Leap leap = motion.leaps()[0];
  EXPECT_NEAR(leap.begin, 1.6 * 0.36, 0.05);
  EXPECT_NEAR(leap.end, 1.6 * 0.69, 0.05);
  EXPECT_GT(motion.pose((leap.begin + leap.end) / 2).feet[0].shift.y, 0.4);
  for (const double time : {0.0, 0.3, leap.begin - 0.02, leap.end + 0.02, 1.6}) {
    const GesturePose pose = motion.pose(time);
    for (const std::size_t foot : {std::size_t{0}, std::size_t{1}}) {
      EXPECT_NEAR(pose.feet[foot].shift.y, 0, 1e-9) << time;
      EXPECT_NEAR(pose.feet[foot].shift.z, time < leap.begin ? 0 : 2, 0.03) << time;
    }
  }
  // It leans the way that it takes off, and lands with its feet first.
  EXPECT_GT(motion.pose(leap.begin + 0.06).pitch, 5);
  EXPECT_LT(motion.pose(leap.end - 0.06).pitch, -5);
}

TEST(StrokeMotion, ABodyOnFourLegsLiesAlongTheStroke) {
  const StrokeMotion motion(drawn_jump(), {leg_gravity, true});
  const StrokeMotion::Leap leap = motion.leaps().at(0);
  EXPECT_LT(motion.pose(leap.begin + 0.06).pitch, -15);  // its nose up
  EXPECT_GT(motion.pose(leap.end - 0.06).pitch, 15);
}

TEST(StrokeMotion, AlongTheGroundItLooksWhereItGoesAndStepsWithoutSliding) {
  // A quarter of a circle to the left, of two legs' radius.
  const TimedStroke stroke = stroke_along(3, [](double s) {
    const double angle = 0.5 * std::numbers::pi * s;
    return Vec3{2 - 2 * std::cos(angle), 0, 2 * std::sin(angle)};
  });
  const StrokeMotion motion(stroke, {leg_gravity, false});
  EXPECT_TRUE(motion.leaps().empty());
  EXPECT_NEAR(motion.pose(0).yaw, 0, 4);
  EXPECT_NEAR(motion.pose(1.5).yaw, 45, 1);
  EXPECT_NEAR(motion.pose(3).yaw, 90, 4);
  EXPECT_GT(motion.pose(1.5).roll, 1);  // it leans into the turn

  const test::Human human = test::make_human();
  const RiggedBody body = human.body();
  const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, body.up);
  const BodyPoser poser(human.skeleton, body.bones, body.reference, gesture_bones(body.bones));
  const BoneMotion moved =
      gesture_motion([&](double time) { return motion.pose(time); }, motion.seconds(), body, frames, poser);
  const Clip clip = poser.clip(moved, "drawn");
  int steps = 0;
  for (const LimbBones& leg : body.bones.legs) {
    const JointPath path = joint_path(human.skeleton, clip, leg.end, -1, moved.times);
    const double ground = path.places.front().y;
    bool up = false;
    for (std::size_t f = 1; f < path.times.size(); ++f) {
      const bool lifted = path.places[f].y > ground + 0.02 || path.places[f - 1].y > ground + 0.02;
      if (lifted && !up) ++steps;
      up = lifted;
    }
  }
  EXPECT_GE(steps, 6);
  EXPECT_LE(steps, 9);
  // A foot that stands stands still: the ball is where its pose has it, which changes only in the air.
  for (double time = 0; time < 3; time += 1.0 / 60)
    for (const std::size_t foot : {std::size_t{0}, std::size_t{1}}) {
      const auto now = motion.pose(time).feet[foot], next = motion.pose(time + 1.0 / 60).feet[foot];
      if (now.shift.y > 0 || next.shift.y > 0) continue;
      EXPECT_LT(distance(now.shift, next.shift), 1e-9) << time;
      EXPECT_NEAR(now.yaw, next.yaw, 1e-9) << time;
    }
}

// Over a Froude number of a half both feet are in the air between two steps, and the steps grow with the speed; below
// it one foot stands at any time.
TEST(StrokeMotion, AFastStrokeAlongTheGroundIsARunWithFlights) {
  struct Gone {
    double flying = 0;  // share of the time
    int steps = 0;
    double farthest_foot = 0;  // legs from the hips, of a foot that stands
  };
  const auto gone_at = [](double speed) {
    const double seconds = 4;
    const StrokeMotion motion(stroke_along(seconds,
                                           [&](double s) {
                                             return Vec3{0, 0, speed * seconds * s};
                                           }),
                              {leg_gravity, false});
    EXPECT_TRUE(motion.leaps().empty());
    Gone gone;
    std::array<bool, 2> was_up{true, true};  // only what leaves the ground later is a step
    for (double time = 0.5; time < 3.5; time += 1.0 / 240) {
      const GesturePose pose = motion.pose(time);
      std::array<bool, 2> up{};
      for (const std::size_t foot : {std::size_t{0}, std::size_t{1}}) {
        up[foot] = pose.feet[foot].shift.y > 1e-6;
        if (up[foot] && !was_up[foot]) ++gone.steps;
        if (!up[foot])
          gone.farthest_foot = std::max(gone.farthest_foot, std::abs(pose.feet[foot].shift.z - pose.hips.z));
      }
      if (up[0] && up[1]) gone.flying += 1.0 / 240 / 3;
      was_up = up;
    }
    return gone;
  };
  const double pendulum = std::sqrt(leg_gravity);
  EXPECT_LT(gone_at(0.5 * pendulum).flying, 0.02);
  const Gone run = gone_at(1.2 * pendulum), sprint = gone_at(2.2 * pendulum);
  EXPECT_NEAR(run.flying, 0.35, 0.12);
  EXPECT_GT(sprint.flying, run.flying);
  // The time of a step stays.
  EXPECT_NEAR(run.steps, 3 * pendulum / 1.2, 1);
  EXPECT_NEAR(sprint.steps, 3 * pendulum / 1.2, 1);
  EXPECT_LT(run.farthest_foot, 0.6);
  EXPECT_LT(sprint.farthest_foot, 0.6);
}

TEST(StrokeMotion, StrokesThatAreNoneAreRefused) {
  const GestureBody body{leg_gravity, false};
  EXPECT_THROW(StrokeMotion({{0}, {{}}}, body), Error);
  EXPECT_THROW(StrokeMotion({{0, 1}, {{}}}, body), Error);
  EXPECT_THROW(StrokeMotion({{0, 0}, {{}, {1, 0, 0}}}, body), Error);
  EXPECT_THROW(StrokeMotion({{0, 1e-310}, {{}, {1, 0, 0}}}, body), Error);
  EXPECT_THROW(StrokeMotion({{0, 0.04}, {{}, {1, 0, 0}}}, body), Error);
  EXPECT_THROW(StrokeMotion({{0, 100}, {{}, {1, 0, 0}}}, body), Error);
  EXPECT_THROW(StrokeMotion({{0, 1}, {{}, {1e9, 0, 0}}}, body), Error);
  EXPECT_THROW(StrokeMotion({{0, NAN}, {{}, {1, 0, 0}}}, body), Error);
  // One that stays where it is is a body that stands.
  const StrokeMotion still({{0, 1}, {{}, {}}}, body);
  EXPECT_NEAR(still.pose(0.5).yaw, 0, 1e-12);
  EXPECT_NEAR(still.pose(0.5).feet[0].shift.z, 0, 1e-12);
}

}  // namespace
}  // namespace sinew
