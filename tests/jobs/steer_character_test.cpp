// Real characters, steered by keys through the graphs of their clips: they go where they are led, in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/base/stopwatch.h"
#include "sinew/jobs/motion/graph/live_graph.h"

namespace sinew {
namespace {

struct SteeredFor {
  double slowest = 0;  // milliseconds that one frame took
  int frames = 0;      // until the body went or turned as was asked
};

// Holds keys for some seconds, at 60 poses a second. `done`: whether the body does what they ask for.
template <class Done>
SteeredFor hold(SteeredCharacter& body, double& time, double turn, double pace, double seconds, const Done& done) {
  SteeredFor result;
  const SteerWish wish = steer_wish(body.graph(), turn, pace);
  bool was_done = false;
  for (const double end = time + seconds; time < end; time += 1.0 / 60) {
    const Stopwatch watch;
    const Pose& pose = body.pose(time, wish);
    result.slowest = std::max(result.slowest, 1000 * watch.seconds());
    for (const Affine& joint : pose.world) EXPECT_TRUE(std::isfinite(norm(joint.translation)));
    was_done = was_done || done(body.steering().state());
    if (!was_done) ++result.frames;
  }
  EXPECT_TRUE(was_done);
  return result;
}

void steer_about(const std::filesystem::path& file) {
  SCOPED_TRACE(file.filename().string());
  const Stopwatch watch;
  const auto graph = make_live_graph(std::make_shared<OpenedCharacter>(open_rigged_character(file)));
  std::printf("%s: %zu clips, %zu transitions, %.1f s; walks %.2f, runs %.2f m/s; stands in '%s'\n",
              file.filename().c_str(), graph->clips.size(), graph->graph.transitions.size(), watch.seconds(),
              graph->speeds.walk, graph->speeds.run, graph->graph.clips[index(graph->start.clip)].name.c_str());
  SteeredCharacter body(graph);
  double time = 0;
  const auto body_now = [&] { return body.steering().state(); };
  const auto clip_now = [&] { return graph->graph.clips[index(body_now().clip)].name; };
  std::vector<SteeredFor> held;
  WalkState before = body_now();
  held.push_back(hold(body, time, 0, 1, 4, [&](const WalkState& now) {
    return distance(now.body.place, before.body.place) > 0.1 * graph->character.height;
  }));
  const std::string walks = clip_now();
  before = body_now();
  held.push_back(hold(body, time, 1, 1, 3, [&](const WalkState& now) { return now.facing - before.facing > 0.1; }));
  EXPECT_GT(body_now().facing - before.facing, 2);
  before = body_now();
  held.push_back(hold(body, time, -1, 2, 4, [&](const WalkState& now) { return before.facing - now.facing > 0.1; }));
  const std::string runs = clip_now();
  EXPECT_GT(before.facing - body_now().facing, 2);
  hold(body, time, 0, 0, 6, [](const WalkState&) { return true; });
  before = body_now();
  hold(body, time, 0, 0, 2, [](const WalkState&) { return true; });
  EXPECT_LT(distance(body_now().body.place, before.body.place), 0.1 * graph->character.height) << clip_now();
  double slowest = 0;
  for (const SteeredFor& each : held) slowest = std::max(slowest, each.slowest);
  std::printf(
      "  walks as '%s' after %.2f s, turns after %.2f s, runs as '%s' and turns back after %.2f s, stands as '%s'; "
      "a frame takes %.1f ms at most\n",
      walks.c_str(), held[0].frames / 60.0, held[1].frames / 60.0, runs.c_str(), held[2].frames / 60.0,
      clip_now().c_str(), slowest);
}

TEST(SteeredCharacters, GoWhereKeysLead) {
  const std::filesystem::path folder = std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters";
  for (const char* name : {"more/animals_pack_wolf.glb", "gltf/kaykit_knight/Knight.glb"}) {
    if (!std::filesystem::exists(folder / name)) {
      std::puts("no shared characters: not run");
      return;
    }
    steer_about(folder / name);
  }
}

}  // namespace
}  // namespace sinew
