// Steering through motion graphs: what keys ask for is played, soon, and with the same frames each time.
#include "sinew/kinematics/graph/steer_graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/kinematics/graph/walk_clip.h"
#include "sinew/kinematics/graph/walk_poser.h"
#include "tests/kinematics/striders.h"

namespace sinew::test {
namespace {

struct Steered {
  Striders some;
  SteerOptions options;

  explicit Steered(double help) {
    some.add_usual_clips();
    some.connect();
    options.help = help;
  }
};

Standing body_of(const GraphSteering& steering) { return steering.state().body; }

TEST(SteerGraph, HeldKeysPlayTheClipsThatGoThatWay) {
  const Steered own(0);
  GraphSteering steering(own.some.graph, own.some.framed, own.options, 4, 0);
  const auto hold = [&](const SteerWish& wish, int frames) {
    for (int f = 0; f < frames; ++f) steering.next(wish);
    return steering.frame().clip;
  };
  EXPECT_EQ(hold({0, 0}, 60), 4);
  EXPECT_LT(norm(body_of(steering).place), 1e-9);
  EXPECT_EQ(hold({0, 1.2}, 40), 1);
  EXPECT_EQ(hold({0.8, 1.2}, 40), 0);
  const double before = body_of(steering).heading;
  hold({0.8, 1.2}, 60);
  EXPECT_NEAR(body_of(steering).heading - before, 1.6, 0.01);
  EXPECT_EQ(hold({-0.8, 1.2}, 40), 2);
  EXPECT_EQ(hold({0, 1.2}, 40), 1);
  EXPECT_EQ(hold({0, 3}, 40), 3);
  EXPECT_EQ(hold({0, 0}, 60), 4);
  const Vec3 place = body_of(steering).place;
  hold({0, 0}, 60);
  EXPECT_LT(distance(body_of(steering).place, place), 1e-9);
}

// A key waits for the next frame with transitions, of which there is one each 15 frames, and for a transition to begin
// to be seen. A transition that has begun before is ended first.
TEST(SteerGraph, AKeyTurnsTheBodyWithinABoundedTime) {
  for (const double help : {0.0, 1.6}) {
    const Steered own(help);
    int slowest = 0;
    for (int pressed = 20; pressed < 65; ++pressed) {
      GraphSteering steering(own.some.graph, own.some.framed, own.options, 1, 0);
      for (int f = 0; f < pressed; ++f) steering.next({0, 1.2});
      EXPECT_NEAR(body_of(steering).heading, 0, 1e-9);
      int frames = 0;
      while (body_of(steering).heading < 0.02 && frames < 200) steering.next({0.8, 1.2}), ++frames;
      slowest = std::max(slowest, frames);
    }
    std::printf("with %.1f rad/s beyond the clips a key turns the body after at most %d frames (%.2f s)\n", help,
                slowest, slowest / 30.0);
    EXPECT_LE(slowest, help > 0 ? 5 : 15 + own.some.graph.window);
  }
}

// A circle of 4 s and a straight clip, with transitions late in the circle, whose headings lie between -pi and pi as
// those of aligned windows do, while the clip's own goes on to a full turn.
TEST(SteerGraph, FullTurnsHideNoTransition) {
  Striders some;
  some.add_clip("circle", 4.8, 2 * half_circle, 4);
  some.add_clip("straight", 1.2, 0);
  some.connect();
  some.graph.transitions.clear();
  for (const bool there : {true, false})
    for (const int late : {75, 105}) {
      const int from = there ? 0 : 1, from_frame = there ? late : 15, to_frame = there ? 15 : late;
      Standing motion = after(some.framed[index(from)].standing(from_frame),
                              inverse(some.framed[index(1 - from)].standing(to_frame)));
      motion.heading = nearest_heading(motion.heading, 0);
      some.graph.transitions.push_back({from, 1 - from, from_frame, to_frame, motion, 0.01});
    }
  SteerOptions options;
  options.help = 0;
  GraphSteering steering(some.graph, some.framed, options, 0, 0);
  double most = 0;
  const auto hold = [&](const SteerWish& wish, int frames) {
    for (int f = 0; f < frames; ++f) {
      const double before = steering.state().facing;
      steering.next(wish);
      most = std::max(most, std::abs(steering.state().facing - before));
    }
    return steering.frame().clip;
  };
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(hold({0, 1.2}, 150), 1) << round;
    const double straight = body_of(steering).heading;
    hold({0, 1.2}, 30);
    EXPECT_NEAR(body_of(steering).heading, straight, 1e-9) << round;
    EXPECT_EQ(hold({half_circle / 2, 1.2}, 300), 0) << round;
  }
  EXPECT_LT(most, 0.2) << "radians from frame to frame";
}

TEST(SteerGraph, ABodyThatOnlyGoesStraightIsTurnedButNotWhereItStands) {
  Striders some;
  some.add_clip("straight", 1.2, 0);
  some.add_clip("stand", 0, 0);
  some.connect();
  SteerOptions options;
  options.help = 1;
  GraphSteering steering(some.graph, some.framed, options, 0, 0);
  for (int f = 0; f < 30; ++f) steering.next({0.7, 1.2});
  const double before = body_of(steering).heading;
  for (int f = 0; f < 60; ++f) steering.next({0.7, 1.2});
  EXPECT_NEAR(body_of(steering).heading - before, 1.4, 0.01);
  for (int f = 0; f < 60; ++f) steering.next({0, 0});
  EXPECT_EQ(steering.frame().clip, 1);
  const double stood = body_of(steering).heading;
  for (int f = 0; f < 60; ++f) steering.next({0, 0});
  EXPECT_NEAR(body_of(steering).heading, stood, 1e-6);
}

TEST(SteerGraph, OfClipsThatStandTheCalmestIsPlayed) {
  Striders some;
  some.add_clip("shiver", 0, 0);
  some.add_clip("stand", 0, 0);
  some.add_clip("walk", 1.2, 0);
  some.connect();
  SteerOptions options;
  options.liveliness = {0.8, 0.1, 0.5};
  const SteerStart start = steer_start(some.graph, some.framed, options);
  EXPECT_EQ(start.clip, 1);
  GraphSteering steering(some.graph, some.framed, options, 0, 0);
  for (int f = 0; f < 40; ++f) steering.next({0, 0});
  EXPECT_EQ(steering.frame().clip, 1);
  const SteerSpeeds speeds = steer_speeds(some.framed, options.forward, 1.8);
  EXPECT_NEAR(speeds.walk, 1.2, 1e-3);
  EXPECT_NEAR(speeds.run, 1.2, 1e-3);
}

TEST(SteerGraph, GivesTheSameFramesAndThePosesOfAClip) {
  const Steered own(1.6);
  const std::vector<SteerWish> wishes{{0, 1.2}, {0.9, 1.2}, {0, 3}, {-1.2, 3}, {0, 0}};
  const auto run = [&] {
    GraphSteering steering(own.some.graph, own.some.framed, own.options, 4, 3);
    Walk walk;
    walk.frames.push_back(steering.frame());
    for (int f = 0; f < 250; ++f) {
      steering.next(wishes[index(f / 50)]);
      walk.frames.push_back(steering.frame());
    }
    return walk;
  };
  const Walk walk = run(), again = run();
  const Clip clip = walk_clip(own.some.body, own.some.framed, walk, 30, "steered");
  WalkPoser poser(own.some.body, own.some.framed);
  WalkPose before, now = poser(again.frames[0]);
  Pose pose;
  Vec3 place{0, 1, 0};
  for (std::size_t f = 1; f < again.frames.size(); ++f) {
    before = now;
    now = poser(again.frames[f]);
    pose_between(own.some.skeleton, poser.moved(), before, now, 0.25, pose);
    const Pose baked = sample(own.some.skeleton, &clip, (static_cast<double>(f) - 0.75) / 30);
    for (std::size_t j = 0; j < pose.world.size(); ++j) {
      EXPECT_LT(distance(pose.world[j].translation, baked.world[j].translation), 1e-12);
      EXPECT_LT(distance(pose.world[j] * Vec3{1, 1, 1}, baked.world[j] * Vec3{1, 1, 1}), 1e-9);
    }
    // It goes on without jumps: from a stand a blend over w = 3 s^2 - 2 s^3 goes d(s w)/ds <= 27/16 times as fast as
    // the clip that it leads to.
    const Vec3 there = pose.world[0].translation;
    if (f > 1) {
      EXPECT_LT(distance(there, place), 1.001 * 27 / 16 * 3 / 30);
    }
    place = there;
  }
}

}  // namespace
}  // namespace sinew::test
