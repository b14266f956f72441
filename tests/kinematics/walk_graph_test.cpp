// Walks through motion graphs: clips of a body that strides, followed along paths, by chance and in turn; and travel
// that follows from feet.
#include "sinew/kinematics/graph/walk_graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"
#include "sinew/kinematics/foot_locks.h"
#include "sinew/kinematics/graph/follow_path.h"
#include "sinew/kinematics/graph/travel_from_feet.h"
#include "sinew/kinematics/graph/walk_clip.h"
#include "sinew/linalg/turns.h"
#include "tests/kinematics/human.h"
#include "tests/kinematics/striders.h"

namespace sinew::test {
namespace {

Vec3 body_at(const std::vector<FramedClip>& clips, const WalkFrame& frame) {
  const Vec3 place = after(frame.ground, clips[index(frame.clip)].standing(frame.frame)).place;
  if (frame.next < 0) return place;
  const Vec3 next = after(frame.next_ground, clips[index(frame.next)].standing(frame.next_frame)).place;
  return place * (1 - frame.weight) + next * frame.weight;
}

TEST(FramedClips, CyclesGoOnWhereTheLastOneEnded) {
  Striders some;
  some.add_clip("curve", 1.2, half_circle / 3);
  some.connect();
  const FramedClip& clip = some.framed[0];
  ASSERT_EQ(clip.frames(), 30);
  // Six cycles of a sixth of a turn lead back to the beginning.
  const Standing begin = clip.standing(0), end = clip.standing(6 * 30);
  EXPECT_LT(distance(begin.place, end.place), 1e-9);
  EXPECT_NEAR(end.heading - begin.heading, 2 * half_circle, 1e-9);
  // What the offset adds to a frame's pose is what its standing has.
  const Standing within = clip.standing(7), later = clip.standing(67);
  const Standing moved = after(clip.offset(67), within);
  EXPECT_LT(distance(moved.place, later.place), 1e-9);
  EXPECT_NEAR(moved.heading, later.heading, 1e-9);
  const FramedClip treading(some.body, some.clips[0], true, 30, {0, 0, 2});
  EXPECT_LT(distance(treading.standing(15).place, clip.standing(15).place), 1e-12);
  EXPECT_LT(distance(treading.travel_step(), {0, 0, 2.0 / 30}), 1e-12);
}

TEST(FollowPath, ChoosesTheClipsThatTheCurveNeeds) {
  Striders some;
  some.add_clip("left", 1.2, 0.8);
  some.add_clip("straight", 1.2, 0);
  some.add_clip("right", 1.2, -0.8);
  some.connect();
  // Radius 1.5: the curves' own.
  std::vector<Vec3> points{{0, 0, 0}, {0, 0, 2}, {0, 0, 4}};
  for (int k = 1; k <= 8; ++k)
    points.push_back({1.5 - 1.5 * std::cos(k * half_circle / 8), 0, 4 + 1.5 * std::sin(k * half_circle / 8)});
  points.push_back({3, 0, 0});
  const GroundPath path(points, false);
  FollowOptions options;
  options.steer = 0;
  const Walk walk = follow_path(some.graph, some.framed, path, {0, 0, 1}, options);
  std::set<int> played;
  for (std::size_t f = 0; f < walk.frames.size(); ++f) {
    const Vec3 at = body_at(some.framed, walk.frames[f]);
    played.insert(walk.frames[f].clip);
    double away = HUGE_VAL;
    for (double way = 0; way <= path.length(); way += 0.02) away = std::min(away, distance(at, path.at(way)));
    EXPECT_LT(away, 0.35) << f << ": " << at.x << " " << at.z;
    if (f > 0) {
      EXPECT_LT(distance(at, body_at(some.framed, walk.frames[f - 1])), 1.3 * 1.2 / 30);
    }
  }
  EXPECT_TRUE(played.contains(0));
  EXPECT_TRUE(played.contains(1));
  EXPECT_LT(distance(body_at(some.framed, walk.frames.back()), {3, 0, 0}), 0.5);
}

TEST(FollowPath, ABodyThatOnlyWalksStraightIsSteered) {
  Striders some;
  some.add_clip("straight", 1.2, 0);
  some.connect();
  std::vector<Vec3> circle;
  for (int k = 0; k < 12; ++k)
    circle.push_back({4 * std::cos(k * half_circle / 6), 0, 4 * std::sin(k * half_circle / 6)});
  const GroundPath path(circle, true);
  const Walk walk = follow_path(some.graph, some.framed, path, {0, 0, 1});
  EXPECT_NEAR(static_cast<double>(walk.frames.size()), path.length() / 1.2 * 30, 60);
  for (const WalkFrame& frame : walk.frames) EXPECT_NEAR(norm(body_at(some.framed, frame)), 4, 0.25);
}

// Branch and bound finds what trying all ways finds.
TEST(FollowPath, SearchFindsTheBestOfAllWays) {
  Striders some;
  some.add_clip("left", 1.0, 0.6);
  some.add_clip("right", 1.0, -0.6);
  some.connect();
  const GroundPath path(std::vector<Vec3>{{0, 0, 0}, {0.6, 0, 1.5}, {0, 0, 3.2}}, false);
  FollowOptions options;
  options.steer = 0;
  options.horizon_seconds = options.keep_seconds = 2;
  options.alike = 0;
  const Walk walk = follow_path(some.graph, some.framed, path, {0, 0, 1}, options);
  const auto error_of = [&](const std::vector<Vec3>& places) {
    // The point of the path beside the body, as the walk follows it.
    double sum = 0, way = 0;
    for (std::size_t f = 1; f < places.size() && f <= 60; ++f) {
      const double along = dot(places[f] - path.at(way), path.direction(way));
      way += std::clamp(along, 0.1 / 30, 2 * distance(places[f], places[f - 1]) + 1.0 / 30);
      sum += squared_norm(places[f] - path.at(way));
    }
    return sum;
  };
  std::vector<Vec3> own;
  double own_transitions = 0;
  for (const WalkFrame& frame : walk.frames) own.push_back(body_at(some.framed, frame));
  for (const TakenTransition& taken : walk.transitions)
    if (taken.begin < 60) own_transitions += 0.01 * 0.01 * std::min(6, 60 - taken.begin);
  const GraphWalker walker(some.graph, some.framed);
  double least = HUGE_VAL;
  int ways = 0;
  const std::function<void(const WalkState&, const Walk&)> try_all = [&](const WalkState& state, const Walk& so_far) {
    if (state.frames >= 60) {
      std::vector<Vec3> places;
      double transitions = 0;
      for (const WalkFrame& frame : so_far.frames) places.push_back(body_at(some.framed, frame));
      for (const TakenTransition& taken : so_far.transitions)
        transitions += 0.01 * 0.01 * std::min(6, 60 - taken.begin);
      least = std::min(least, error_of(places) + transitions);
      ++ways;
      return;
    }
    for (const int choice : walker.choices(state)) {
      WalkState next = state;
      Walk longer = so_far;
      walker.take(choice, 60, next, &longer);
      try_all(next, longer);
    }
  };
  const Vec3 looks = path.direction(0);
  for (int clip = 0; clip < 2; ++clip) {
    WalkState state;
    ASSERT_TRUE(walker.begin(clip, {std::atan2(looks.x, looks.z), {}}, state));
    Walk begin;
    begin.frames.push_back({state.clip, state.frame, state.ground, -1, 0, {}, 0});
    try_all(state, begin);
  }
  EXPECT_GT(ways, 20);
  EXPECT_NEAR(error_of(own) + own_transitions, least, 1e-9);
}

TEST(WalkGraph, WandersTheSameWayForASeedAndPlaysClipsInTurn) {
  Striders some;
  some.add_clip("a", 1.2, 0.8);
  some.add_clip("b", 1.2, 0);
  some.add_clip("c", 1.2, -0.8);
  some.connect();
  const GraphWalker walker(some.graph, some.framed);
  const Walk once = wander(walker, 11, 600), again = wander(walker, 11, 600), other = wander(walker, 12, 600);
  EXPECT_GT(once.transitions.size(), 5u);
  ASSERT_EQ(once.transitions.size(), again.transitions.size());
  for (std::size_t k = 0; k < once.transitions.size(); ++k)
    EXPECT_EQ(once.transitions[k].transition, again.transitions[k].transition);
  const auto numbers = [](const Walk& walk) {
    std::vector<int> result;
    for (const TakenTransition& taken : walk.transitions) result.push_back(taken.transition);
    return result;
  };
  EXPECT_NE(numbers(once), numbers(other));

  const std::vector<ClipTurn> turns{{2, 40}, {0, 0}, {1, 20}};
  const Walk played = play_in_turn(walker, turns);
  std::vector<int> order;
  for (const WalkFrame& frame : played.frames)
    if (order.empty() || order.back() != frame.clip) order.push_back(frame.clip);
  EXPECT_EQ(order, (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(played.transitions.size(), 2u);
}

// Bodies that tread in place are carried on, and from a slow to a fast one the speed changes steadily.
TEST(WalkGraph, TravelGoesOverByItsSpeed) {
  Striders some;
  some.add_clip("slow", 0, 0);
  some.add_clip("fast", 0, 0);
  some.connect();
  std::vector<FramedClip> treading;
  treading.emplace_back(some.body, some.clips[0], true, 30.0, Vec3{0, 0, 1});
  treading.emplace_back(some.body, some.clips[1], true, 30.0, Vec3{0, 0, 4});
  const GraphWalker walker(some.graph, treading);
  WalkState state;
  ASSERT_TRUE(walker.begin(0, {half_circle / 2, {}}, state));
  Walk walk;
  walk.frames.push_back({state.clip, state.frame, state.ground, -1, 0, {}, 0});
  const auto go = [&](std::size_t choice) {
    const std::vector<int> choices = walker.choices(state);
    walker.take(choices[choice], 1000, state, &walk);
  };
  go(0);
  go(1);
  go(0);
  ASSERT_EQ(walk.transitions.size(), 1u);
  const int begin = walk.transitions[0].begin;
  double speed = 0;
  for (std::size_t f = 1; f < walk.frames.size(); ++f) {
    const Vec3 step = body_at(treading, walk.frames[f]) - body_at(treading, walk.frames[f - 1]);
    EXPECT_NEAR(step.z, 0, 1e-9);  // turned by a quarter
    const double now = step.x * 30;
    if (static_cast<int>(f) <= begin) {
      EXPECT_NEAR(now, 1, 1e-9);
    } else if (static_cast<int>(f) > begin + some.graph.window) {
      EXPECT_NEAR(now, 4, 1e-9);
    } else {
      EXPECT_GT(now, speed);
    }
    speed = now;
  }
}

// In a transition between two copies of one clip nothing changes: the walk is the clip, wherever it is and however it
// is turned.
TEST(WalkClip, ATransitionBetweenEqualMotionsChangesNothing) {
  Striders some;
  some.add_clip("a", 1.2, 0.5);
  some.add_clip("b", 1.2, 0.5);
  // The copy walks elsewhere.
  const Standing elsewhere{2, {30, 0, -4}};
  Channel& way = some.clips[1].channels[0];
  Channel& heading = some.clips[1].channels[1];
  for (std::size_t k = 0; k < way.times.size(); ++k) {
    const Vec3 moved =
        turned(elsewhere.heading, {way.values[3 * k], way.values[3 * k + 1], way.values[3 * k + 2]}) + elsewhere.place;
    const Quat q =
        axis_angle({0, 1, 0}, elsewhere.heading) *
        Quat{heading.values[4 * k], heading.values[4 * k + 1], heading.values[4 * k + 2], heading.values[4 * k + 3]};
    for (std::size_t c = 0; c < 3; ++c) way.values[3 * k + c] = moved[c];
    heading.values[4 * k] = q.x, heading.values[4 * k + 1] = q.y;
    heading.values[4 * k + 2] = q.z, heading.values[4 * k + 3] = q.w;
  }
  some.connect();
  const GraphWalker walker(some.graph, some.framed);
  WalkState state;
  ASSERT_TRUE(walker.begin(0, {}, state));
  Walk walk;
  walk.frames.push_back({state.clip, state.frame, state.ground, -1, 0, {}, 0});
  const Standing ground = state.ground;
  for (int k = 0; k < 6; ++k) {
    const std::vector<int> choices = walker.choices(state);
    walker.take(choices[k % 2 ? 0 : choices.size() - 1], 1000, state, &walk);
  }
  ASSERT_GE(walk.transitions.size(), 2u);
  const Clip clip = walk_clip(some.body, some.framed, walk, 30, "walk");
  for (std::size_t f = 0; f < walk.frames.size(); ++f) {
    const Pose pose = sample(some.skeleton, &clip, static_cast<double>(f) / 30);
    const Pose own = sample(some.skeleton, &some.clips[0], static_cast<double>(f % 30) / 30);
    const Affine moved = to_affine(after(ground, some.framed[0].offset(static_cast<int>(f))));
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_LT(distance(pose.world[j].translation, moved * own.world[j].translation), 1e-6) << f << " " << j;
  }
}

TEST(WalkClip, JerkIsTheThirdDerivative) {
  // x = t^3 has a jerk of 6 everywhere, and steady motion has none.
  std::vector<Vec3> positions;
  for (int f = 0; f < 20; ++f) {
    const double t = f / 30.0;
    positions.push_back({t * t * t, 0, 0});
    positions.push_back({0, 3 * t, 1});
  }
  for (const double jerk : jerk_of(positions, std::vector<double>{0.25, 0.75}, 30)) EXPECT_NEAR(jerk, 3, 1e-8);
}

// Legs that tread in place: feet stand and go backward for half of the time, in turn.
TEST(TravelFromFeet, IsAsFastAsTheFeetThatStandGoBackward) {
  const Human human = make_human();
  const RiggedBody body = human.body();
  const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, body.up);
  const std::vector<FootPoints> feet = foot_points(body, frames, body.bones.legs);
  ASSERT_EQ(feet.size(), 2u);
  // Ankles and toes carry the soles.
  PointCloud soles;
  for (const FootPoints& foot : feet)
    for (const Vec3& place : {foot.ankle, foot.toe}) soles.points.push_back({0.25, {{foot.foot, 1, place}}});
  for (CarriedPoint& point : soles.points) point.bonds[0].place.y = soles.points[0].bonds[0].place.y;
  const BodyPoser poser(human.skeleton, body.bones, body.reference, joints_of(body.bones));
  for (const Vec3& velocity : {Vec3{0, 0, 1.1}, Vec3{0.7, 0, 0}, Vec3{0, 0, -0.6}, Vec3{}}) {
    BoneMotion motion;
    const Pose rest = sample(human.skeleton, nullptr, 0);
    std::vector<std::vector<Vec3>> targets(2);
    constexpr int count = 60;
    for (int f = 0; f <= count; ++f) {
      motion.times.push_back(f / 60.0);
      motion.root.push_back(rest.world[index(body.bones.root)].translation - Vec3{0, 0.05, 0});
      for (const int joint : poser.bones()) motion.rotations.push_back(orientation_of(rest.world[index(joint)]));
      for (int side = 0; side < 2; ++side) {
        const double phase = std::fmod(f / 60.0 + 0.5 * side, 1.0);
        // Stands from 0 to 0.55 and swings forward after that.
        const double back = phase < 0.55 ? phase - 0.275 : 0.275 - 0.55 * smooth_step((phase - 0.55) / 0.45);
        const double lift = phase < 0.55 ? 0 : 0.12 * std::sin(half_circle * (phase - 0.55) / 0.45);
        const Vec3 ankle = rest.world[index(feet[index(side)].foot)].translation;
        targets[index(side)].push_back(ankle - velocity * back + Vec3{0, lift, 0});
      }
    }
    place_feet(body, poser, feet, targets, motion);
    const Clip clip = poser.clip(motion, "tread");
    const Vec3 travel = travel_from_feet(human.skeleton, soles, 1.7, clip);
    EXPECT_LT(distance(travel, velocity), 0.03 * std::max(1.0, norm(velocity)))
        << travel.x << " " << travel.z << " for " << velocity.x << " " << velocity.z;
  }
}

}  // namespace
}  // namespace sinew::test
