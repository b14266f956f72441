#include "sinew/jobs/motion/blend_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

BlendMotionJob job_for(const std::string& output) {
  BlendMotionJob job;
  job.input = test::sample_file("sumo.glb");
  job.output = test::scratch_files() / output;
  job.clips = {"stomp", "head_shake"};
  return job;
}

Vec3 place(const Character& character, const Clip& clip, double time, const std::string& joint) {
  for (std::size_t j = 0; j < character.skeleton.joints.size(); ++j)
    if (character.skeleton.joints[j].name == joint) return sample(character.skeleton, &clip, time).world[j].translation;
  ADD_FAILURE() << "no joint " << joint;
  return {};
}

TEST(BlendMotion, TheNewClipIsInTheFileBehindTheOthers) {
  BlendMotionJob job = job_for("both.glb");
  job.weight = {{1, 0}, {2, 1}};
  const BlendMotionReport report = blend_motion(job);
  EXPECT_EQ(report.clip, "stomp + head_shake");
  EXPECT_EQ(report.seconds, 2);
  const OpenedCharacter before = open_rigged_character(job.input), after = open_rigged_character(job.output);
  ASSERT_EQ(after.character.clips.size(), before.character.clips.size() + 1);
  const Clip &stomp = before.character.clips[0], &shake = before.character.clips[2],
             &both = after.character.clips.back();
  EXPECT_EQ(both.name, report.clip);
  EXPECT_NEAR(both.end, 2, 1e-6);
  const double unit = 1e-5;  // float keys
  for (const char* joint : {"foot_l", "hand_r", "head"}) {
    EXPECT_LT(distance(place(after.character, both, 0.5, joint), place(before.character, stomp, 0.5, joint)), unit)
        << joint;
    EXPECT_LT(distance(place(after.character, both, 2, joint), place(before.character, shake, 2, joint)), unit)
        << joint;
  }
}

TEST(BlendMotion, AMaskNamesJointsWithAllBelowThem) {
  BlendMotionJob job = job_for("masked.glb");
  job.weight = {{0, 1}};
  job.mask = {"neck"};
  job.seconds = 2;
  blend_motion(job);
  const OpenedCharacter before = open_rigged_character(job.input), after = open_rigged_character(job.output);
  const Clip &stomp = before.character.clips[0], &both = after.character.clips.back();
  EXPECT_LT(distance(place(after.character, both, 0.8, "foot_l"), place(before.character, stomp, 0.8, "foot_l")), 1e-5);
  EXPECT_GT(distance(place(after.character, both, 0.8, "jaw"), place(before.character, stomp, 0.8, "jaw")), 1e-3);
}

std::string sentence_of(const BlendMotionJob& job) {
  try {
    blend_motion(job);
  } catch (const Error& error) {
    EXPECT_FALSE(std::filesystem::exists(job.output));
    return error.what();
  }
  return "";
}

TEST(BlendMotion, WhatCannotBeBlendedIsRefusedInASentence) {
  const BlendMotionJob good = job_for("no.glb");
  BlendMotionJob job = good;
  job.clips = {"stomp"};
  EXPECT_EQ(sentence_of(job), "--clips: name two clips, as in Walk,Run.");
  job = good;
  job.clips[1] = "dance";
  EXPECT_NE(sentence_of(job).find("dance"), std::string::npos);
  job = good;
  job.weight = {{0, 0}, {0, 1}};
  EXPECT_EQ(sentence_of(job), "--weight: times must ascend, as in 0:0,2:1.");
  job.weight = {{0, 1.5}};
  EXPECT_NE(sentence_of(job).find("from 0"), std::string::npos);
  job.weight = {{0, 0}, {2e8, 1}};
  EXPECT_NE(sentence_of(job).find("0 to 3600"), std::string::npos);
  job = good;
  job.seconds = 3600;
  job.frames_per_second = 1000;
  EXPECT_NE(sentence_of(job).find("more than a million"), std::string::npos);
  job = good;
  job.mask = {"wing"};
  EXPECT_NE(sentence_of(job).find("no joint 'wing'"), std::string::npos);
}

// A walk and a run of a real character, where it is there.
TEST(BlendMotion, WalksAndRunsOfARealCharacterGoInStep) {
  const std::filesystem::path knight =
      std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters/gltf/kaykit_knight/Knight.glb";
  if (!std::filesystem::exists(knight)) GTEST_SKIP() << "Not tested: " << knight.string() << " is not there.";
  BlendMotionJob job = job_for("jog.glb");
  job.input = knight;
  job.clips = {"Walking_A", "Running_A"};
  const BlendMotionReport report = blend_motion(job);
  EXPECT_TRUE(report.in_step);
  const OpenedCharacter before = open_rigged_character(knight), after = open_rigged_character(job.output);
  const auto length = [&](const char* name) {
    for (const Clip& clip : before.character.clips)
      if (clip.name == name) return clip.end - clip.start;
    return 0.0;
  };
  EXPECT_NEAR(report.seconds, (length("Walking_A") + length("Running_A")) / 2, 1e-6);
  const Clip& jog = after.character.clips.back();
  for (const char* joint : {"foot.l", "foot.r", "hand.l"})
    EXPECT_LT(distance(place(after.character, jog, 0, joint), place(after.character, jog, jog.end, joint)), 1e-3)
        << joint;
}

}  // namespace
}  // namespace sinew
