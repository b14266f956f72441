// Clips that do not repeat, played in turn; the part of a graph that is kept beside clips that repeat alone; and ways
// along paths of dense and of nearly equal points.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sinew/kinematics/graph/ground_path.h"
#include "sinew/kinematics/graph/walk_graph.h"

namespace sinew::test {
namespace {

// A joint that sways; an idling that repeats and a fall of 40 frames, entered at frame 2 and left at frame 20.
struct Falling {
  Skeleton skeleton;
  std::vector<Clip> clips;
  GraphBody body;
  std::vector<FramedClip> framed;
  MotionGraph graph;

  Falling() {
    Joint joint;
    joint.parent = -1;
    skeleton.joints.push_back(joint);
    skeleton.parents_first.push_back(0);
    for (const double seconds : {1.0, 39.0 / 30}) {
      Channel way{0, ChannelPath::translation, Interpolation::linear, {}, 3, {}};
      for (int k = 0; k <= 10; ++k) {
        way.times.push_back(seconds * k / 10);
        way.values.insert(way.values.end(), {0.1 * std::sin(0.2 * 3.14159265 * k), 1, 0});
      }
      Clip clip{clips.empty() ? "Idle" : "Fall", {}, 0, seconds};
      clip.channels = {way};
      clips.push_back(clip);
    }
    body = graph_body(skeleton, clips, {}, 0, 1);
    framed.emplace_back(body, clips[0], true, 30.0);
    framed.emplace_back(body, clips[1], false, 30.0);
    graph.window = 5;
    graph.clips = {{"Idle", true, 30, {}}, {"Fall", false, 40, {}}};
    graph.transitions = {{0, 1, 10, 2, {}, 0.01}, {1, 0, 20, 4, {}, 0.01}};
  }

  Walk played(std::vector<ClipTurn> turns) const { return play_in_turn(GraphWalker(graph, framed), turns); }
};

TEST(PlayInTurn, AClipThatIsPlayedOnceHasAllItsFrames) {
  const Falling some;
  ASSERT_EQ(some.framed[1].frames(), 40);
  const Walk walk = some.played({{1, 0}});
  ASSERT_EQ(walk.frames.size(), 40u);
  for (int f = 0; f < 40; ++f) EXPECT_EQ(walk.frames[static_cast<std::size_t>(f)].frame, f);
}

TEST(PlayInTurn, TheLastClipEndsWithItsFramesAndTheFirstBeginsWithThem) {
  const Falling some;
  const Walk into = some.played({{0, 0}, {1, 0}});
  EXPECT_EQ(into.frames.front().frame, 0);
  EXPECT_EQ(into.frames.back().clip, 1);
  EXPECT_EQ(into.frames.back().frame, 39);
  // The cycle of 30 frames, on to the way out at frame 10, five of the transition, and from frame 7 of the fall to 39.
  EXPECT_EQ(into.frames.size(), 1u + 30 + 10 + 5 + 32);
  const Walk out = some.played({{1, 0}, {0, 12}});
  ASSERT_EQ(out.transitions.size(), 1u);
  EXPECT_EQ(out.transitions[0].begin, 20);
  EXPECT_EQ(out.frames.front().frame, 0);
  EXPECT_EQ(out.frames.size(), 1u + 20 + 5 + 12);
  // Half of a clip, where seconds say so.
  EXPECT_EQ(some.played({{1, 25}}).frames.size(), 26u);
}

TEST(StrongestPart, AClipThatRepeatsAloneDoesNotTakeThePlaceOfThoseThatAreConnected) {
  const auto graph = [] {
    MotionGraph result;
    result.window = 5;
    result.clips = {{"Idle", true, 300, {}}, {"Walk", true, 30, {}}, {"Run", true, 20, {}}};
    return result;
  };
  MotionGraph connected = graph();
  connected.transitions = {{1, 2, 4, 2, {}, 0.01}, {2, 1, 11, 9, {}, 0.01}, {0, 1, 3, 3, {}, 0.01}};
  EXPECT_EQ(keep_strongest_part(connected), (std::vector<std::string>{"Idle"}));
  EXPECT_EQ(connected.transitions.size(), 2u);
  // Without any way back there is nothing but the longest cycle.
  MotionGraph apart = graph();
  apart.transitions = {{1, 2, 4, 2, {}, 0.01}};
  EXPECT_EQ(keep_strongest_part(apart), (std::vector<std::string>{"Walk", "Run"}));
  EXPECT_TRUE(apart.transitions.empty());
}

TEST(GroundPath, NearestWayIsBoundedByTheWayAlongThePathHoweverDenseItsPointsAre) {
  std::vector<Vec3> dense;
  for (int k = 0; k <= 1000; ++k) dense.push_back({0, 0, 0.01 * k});
  const GroundPath path(dense, false), sparse(std::vector<Vec3>{{0, 0, 0}, {0, 0, 10}}, false);
  for (const GroundPath* each : {&path, &sparse}) {
    EXPECT_NEAR(each->nearest_way({0.3, 0, 6}, 5, 2), 6, 1e-9);
    EXPECT_NEAR(each->nearest_way({0.3, 0, 6}, 5, 0.5), 5.5, 1e-9);
    EXPECT_NEAR(each->nearest_way({0.3, 0, 6}, 9, 0.5), 8.5, 1e-9);
    EXPECT_NEAR(each->nearest_way({0, 0, -3}, 1, 40), 0, 1e-9);
    EXPECT_NEAR(each->nearest_way({0, 0, 13}, 1, 40), 10, 1e-9);
    EXPECT_NEAR(each->nearest_way({0, 0, 7}, 10, 0), 10, 1e-9);
  }
}

TEST(GroundPath, PointsThatAreNearlyEqualAreOne) {
  const std::vector<Vec3> near{{0, 0, 0}, {0, 0, 1e-200}, {0, 0, 5}, {0, 0, 5 + 1e-7}, {3, 0, 5}, {1e-8, 0, 0}};
  EXPECT_EQ(points_apart(near, false), (std::vector<Vec3>{{0, 0, 0}, {0, 0, 5}, {3, 0, 5}, {1e-8, 0, 0}}));
  EXPECT_EQ(points_apart(near, true), (std::vector<Vec3>{{0, 0, 0}, {0, 0, 5}, {3, 0, 5}}));
  EXPECT_EQ(points_apart(std::vector<Vec3>{{1, 0, 1}, {1, 0, 1 + 1e-9}}, true).size(), 1u);
}

}  // namespace
}  // namespace sinew::test
