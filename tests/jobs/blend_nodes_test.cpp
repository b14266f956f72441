// Nodes of motion graphs that are blends: found or named, kept in the file, walked, and refused where clips differ.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/jobs/motion/graph/make_motion_graph.h"
#include "sinew/jobs/motion/graph/motion_graph_json.h"
#include "sinew/jobs/motion/graph/walk_motion_graph.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

std::string blend_refusal(ErrorKind kind, const MakeMotionGraphJob& job) {
  try {
    make_motion_graph(job);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

TEST(BlendNodes, ClipsThatAreNotAlikeAreRefused) {
  const std::filesystem::path folder = test::scratch_files();
  MakeMotionGraphJob job;
  job.input = test::sample_file("sumo.glb");
  job.output = folder / "sumo.json";
  job.threshold = 0.6;
  job.blend = {"stomp"};
  EXPECT_NE(blend_refusal(ErrorKind::usage, job).find("two or more different clips"), std::string::npos);
  job.blend = {"stomp", "stomp"};
  EXPECT_NE(blend_refusal(ErrorKind::usage, job).find("two or more different clips"), std::string::npos);
  job.blend = {"stomp", "moonwalk"};
  EXPECT_NE(blend_refusal(ErrorKind::usage, job).find("moonwalk"), std::string::npos);
  job.blend = {"run_jump", "head_shake"};
  EXPECT_NE(blend_refusal(ErrorKind::input, job).find("cannot be blended"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(job.output));
  job.blend = {"found"};
  std::string notes;
  for (const std::string& note : make_motion_graph(job).notes) notes += note;
  EXPECT_NE(notes.find("none are blended"), std::string::npos) << notes;
}

// Walks and runs of a real character, where it is there.
TEST(BlendNodes, AreKeptInTheFileAndWalked) {
  const std::filesystem::path knight =
      std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters/gltf/kaykit_knight/Knight.glb";
  if (!std::filesystem::exists(knight)) GTEST_SKIP() << "Not tested: " << knight << " is not there.";
  const std::filesystem::path folder = test::scratch_files();
  MakeMotionGraphJob graph;
  graph.input = knight;
  graph.output = folder / "knight.json";
  graph.clips = {"Idle", "Walking_A", "Running_A"};
  graph.blend = {"Walking_A", "Running_A"};
  const MotionGraphReport made = make_motion_graph(graph);
  for (const std::string& note : made.notes) std::puts(note.c_str());
  const std::string text = read_text_file(graph.output);
  const MotionGraphFile file = motion_graph_from_json(text, "knight.json");
  EXPECT_EQ(motion_graph_json(file), text);
  ASSERT_EQ(file.graph.nodes.size(), 1u);
  EXPECT_FALSE(file.graph.nodes[0].by_turn);
  EXPECT_GT(file.graph.nodes[0].table.back().speed, 1.5 * file.graph.nodes[0].table.front().speed);
  int blends = 0, into = 0, between = 0;
  for (const GraphClip& clip : file.graph.clips) blends += !clip.blend.empty();
  for (const GraphTransition& each : file.graph.transitions) {
    const auto is_blend = [&](int clip) { return !file.graph.clips[static_cast<std::size_t>(clip)].blend.empty(); };
    into += is_blend(each.to) && !is_blend(each.from);
    between += is_blend(each.to) && is_blend(each.from);
  }
  EXPECT_EQ(blends, 3);
  EXPECT_GT(into, 3);
  EXPECT_GT(between, 3);

  write_text_file(folder / "path.json", R"({"points": [[0, 0], [0, 5], [5, 8], [9, 2]]})");
  WalkMotionGraphJob walk;
  walk.graph = graph.output;
  walk.plan = folder / "path.json";
  for (const char* name : {"one.glb", "two.glb"}) {
    walk.output = folder / name;
    const WalkReport report = walk_motion_graph(walk);
    EXPECT_LE(report.jerk, report.own_jerk);
    EXPECT_LT(*report.mean_away, 0.3);
  }
  EXPECT_EQ(read_text_file(folder / "one.glb"), read_text_file(folder / "two.glb"));
  // A second run makes the same graph.
  graph.output = folder / "again.json";
  make_motion_graph(graph);
  EXPECT_EQ(read_text_file(graph.output), text);
}

}  // namespace
}  // namespace sinew
