// The strongest part of motion graphs, and paths on the ground.
#include "sinew/kinematics/graph/motion_graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <set>

#include "sinew/base/index.h"
#include "sinew/kinematics/graph/ground_path.h"

namespace sinew::test {
namespace {

constexpr double graph_pi = std::numbers::pi;

GraphTransition transition(int from, int at, int to, int enter) { return {from, to, at, enter, {}, 0.01}; }

MotionGraph graph_of(std::vector<GraphClip> clips, std::vector<GraphTransition> transitions) {
  MotionGraph graph;
  graph.window = 5;
  graph.threshold = 0.1;
  graph.clips = std::move(clips);
  graph.transitions = std::move(transitions);
  return graph;
}

TEST(MotionGraph, ClipsThatLeadNowhereFallOut) {
  // Walk and run lead to each other; a death is reached and never left; a start leaves and is never reached.
  MotionGraph graph =
      graph_of({{"Walk", true, 30, {}}, {"Death", false, 40, {}}, {"Start", false, 40, {}}, {"Run", true, 20, {}}},
               {transition(0, 4, 3, 2), transition(3, 11, 0, 9), transition(0, 20, 1, 0), transition(2, 30, 0, 3)});
  EXPECT_EQ(keep_strongest_part(graph), (std::vector<std::string>{"Death", "Start"}));
  ASSERT_EQ(graph.clips.size(), 2u);
  EXPECT_EQ(graph.clips[1].name, "Run");
  ASSERT_EQ(graph.transitions.size(), 2u);
  EXPECT_EQ(graph.transitions[0].to, 1);
  EXPECT_EQ(graph.transitions[1].from, 1);
  EXPECT_EQ(graph.transitions[1].from_frame, 11);
}

TEST(MotionGraph, ATransitionThatArrivesBehindTheLastWayOutIsTakenOut) {
  // Of the attack, which does not repeat, frame 20 is the last from which a way leads on; a transition into frame 15
  // arrives at frame 20 in time, one into 16 does not.
  MotionGraph graph = graph_of({{"Idle", true, 30, {}}, {"Attack", false, 40, {}}},
                               {transition(0, 3, 1, 15), transition(0, 8, 1, 16), transition(1, 20, 0, 0)});
  EXPECT_TRUE(keep_strongest_part(graph).empty());
  ASSERT_EQ(graph.transitions.size(), 2u);
  EXPECT_EQ(graph.transitions[0].to_frame, 15);
}

// Frames as nodes one by one, and reachability by search: the part that Tarjan's algorithm finds must be the largest
// set of frames that reach each other, of those within which a transition leads.
TEST(MotionGraph, IsTheLargestSetOfFramesThatReachEachOther) {
  std::mt19937 random(5);
  const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  for (int round = 0; round < 60; ++round) {
    std::vector<GraphClip> clips;
    std::vector<int> first;
    int nodes = 0;
    for (int c = 0; c < 4; ++c) {
      clips.push_back({std::string(1, static_cast<char>('a' + c)), below(3) == 0, 15 + below(10), {}});
      first.push_back(nodes);
      nodes += clips.back().frames;
    }
    std::vector<GraphTransition> ways;
    for (int k = 0; k < 7; ++k) {
      const int from = below(4), to = below(4);
      const auto most = [&](int c) {
        return clips[index(c)].loops ? clips[index(c)].frames : clips[index(c)].frames - 5;
      };
      ways.push_back(transition(from, below(most(from)), to, below(most(to))));
    }
    MotionGraph graph = graph_of(clips, ways);
    std::vector<std::vector<int>> next(index(nodes));
    for (int c = 0; c < 4; ++c)
      for (int f = 0; f < clips[index(c)].frames; ++f)
        if (f + 1 < clips[index(c)].frames || clips[index(c)].loops)
          next[index(first[index(c)] + f)].push_back(first[index(c)] + graph.next_frame(c, f));
    for (const GraphTransition& way : ways)
      next[index(first[index(way.from)] + way.from_frame)].push_back(first[index(way.to)] + graph.arrival(way));
    std::vector<std::set<int>> reach(index(nodes));
    for (int n = 0; n < nodes; ++n) {
      const std::function<void(int)> visit = [&](int at) {
        for (const int to : next[index(at)])
          if (reach[index(n)].insert(to).second) visit(to);
      };
      visit(n);
    }
    std::size_t largest = 0;
    for (const GraphTransition& way : ways) {
      const int from = first[index(way.from)] + way.from_frame, to = first[index(way.to)] + graph.arrival(way);
      std::size_t together = 0;
      for (const int at : reach[index(from)]) together += reach[index(at)].contains(from);
      if (reach[index(to)].contains(from)) largest = std::max(largest, together);
    }
    keep_strongest_part(graph);
    // Every kept transition's two ends are in one part, and none is kept where frames reach no other again.
    std::set<std::pair<int, int>> kept;
    for (const GraphTransition& way : graph.transitions) {
      const auto node = [&](int clip, int frame) {
        for (std::size_t c = 0; c < clips.size(); ++c)
          if (clips[c].name == graph.clips[index(clip)].name) return first[c] + frame;
        return -1;
      };
      const int from = node(way.from, way.from_frame), to = node(way.to, graph.arrival(way));
      EXPECT_TRUE(reach[index(to)].contains(from)) << round;
      std::size_t together = 0;
      for (const int at : reach[index(from)]) together += reach[index(at)].contains(from);
      // Frames that a part passes through alone may differ in number where parts are as large as each other.
      EXPECT_GT(together + 12, largest) << round;
      kept.insert({from, to});
    }
    EXPECT_EQ(kept.empty(), largest == 0) << round;
  }
}

TEST(GroundPath, GoesThroughItsPointsAndIsAsLongAsACircle) {
  std::vector<Vec3> circle;
  for (int k = 0; k < 16; ++k) circle.push_back({3 * std::cos(k * graph_pi / 8), 0, 3 * std::sin(k * graph_pi / 8)});
  const GroundPath path(circle, true);
  EXPECT_NEAR(path.length(), 2 * graph_pi * 3, 0.01 * 6 * graph_pi);
  for (double way = 0; way < path.length(); way += 0.1) {
    EXPECT_NEAR(norm(path.at(way)), 3, 0.02);
    EXPECT_NEAR(dot(path.at(way), path.direction(way)), 0, 0.1);
  }
  EXPECT_LT(distance(path.at(path.length()), circle[0]), 1e-9);
  const GroundPath line(std::vector<Vec3>{{0, 5, 0}, {0, 1, 2}, {0, 0, 7}}, false);
  EXPECT_NEAR(line.length(), 7, 1e-9);
  EXPECT_LT(distance(line.at(4.5), {0, 0, 4.5}), 1e-9);
  EXPECT_LT(distance(line.at(9), {0, 0, 9}), 1e-9);
  EXPECT_LT(distance(line.at(-1), {0, 0, -1}), 1e-9);
}

}  // namespace
}  // namespace sinew::test
