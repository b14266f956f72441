#include "sinew/kinematics/paths/joint_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/character/channel.h"
#include "sinew/kinematics/paths/lead_joint.h"
#include "sinew/kinematics/paths/put_keys.h"
#include "tests/kinematics/posed_skeleton.h"

namespace sinew {
namespace {

using test::PosedSkeleton;

constexpr int swung_hips = 1, swung_spine = 2, swung_hand = test::body_hands[0] + 1,
              swung_feet[] = {test::body_feet[0] + 1, test::body_feet[1] + 1};

// Two seconds in which arms swing with bent elbows, hips rise and fall and the trunk turns; keys 24 times a second, or
// splines with four keys.
Clip swinging(const PosedSkeleton& body, Interpolation interpolation = Interpolation::linear) {
  Clip clip{"swing", {}, 0, 2, {}};
  const bool spline = interpolation == Interpolation::cubic_spline;
  const int keys = spline ? 4 : 48;
  const auto add = [&](int joint, ChannelPath path, auto value) {
    Channel channel{joint, path, interpolation, {}, path == ChannelPath::rotation ? 4 : 3, {}};
    for (int k = 0; k <= keys; ++k) {
      const double time = 2.0 * k / keys;
      channel.times.push_back(time);
      const std::vector<double> now = value(time), later = value(time + 1e-5), earlier = value(time - 1e-5);
      std::vector<double> slope;
      for (std::size_t c = 0; c < now.size(); ++c) slope.push_back((later[c] - earlier[c]) / 2e-5);
      if (spline) channel.values.insert(channel.values.end(), slope.begin(), slope.end());
      channel.values.insert(channel.values.end(), now.begin(), now.end());
      if (spline) channel.values.insert(channel.values.end(), slope.begin(), slope.end());
    }
    clip.channels.push_back(std::move(channel));
  };
  const auto turn = [&](int joint, const Vec3& axis, double least, double most, double phase) {
    add(joint, ChannelPath::rotation, [=, &body](double time) {
      const double swing = 0.5 + 0.5 * std::sin(std::numbers::pi * time + phase);
      const Quat q =
          axis_angle(axis, least + (most - least) * swing) * body.skeleton.joints[index(joint)].rest.rotation;
      return std::vector{q.x, q.y, q.z, q.w};
    });
  };
  for (const int side : {0, 1}) {
    const int hand = test::body_hands[side] + 1, foot = test::body_feet[side] + 1;
    turn(hand - 2, {1, 0, 0}, -0.5, 0.5, 3.0 * side);
    turn(hand - 1, {1, 0, 0}, -1.2, -0.6, 3.0 * side);
    turn(foot - 2, {1, 0, 0}, -0.6, -0.2, 3.0 * side);
    turn(foot - 1, {1, 0, 0}, 0.3, 0.9, 3.0 * side);
  }
  turn(swung_spine, {0, 1, 0}, -0.2, 0.2, 1);
  const Vec3 hips = body.skeleton.joints[swung_hips].rest.translation;
  add(swung_hips, ChannelPath::translation, [=](double time) {
    return std::vector{hips.x, hips.y, hips.z + 0.03 * norm(hips) * std::sin(2 * std::numbers::pi * time)};
  });
  return clip;
}

Vec3 place_at(const Skeleton& skeleton, const Clip& clip, double time, int joint) {
  return sample(skeleton, &clip, time).world[index(joint)].translation;
}

bool has_same_bits(const Skeleton& skeleton, const Clip& a, const Clip& b, double time) {
  return sample(skeleton, &a, time).world == sample(skeleton, &b, time).world;
}

LedJoint displaced_hand(const PosedSkeleton& body, const Clip& clip, int joint, double at, double width,
                        const Vec3& by) {
  std::vector<int> all;
  for (std::size_t j = 0; j < body.skeleton.joints.size(); ++j) all.push_back(static_cast<int>(j));
  const std::vector<double> times = path_times(clip, all, at - width, at + width, std::vector{at});
  const JointPath path =
      displaced(joint_path(body.skeleton, clip, joint, -1, times), TimeFalloff::around(at, width), by);
  return {joint, {{path.times, path.in_world()}}};
}

TEST(JointPath, DisplacedByNothingItKeepsItsBits) {
  const PosedSkeleton body;
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic_spline}) {
    const Clip clip = swinging(body, interpolation);
    const LedClip led = lead_joint(body.skeleton, body.bone, clip, displaced_hand(body, clip, swung_hand, 1, 0.5, {}));
    EXPECT_EQ(led.missed, 0);
    ASSERT_EQ(led.clip.channels.size(), clip.channels.size());
    for (std::size_t c = 0; c < clip.channels.size(); ++c) {
      EXPECT_EQ(led.clip.channels[c].times, clip.channels[c].times);
      EXPECT_EQ(led.clip.channels[c].values, clip.channels[c].values);
    }
  }
}

TEST(JointPath, ADisplacedPlaceIsMetAndTheClipOutsideOfTheWindowKeepsItsBits) {
  for (const double scale : {1.0, 0.01}) {
    const PosedSkeleton body(scale);
    for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic_spline}) {
      const Clip clip = swinging(body, interpolation);
      const Vec3 by{0.04, 0.1, 0.06};
      const LedClip led =
          lead_joint(body.skeleton, body.bone, clip, displaced_hand(body, clip, swung_hand, 0.9, 0.4, by));
      EXPECT_FALSE(led.trunk_helps);
      EXPECT_LT(led.missed, 1e-5);
      EXPECT_LT(distance(place_at(body.skeleton, led.clip, 0.9, swung_hand),
                         place_at(body.skeleton, clip, 0.9, swung_hand) + by),
                1e-5);
      // Between keys the path is near the one asked for.
      const TimeFalloff falloff = TimeFalloff::around(0.9, 0.4);
      for (double time = 0.5; time <= 1.3; time += 0.0037)
        EXPECT_LT(distance(place_at(body.skeleton, led.clip, time, swung_hand),
                           place_at(body.skeleton, clip, time, swung_hand) + by * falloff(time)),
                  interpolation == Interpolation::linear ? 1e-3 : 2e-4)
            << time;
      // Keys next to the window: 1/24 s and 1/2 s apart.
      const double margin = interpolation == Interpolation::linear ? 1.0 / 24 : 0.5;
      for (double time = -0.1; time < 2.2; time += 0.0101)
        if (time < 0.5 - margin || time > 1.3 + margin) {
          EXPECT_TRUE(has_same_bits(body.skeleton, clip, led.clip, time)) << time;
        }
      // What is no part of the limb keeps its bits at all times.
      for (const Channel& channel : clip.channels)
        if (channel.joint != swung_hand - 1 && channel.joint != swung_hand - 2) {
          const auto kept = std::find_if(led.clip.channels.begin(), led.clip.channels.end(), [&](const Channel& other) {
            return other.joint == channel.joint && other.path == channel.path;
          });
          EXPECT_EQ(kept->values, channel.values);
        }
    }
  }
}

// Largest third difference of a joint's path, per cubed second.
double largest_jerk(const Skeleton& skeleton, const Clip& clip, int joint, double step) {
  double most = 0;
  for (double time = 3 * step; time < 2; time += step)
    most =
        std::max(most, norm(place_at(skeleton, clip, time, joint) - place_at(skeleton, clip, time - step, joint) * 3.0 +
                            place_at(skeleton, clip, time - 2 * step, joint) * 3.0 -
                            place_at(skeleton, clip, time - 3 * step, joint)) /
                           (step * step * step));
  return most;
}

TEST(JointPath, JerkIsNoMoreThanTheClipsAndThatOfTheOffset) {
  const PosedSkeleton body;
  const Clip clip = swinging(body, Interpolation::linear);
  const double step = 1.0 / 24, width = 0.5;
  for (const Vec3& by : {Vec3{0.04, 0.1, 0.06}, Vec3{0.1, -0.25, 0.4}}) {  // the latter takes the trunk along
    const LedClip led =
        lead_joint(body.skeleton, body.bone, clip, displaced_hand(body, clip, swung_hand, 1, width, by));
    const double of_offset = 60 * norm(by) / (width * width * width);
    for (const int joint : {swung_hand, swung_hand - 1})
      EXPECT_LT(largest_jerk(body.skeleton, led.clip, joint, step),
                largest_jerk(body.skeleton, clip, joint, step) + 1.05 * of_offset)
          << joint;
  }
}

TEST(JointPath, HipsGoDownOverFeetThatKeepTheirPaths) {
  const PosedSkeleton body;
  const Clip clip = swinging(body);
  LedJoint lead = displaced_hand(body, clip, swung_hips, 1, 0.5, {0.05, -0.12, 0});
  lead.pinned = {{swung_feet[0]}, {swung_feet[1]}};
  const LedClip led = lead_joint(body.skeleton, body.bone, clip, lead);
  EXPECT_LT(led.missed, 1e-5);
  EXPECT_LT(led.pins_missed, 1e-5);
  EXPECT_LT(distance(place_at(body.skeleton, led.clip, 1, swung_hips),
                     place_at(body.skeleton, clip, 1, swung_hips) + Vec3{0.05, -0.12, 0}),
            1e-9);
  for (double time = 0; time <= 2; time += 1.0 / 24)
    for (const int foot : swung_feet) {
      const Affine now = sample(body.skeleton, &led.clip, time).world[index(foot)],
                   before = sample(body.skeleton, &clip, time).world[index(foot)];
      EXPECT_LT(distance(now.translation, before.translation), 1e-4) << time;
      EXPECT_LT(frobenius_norm(now.linear - before.linear), 1e-6) << time;
    }
}

TEST(JointPath, SeenFromAnotherJointItIsDisplacedInThatSpace) {
  const PosedSkeleton body;
  const Clip clip = swinging(body);
  const std::vector<double> times = path_times(clip, std::vector{swung_hand - 1}, 0.6, 1.4, std::vector{1.0});
  const JointPath path = joint_path(body.skeleton, clip, swung_hand, swung_spine, times),
                  moved = displaced(path, TimeFalloff::around(1, 0.4), {0.03, 0.05, 0.08});
  const LedClip led = lead_joint(body.skeleton, body.bone, clip, {swung_hand, {{times, moved.in_world()}}});
  const JointPath now = joint_path(body.skeleton, led.clip, swung_hand, swung_spine, times);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_LT(distance(now.places[k], moved.places[k]), 1e-5) << times[k];
}

// Distance of a point from a line of points.
double distance_from(const std::vector<Vec3>& line, const Vec3& point) {
  double least = HUGE_VAL;
  for (std::size_t k = 1; k < line.size(); ++k) {
    const Vec3 along = line[k] - line[k - 1];
    const double square = squared_norm(along),
                 share = square > 0 ? std::clamp(dot(point - line[k - 1], along) / square, 0.0, 1.0) : 0;
    least = std::min(least, distance(point, line[k - 1] + along * share));
  }
  return least;
}

TEST(JointPath, ARedrawnPathGoesAlongTheStrokeInThePicture) {
  const PosedSkeleton body;
  const Clip clip = swinging(body);
  const double begin = 0.5, end = 1.5;
  const std::vector<double> times = path_times(clip, std::vector{swung_hand - 1}, 0.2, 1.8, std::vector{begin, end});
  const JointPath path = joint_path(body.skeleton, clip, swung_hand, -1, times);
  const Vec3 from = place_at(body.skeleton, clip, begin, swung_hand),
             to = place_at(body.skeleton, clip, end, swung_hand);
  for (const bool near : {false, true}) {
    // An arc over the old path, drawn from the side.
    DrawnLine stroke{{}, {1, 0, 0}, {}};
    if (near) stroke.eye = Vec3{4, 1, 0};
    const PicturePlane plane{from, stroke.normal, stroke.eye};
    const Vec3 a = plane.seen(from), b = plane.seen(to);
    for (int k = 0; k <= 40; ++k)
      stroke.points.push_back(a + (b - a) * (k / 40.0) + Vec3{0, 0.12, 0} * std::sin(std::numbers::pi * k / 40));
    const JointPath drawn = redrawn(path, stroke, begin, end, 0.3);
    const LedClip led = lead_joint(body.skeleton, body.bone, clip, {swung_hand, {{times, drawn.in_world()}}});
    EXPECT_LT(led.missed, 1e-5);
    double most = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const Vec3 place = place_at(body.skeleton, led.clip, times[k], swung_hand);
      if (times[k] < begin || times[k] > end) continue;
      const PicturePlane there = plane_of(stroke);
      EXPECT_LT(distance_from(stroke.points, there.seen(place)), 1e-3) << times[k];
      EXPECT_NEAR(there.height(place), there.height(path.in_world()[k]), 1e-5) << times[k];
      most = std::max(most, distance(place, path.places[k]));
    }
    EXPECT_GT(most, 0.05);
    EXPECT_TRUE(has_same_bits(body.skeleton, clip, led.clip, 0.1));
    EXPECT_TRUE(has_same_bits(body.skeleton, clip, led.clip, 1.9));
  }
}

TEST(JointPath, AWarpInTimeKeepsThePath) {
  const PosedSkeleton body;
  const Clip clip = swinging(body, Interpolation::cubic_spline);
  std::vector<double> fine;
  for (int k = 0; k <= 4000; ++k) fine.push_back(k / 2000.0);
  const std::vector<Vec3> curve = joint_path(body.skeleton, clip, swung_hand, -1, fine).places;
  for (const TimeWarp& warp :
       {TimeWarp{1, 0.8, 0.5, 0}, TimeWarp{1, 1.2, 0.5, 0}, TimeWarp{1, 1, 0.6, 0.8}, TimeWarp{1, 1.1, 0.6, -0.7}}) {
    const std::vector<double> times =
        path_times(clip, std::vector{swung_hand - 1}, 1 - warp.width, 1 + warp.width, std::vector{1.0});
    std::vector<double> old;
    for (const double time : times) old.push_back(warp(time));
    const std::vector<Vec3> places = joint_path(body.skeleton, clip, swung_hand, -1, old).places;
    const LedClip led = lead_joint(body.skeleton, body.bone, clip, {swung_hand, {{times, places}}});
    EXPECT_LT(distance(place_at(body.skeleton, led.clip, 1, swung_hand),
                       place_at(body.skeleton, clip, warp.from, swung_hand)),
              1e-5);
    for (const double time : times)
      EXPECT_LT(distance_from(curve, place_at(body.skeleton, led.clip, time, swung_hand)), 1e-4) << time;
  }
}

TEST(JointPath, WarpedTimeNeverRunsBackward) {
  for (const double shift : {-9.0, -0.25, 0.0, 0.1, 9.0})
    for (const double linger : {-9.0, -0.5, 0.0, 0.9, 9.0}) {
      const TimeWarp warp{2, 2 + shift, 0.5, linger};
      EXPECT_EQ(warp(1.4), 1.4);
      EXPECT_EQ(warp(2.6), 2.6);
      double before = warp(1.4);
      for (double time = 1.401; time < 2.6; time += 0.001) {
        EXPECT_GT(warp(time), before) << shift << " " << linger << " " << time;
        before = warp(time);
      }
    }
  // It lingers: half as fast in the middle.
  const TimeWarp slow{2, 2, 0.5, 0.5};
  EXPECT_NEAR((slow(2.001) - slow(1.999)) / 0.002, 0.5, 1e-3);
}

TEST(JointPath, KeysAreAddedToJointsThatHaveNone) {
  PosedSkeleton body;
  Clip clip{"still", {}, 0, 2, {}};
  clip.channels.push_back(
      {swung_hips, ChannelPath::rotation, Interpolation::linear, {0, 2}, 4, {0, 0, 0, 1, 0, 0, 0, 1}});
  // A node with a matrix, which animated nodes cannot have.
  Joint& arm = body.skeleton.joints[swung_hand - 2];
  arm.rest_matrix = to_affine(arm.rest);
  arm.rest = {};
  LedJoint lead = displaced_hand(body, clip, swung_hand, 1, 0.5, {0.1, 0.1, 0.1});
  const LedClip led = lead_joint(body.skeleton, body.bone, clip, lead);
  EXPECT_LT(led.missed, 1e-5);
  const Vec3 start = place_at(body.skeleton, clip, 0, swung_hand);
  EXPECT_LT(distance(place_at(body.skeleton, led.clip, 1, swung_hand), start + Vec3{0.1, 0.1, 0.1}), 1e-5);
  for (const double time : {0.0, 0.5, 1.5, 2.0})
    EXPECT_LT(distance(place_at(body.skeleton, led.clip, time, swung_hand), start), 1e-12) << time;
}

TEST(JointPath, ImpossibleRequestsAreRefused) {
  const PosedSkeleton body;
  const Clip clip = swinging(body);
  EXPECT_THROW(lead_joint(body.skeleton, body.bone, clip, {0, {}}), Error);
  EXPECT_THROW(lead_joint(body.skeleton, body.bone, clip, {99, {}}), Error);
  EXPECT_THROW(lead_joint(body.skeleton, body.bone, clip, {swung_hand, {}, {{-1}}}), Error);
  const JointPath path = joint_path(body.skeleton, clip, swung_hand, -1, std::vector{0.0, 1.0, 2.0});
  EXPECT_THROW(redrawn(path, {{{0, 0, 0}}, {0, 0, 1}, {}}, 0, 2, 0.1), Error);
  EXPECT_THROW(redrawn(path, {{{0, 0, 0}, {1, 0, 0}}, {0, 0, 1}, Vec3{0, 0, -1}}, 0, 2, 0.1), Error);
  EXPECT_THROW(redrawn(path, {{{0, 0, 0}, {1, 0, 0}}, {0, 0, 1}, {}}, 0.4, 0.6, 0.1), Error);
}

}  // namespace
}  // namespace sinew
