// Motion matching from file to file: paths are followed by characters with many clips, without jumps and sliding feet.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/jobs/motion/graph/make_motion_graph.h"
#include "sinew/jobs/motion/graph/walk_motion_graph.h"
#include "sinew/jobs/motion/matching/match_motion.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

MatchMotionJob match_job(const std::filesystem::path& character, const std::string& plan) {
  const std::filesystem::path folder = test::scratch_files();
  MatchMotionJob job;
  job.input = character;
  job.plan = folder / "path.json";
  job.output = folder / "matched.glb";
  write_text_file(job.plan, plan);
  return job;
}

TEST(MatchMotion, AClipThatLoopsFollowsAPathToTheSameBytesForAnyThreads) {
  MatchMotionJob job = match_job(test::sample_file("elephant.glb"), R"({"points": [[0, 0], [0, 6], [3, 12]]})");
  job.clips = {"walk"};
  job.name = "along";
  set_thread_count(1);
  const MatchReport report = match_motion(job);
  EXPECT_EQ(report.clip, "along");
  EXPECT_LT(report.mean_away, 0.15);
  EXPECT_LT(report.most_away, 0.5);
  EXPECT_LT(report.mean_turned, 10);
  EXPECT_NEAR(report.metres, 12.8, 1.5);
  EXPECT_EQ(report.changes, 0) << "there is nowhere to go over to";
  const OpenedCharacter after = open_rigged_character(job.output);
  EXPECT_NEAR(after.character.clips.back().end, report.seconds, 1e-5);
  const std::string bytes = test::bytes_of(job.output);
  set_thread_count(3);
  match_motion(job);
  set_thread_count(0);
  EXPECT_TRUE(bytes == test::bytes_of(job.output));
}

TEST(MatchMotion, WhatCannotBeFollowedIsRefused) {
  MatchMotionJob job = match_job(test::sample_file("sumo.glb"), R"({"clips": ["head_shake"]})");
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { match_motion(job); }).find("sinew motion walk"), std::string::npos);
  write_text_file(job.plan, R"({"points": [[0, 0], [0, 6]]})");
  job.clips = {"head_shake"};
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { match_motion(job); }).find("none of its clips goes forward"),
            std::string::npos);
  job.input = test::sample_file("elephant.glb");
  job.clips = {"walk"};
  job.speed = 80;
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { match_motion(job); }).find("--speed"), std::string::npos);
  job.speed.reset();
  write_text_file(job.plan, R"({"points": [[0, 0], [0, 90000]]})");
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { match_motion(job); }).find("an hour"), std::string::npos);
  job.plan.clear();
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { match_motion(job); }).find("--path"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(job.output));
}

// Ten clips and more of real characters, where they are there, beside a walk through their motion graph.
TEST(MatchMotion, RealCharactersFollowAPathAsTheirMotionGraphsDo) {
  const std::filesystem::path folder = std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters";
  for (const char* name :
       {"gltf/kaykit_knight/Knight.glb", "more/cyberpunk_pack_character.glb", "more/animals_pack_wolf.glb"}) {
    if (!std::filesystem::exists(folder / name)) GTEST_SKIP() << "Not tested: " << name << " is not there.";
    const MatchMotionJob job =
        match_job(folder / name, R"({"points": [[0, 0], [0, 12], [9, 24], [0, 36], [-12, 27], [-12, 12]]})");
    const MatchReport matched = match_motion(job);
    MakeMotionGraphJob graph;
    graph.input = job.input;
    graph.output = job.output.parent_path() / "graph.json";
    make_motion_graph(graph);
    WalkMotionGraphJob walk;
    walk.graph = graph.output;
    walk.plan = job.plan;
    walk.output = job.output.parent_path() / "walked.glb";
    const WalkReport walked = walk_motion_graph(walk);
    std::printf(
        "%s: matched %.3f m off in the mean, %.3f at most (graph %.3f and %.3f), heading %.1f degrees, jerk %.0f "
        "(clips %.0f), soles skate at %.3f m/s (clips %.3f), %d changes\n",
        name, matched.mean_away, matched.most_away, *walked.mean_away, *walked.most_away, matched.mean_turned,
        matched.jerk, matched.own_jerk, matched.skating, matched.own_skating, matched.changes);
    EXPECT_LT(matched.mean_away, 0.15) << name;
    EXPECT_LT(matched.most_away, 0.5) << name;
    EXPECT_LT(matched.mean_turned, 12) << name;
    EXPECT_LE(matched.jerk, 1.02 * matched.own_jerk) << name;
    EXPECT_LE(matched.skating, 1.2 * matched.own_skating) << name;
    EXPECT_LE(matched.most_away, 1.2 * *walked.most_away + 0.02) << name;
  }
}

// The first one's clips pull its thighs off the hips, the other one's feet hang on the root.
TEST(MatchMotion, FeetOfRigsOfGamesAreHeld) {
  const std::filesystem::path folder = std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters";
  for (const char* name : {"gltf/kaykit_knight/Knight.glb", "more/single_knight_pack_knightcharacter.glb"}) {
    if (!std::filesystem::exists(folder / name)) GTEST_SKIP() << "Not tested: " << name << " is not there.";
    const MatchReport matched = match_motion(match_job(folder / name, R"({"points": [[0, 0], [0, 12], [9, 24]]})"));
    ASSERT_TRUE(matched.feet) << name;
    std::printf("%s: feet slide by %.3f legs, %.3f before\n", name, matched.feet->slide, matched.feet->slide_before);
    EXPECT_GT(matched.feet->contacts, 10) << name;
    EXPECT_GT(matched.feet->slide_before, 0.05) << name;
    EXPECT_LT(matched.feet->slide, 0.002) << name;
    EXPECT_LE(matched.skating, matched.own_skating) << name;
  }
}

}  // namespace
}  // namespace sinew
