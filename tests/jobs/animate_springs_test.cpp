// The methods that describe themselves, from file to file: the same loop, frames, checkpoints and loops as flesh.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "sinew/cook/methods.h"
#include "sinew/deform/springs/springs_method.h"
#include "sinew/jobs/animate_file.h"
#include "tests/base/refusal.h"
#include "tests/deform/changed_setting.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

AnimateJob springs_job(const fs::path& output) {
  AnimateJob job;
  job.input = test::sample_file("sumo.glb");
  job.output = output;
  job.method = SpringsMethod();
  test::set(job.method->settings(), "swing", "belly,breast*");
  job.clip = "stomp";
  job.end = 1;
  return job;
}

std::vector<float> numbers_of(const fs::path& cache) {
  const std::string bytes = test::bytes_of(cache);
  std::vector<float> numbers((bytes.size() - 32) / 4);
  std::memcpy(numbers.data(), bytes.data() + 32, 4 * numbers.size());
  return numbers;
}

TEST(AnimateSprings, FramesAreOfOneMotionAtAnyRate) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = springs_job(folder / "30.pc2");
  animate_file(job);
  job.output = folder / "60.pc2";
  job.frames_per_second = 60;
  animate_file(job);
  const std::vector<float> slow = numbers_of(folder / "30.pc2"), fast = numbers_of(folder / "60.pc2");
  const std::size_t frame = slow.size() / 31;
  ASSERT_EQ(frame * 31, slow.size());
  ASSERT_EQ(frame * 61, fast.size());
  for (std::size_t f = 0; f < 31; ++f)
    for (std::size_t k = 0; k < frame; ++k) ASSERT_EQ(slow[f * frame + k], fast[2 * f * frame + k]) << f;
}

TEST(AnimateSprings, AResumedRunWritesTheSameBytes) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = springs_job(folder / "whole.glb");
  animate_file(job);
  job.output = folder / "resumed.glb";
  job.checkpoint = folder / "state";
  job.resume = true;
  int frames = 0;
  const AnimateResult stopped = animate_file(
      job, [&](const ProgressReport& report) { return !report.activity.starts_with("swinging") || ++frames < 12; });
  ASSERT_FALSE(stopped.complete);
  EXPECT_TRUE(stopped.resumable);
  ASSERT_TRUE(animate_file(job).complete);
  EXPECT_EQ(test::bytes_of(folder / "whole.glb"), test::bytes_of(folder / "resumed.glb"));
}

TEST(AnimateSprings, WhatCannotBeIsASentence) {
  const fs::path folder = test::scratch_files();
  AnimateJob job = springs_job(folder / "out.glb");
  test::set(job.method->settings(), "swing", "");
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { animate_file(job); }).find("names of the joints that swing"),
            std::string::npos);
  test::set(job.method->settings(), "swing", "wings*");
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { animate_file(job); }).find("names a joint 'wings*'"),
            std::string::npos);
  const std::string number =
      test::refusal(ErrorKind::usage, [&] { test::set(job.method->settings(), "drag", "much"); });
  EXPECT_EQ(number, "--drag: 'much' is not a number; write, for example, 0.4.");
  EXPECT_EQ(test::refusal(ErrorKind::usage, [&] { test::set(job.method->settings(), "drag", "2"); }),
            "--drag: must lie between 0 and 1.");
  job.method = method_named("linear");
  test::set(job.method->settings(), "ground", "0");
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { animate_file(job); }).find("the method linear knows no ground"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "out.glb"));
}

}  // namespace
}  // namespace sinew
