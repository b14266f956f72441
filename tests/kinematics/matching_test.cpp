// Motion matching: searches find what comparing everything finds, motion goes over without a jump, and bodies obey.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/kinematics/matching/match_path.h"
#include "sinew/linalg/turns.h"
#include "tests/base/refusal.h"
#include "tests/kinematics/striders.h"

namespace sinew::test {
namespace {

// Rows that wander from one to the next, as features of frames do.
std::vector<float> wandering_rows(std::size_t rows, std::size_t width, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> step(0, 0.2F);
  std::vector<float> values(rows * width), now(width, 0.0F);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t d = 0; d < width; ++d) values[row * width + d] = now[d] = 0.98F * now[d] + step(random);
  return values;
}

TEST(FeatureTable, FindsTheRowThatComparingAllRowsInDoubleFinds) {
  constexpr std::size_t rows = 5003, width = 29;
  const std::vector<float> values = wandering_rows(rows, width, 1);
  std::vector<float> costs(rows, 0.0F);
  for (std::size_t row = 0; row < rows; ++row)
    costs[row] = row % 7 == 3 ? std::numeric_limits<float>::infinity() : static_cast<float>(row % 5) * 0.1F;
  const FeatureTable table(values, width, costs);
  std::mt19937 random(2);
  std::normal_distribution<float> noise(0, 0.3F);
  for (int k = 0; k < 200; ++k) {
    const std::size_t near = random() % rows;
    std::vector<float> query(width);
    for (std::size_t d = 0; d < width; ++d) query[d] = values[near * width + d] + noise(random);
    double least = HUGE_VAL, second = HUGE_VAL;
    std::size_t best = rows;
    for (std::size_t row = 0; row < rows; ++row) {
      double sum = static_cast<double>(costs[row]);
      for (std::size_t d = 0; d < width; ++d)
        sum += std::pow(static_cast<double>(values[row * width + d]) - static_cast<double>(query[d]), 2);
      if (sum < least)
        second = least, least = sum, best = row;
      else
        second = std::min(second, sum);
    }
    ASSERT_GT(second - least, 1e-4 * least) << "the query has two nearest rows";
    const NearestRow found = table.nearest(query, std::numeric_limits<float>::max());
    EXPECT_EQ(found.row, best);
    EXPECT_NEAR(found.cost, least, 1e-5 * least);
    EXPECT_EQ(table.nearest_of_all(query, std::numeric_limits<float>::max()).row, best);
    // Nothing is found that is not nearer than asked for.
    const NearestRow none = table.nearest(query, found.cost);
    EXPECT_EQ(none.row, rows);
    EXPECT_EQ(none.cost, found.cost);
  }
}

TEST(FeatureTable, OfRowsThatAreEqualTheFirstIsFound) {
  std::vector<float> values(100, 1.0F);
  const FeatureTable table(values, 2, std::vector<float>(50, 0.0F));
  EXPECT_EQ(table.nearest(std::vector<float>{0, 0}, 10).row, 0U);
}

// A difference that moves with constant acceleration goes on with it, and ends with neither value, slope nor curvature.
TEST(DecayingOffset, GoesOnSmoothlyAndEndsSmoothly) {
  const Vec3 place{0.3, -0.1, 2}, velocity{0.02, 0.05, -0.1}, acceleration{0.004, -0.002, 0.01};
  const auto before = [&](double t) { return place + t * velocity + (t * t / 2) * acceleration; };
  constexpr double frames = 12, h = 1e-3;
  const DecayingOffset offset({before(-2), before(-1), before(0)}, frames);
  EXPECT_LT(distance(offset.at(0), place), 1e-14);
  const Vec3 slope = (offset.at(h) - offset.at(-h)) / (2 * h);
  const Vec3 curvature = (offset.at(h) - 2 * offset.at(0) + offset.at(-h)) / (h * h);
  EXPECT_LT(distance(slope, velocity), 1e-6);
  EXPECT_LT(distance(curvature, acceleration), 1e-6);
  // (1 - t)^3 of what is left.
  EXPECT_LT(norm(offset.at(frames - h)), 1e-10);
  EXPECT_EQ(norm(offset.at(frames)), 0);
  EXPECT_EQ(norm(offset.at(frames + 5)), 0);
}

struct Matched {
  Striders some;
  PointCloud feet;

  Matched() {
    some.add_usual_clips();
    some.connect();
    feet.points.push_back({1, {{2, 1, {}}}});
  }
  MotionDatabase database() const {
    return {some.body, some.framed, feet, std::vector<double>(some.framed.size(), 0.0)};
  }
};

// Where a body comes to that goes along an arc.
std::vector<PlaceAhead> on_arc(double speed, double turn, const std::vector<double>& times) {
  std::vector<PlaceAhead> places;
  for (const double t : times) {
    const double angle = turn * t, half = angle / 2, chord = speed * t * (half == 0 ? 1 : std::sin(half) / half);
    places.push_back({turned(half, {0, 0, chord}), turned(angle, {0, 0, 1})});
  }
  return places;
}

TEST(MotionDatabase, FramesOfAClipThatGoesAlongAnArcAreAheadOnIt) {
  const Matched own;
  const MotionDatabase database = own.database();
  ASSERT_EQ(database.frames(), 150U);
  // The query of a frame for what its own clip does is the frame itself.
  const auto expect_itself = [&](int clip, double speed, double turn) {
    const std::vector<PlaceAhead> ahead = on_arc(speed, turn, database.options().ahead);
    for (const int frame : {0, 7, 29}) {
      const std::size_t row = database.row(clip, frame);
      const std::vector<float> query = database.query(row, ahead);
      EXPECT_NEAR(database.cost(row, query), 0, 1e-5) << clip << ", " << frame;
      EXPECT_EQ(database.table().nearest(query, 1).row, row);
    }
  };
  expect_itself(0, 1.2, 0.8);
  expect_itself(1, 1.2, 0);
  expect_itself(2, 1.2, -0.8);
  expect_itself(3, 3, 0);
  expect_itself(4, 0, 0);
}

TEST(MotionMatcher, WishesAreObeyedSoonAndWhatIsWantedAlreadyGoesOn) {
  const Matched own;
  const MotionDatabase database = own.database();
  MotionMatcher matcher(own.some.body, own.some.framed, database);
  const auto& times = database.options().ahead;
  matcher.begin(database.row(4, 0), {});
  int changes = 0;
  const auto wish = [&](double speed, double turn, int frames) {
    changes = 0;
    for (int f = 0; f < frames; ++f) {
      matcher.next(on_arc(speed, turn, times));
      changes += matcher.went_over();
    }
    return matcher.place().clip;
  };
  EXPECT_EQ(wish(0, 0, 60), 4);
  EXPECT_EQ(changes, 0);
  EXPECT_LT(norm(matcher.body().place), 1e-9);
  for (const auto& [clip, speed, turn] :
       {std::tuple{1, 1.2, 0.0}, {0, 1.2, 0.8}, {2, 1.2, -0.8}, {3, 3.0, 0.0}, {1, 1.2, 0.0}, {4, 0.0, 0.0}}) {
    EXPECT_EQ(wish(speed, turn, 3), clip) << "not within a tenth of a second";
    EXPECT_EQ(changes, 1);
    EXPECT_EQ(wish(speed, turn, 30), clip);
    EXPECT_EQ(changes, 0);
    const Standing before = matcher.body();
    EXPECT_EQ(wish(speed, turn, 30), clip);
    const Standing way = between(before, matcher.body());
    EXPECT_NEAR(way.heading, turn, 1e-9);
    EXPECT_NEAR(norm(way.place),
                on_arc(speed, turn, {1}).front().place.z == 0 ? 0 : norm(on_arc(speed, turn, {1}).front().place), 2e-3);
  }
}

// Third differences of the body's place and of its swinging leg when motion goes over, against the clips' own: a cut
// would have those of a jump.
TEST(MotionMatcher, MotionGoesOverWithoutAJump) {
  const Matched own;
  const MotionDatabase database = own.database();
  MotionMatcher matcher(own.some.body, own.some.framed, database);
  const auto& times = database.options().ahead;
  std::vector<Vec3> places;
  std::vector<double> swings;
  const auto record = [&] {
    const WalkPose& pose = matcher.pose();
    places.push_back(matcher.body().place);
    swings.push_back(rotation_logarithm(pose.local[1].rotation).x);
  };
  matcher.begin(database.row(1, 0), {});
  record();
  std::vector<std::size_t> changes;
  for (int f = 0; f < 240; ++f) {
    const double speed = (f / 40) % 3 == 0 ? 1.2 : (f / 40) % 3 == 1 ? 3 : 0;
    matcher.next(on_arc(speed, 0, times));
    if (matcher.went_over()) changes.push_back(places.size());
    record();
  }
  ASSERT_GE(changes.size(), 5U);
  const auto third = [](auto&& value, std::size_t f) {
    return value[f + 3] - 3 * value[f + 2] + 3 * value[f + 1] - value[f];
  };
  double jump = 0, swing = 0;
  for (std::size_t f = 0; f + 3 < places.size(); ++f) {
    jump = std::max(jump, norm(third(places, f)));
    swing = std::max(swing, std::abs(third(swings, f)));
  }
  // The clips swing the leg by 0.5 sin(2 pi t), whose third difference is at most 0.5 (2 pi / 30)^3; speeds differ by
  // 3 m/s, 0.1 m a frame, which as a jump would be a third difference of as much.
  const double own_swing = 0.5 * std::pow(2 * half_circle / 30, 3);
  std::printf("third differences: place %.4f m (0.1 as a jump), swing %.4f rad (%.4f in the clips)\n", jump, swing,
              own_swing);
  EXPECT_LT(jump, 0.01);
  EXPECT_LT(swing, 3 * own_swing);
  // After the difference has died away the pose is the clip's.
  for (int f = 0; f < 30; ++f) matcher.next(on_arc(0, 0, times));
  WalkPose last = matcher.pose();
  EXPECT_NEAR(rotation_logarithm(last.local[1].rotation).x,
              0.5 * std::sin(2 * half_circle * matcher.place().frame / 30), 1e-9);
}

TEST(MatchPath, FollowsACurveFromStandingToStanding) {
  const Matched own;
  const MotionDatabase database = own.database();
  std::vector<Vec3> points;
  for (int k = 0; k <= 8; ++k) points.push_back({2 * std::sin(0.5 * k), 0, 1.5 * k});
  const GroundPath path(points, false);
  MatchPathOptions options;
  options.speed = 1.2;
  const MatchedWalk walk = match_path(own.some.body, own.some.framed, database, path, options, "walk");
  EXPECT_EQ(walk.frames.front().place.clip, 4);
  EXPECT_EQ(walk.frames.back().place.clip, 4);
  double most = 0, way = 0;
  for (const MatchedFrame& frame : walk.frames) {
    way = path.nearest_way(frame.body.place, way, 1);
    most = std::max(most, distance(frame.body.place, path.at(way)));
  }
  std::printf("path of %.1f m: %.1f s, %.3f m away at most, %.3f m before its end\n", path.length(), walk.clip.end,
              most, path.length() - way);
  EXPECT_LT(most, 0.15);
  EXPECT_LT(std::abs(path.length() - way), 0.4);
  EXPECT_NEAR(walk.clip.end, path.length() / options.speed, 0.2 * path.length() / options.speed);
}

// Times are seconds, whatever the rate of frames.
TEST(MatchPath, FollowsTheSameWayAtFourTimesTheFrames) {
  const Matched own;
  const GroundPath path(std::vector<Vec3>{{0, 0, 0}, {0, 0, 4}, {2, 0, 7}}, false);
  MatchPathOptions options;
  options.speed = 1.2;
  std::vector<MatchedWalk> walks;
  for (const double rate : {30.0, 120.0}) {
    std::vector<FramedClip> clips;
    for (const Clip& clip : own.some.clips) clips.emplace_back(own.some.body, clip, true, rate);
    const MotionDatabase database(own.some.body, clips, own.feet, std::vector<double>(clips.size(), 0.0));
    walks.push_back(match_path(own.some.body, clips, database, path, options, "walk"));
  }
  EXPECT_NEAR(walks[0].clip.end, walks[1].clip.end, 0.6);
  EXPECT_NEAR(walks[0].left, walks[1].left, 0.3);
  const auto changes = [](const MatchedWalk& walk) {
    return std::count_if(walk.frames.begin(), walk.frames.end(), [](const MatchedFrame& f) { return f.went_over; });
  };
  EXPECT_NEAR(static_cast<double>(changes(walks[0])), static_cast<double>(changes(walks[1])), 4);
  for (std::size_t f = 0; f < std::min(walks[0].frames.size(), walks[1].frames.size() / 4); ++f)
    EXPECT_LT(distance(walks[0].frames[f].body.place, walks[1].frames[4 * f].body.place), 0.4) << f;
}

TEST(MatchPath, SaysWhatIsLeftOfAPathThatNoClipGoes) {
  Matched own;
  // Only clips that stand.
  const std::vector<FramedClip> clips{own.some.framed[4]};
  const MotionDatabase database(own.some.body, clips, own.feet, std::vector<double>{0});
  const GroundPath path(std::vector<Vec3>{{0, 0, 0}, {0, 0, 3}}, false);
  const MatchedWalk walk = match_path(own.some.body, clips, database, path, {}, "walk");
  EXPECT_NEAR(walk.left, 3, 0.1);
  EXPECT_NEAR(walk.clip.end, 4 * 3 + 10, 0.1);
}

TEST(MatchPath, RefusesWalksWithoutEndAndStops) {
  const Matched own;
  const MotionDatabase database = own.database();
  const GroundPath far(std::vector<Vec3>{{0, 0, 0}, {0, 0, 1e5}}, false),
      near(std::vector<Vec3>{{0, 0, 0}, {0, 0, 9}}, false);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { match_path(own.some.body, own.some.framed, database, far, {}, "walk"); })
                .find("too many frames"),
            std::string::npos);
  EXPECT_THROW(match_path(own.some.body, own.some.framed, database, near, {}, "walk",
                          [](const ProgressReport&) { return false; }),
               Stopped);
}

TEST(MotionDatabase, AClipOfOneFrameBesideALoopIsNeverBegunIn) {
  Matched own;
  Clip still = own.some.clips[4];
  still.end = still.start;
  const std::vector<FramedClip> clips{own.some.framed[1], FramedClip(own.some.body, still, false, 30)};
  ASSERT_EQ(clips[1].frames(), 1);
  const MotionDatabase database(own.some.body, clips, own.feet, std::vector<double>{0, 0});
  EXPECT_EQ(database.frames(), clips[0].frames() + 1U);
  EXPECT_EQ(database.place(database.row_for(on_arc(0, 0, database.options().ahead))).clip, 0);
}

// A clip that does not loop is left before its end.
TEST(MotionMatcher, AClipThatEndsIsLeftInTime) {
  Matched own;
  const std::vector<FramedClip> clips{FramedClip(own.some.body, own.some.clips[1], false, 30),
                                      FramedClip(own.some.body, own.some.clips[3], false, 30)};
  const MotionDatabase database(own.some.body, clips, own.feet, std::vector<double>(2, 0.0));
  MotionMatcher matcher(own.some.body, clips, database);
  matcher.begin(database.row(0, 5), {});
  for (int f = 0; f < 300; ++f) matcher.next(on_arc(1.2, 0, database.options().ahead));
  EXPECT_NEAR(matcher.body().place.z, 12, 0.5);
  EXPECT_EQ(matcher.place().clip, 0);
}

}  // namespace
}  // namespace sinew::test
