// Clips of files with fewer keys.
#include "sinew/jobs/motion/reduce_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

ReduceMotionJob thinning_to(const std::string& output) {
  ReduceMotionJob job;
  job.input = test::sample_file("sumo.glb");
  job.output = test::scratch_files() / output;
  return job;
}

std::size_t keys_in(const Clip& clip) {
  std::size_t count = 0;
  for (const Channel& channel : clip.channels) count += channel.times.size();
  return count;
}

// The largest distance of any joint between two files over a clip, looked at 500 times a second, file units.
double farthest_apart(const Character& a, const Character& b, std::size_t clip) {
  double most = 0;
  for (double t = a.clips[clip].start; t < a.clips[clip].end; t += 2e-3) {
    const Pose one = sample(a.skeleton, &a.clips[clip], t), other = sample(b.skeleton, &b.clips[clip], t);
    for (std::size_t j = 0; j < one.world.size(); ++j)
      most = std::max(most, distance(one.world[j].translation, other.world[j].translation));
  }
  return most;
}

TEST(ReduceMotion, JointsStayWithinTheBound) {
  const ReduceMotionJob job = thinning_to("thin.glb");
  const std::vector<ReducedClip> report = reduce_motion(job);
  const OpenedCharacter before = open_rigged_character(job.input), after = open_rigged_character(job.output);
  ASSERT_EQ(report.size(), before.character.clips.size());
  ASSERT_EQ(after.character.clips.size(), before.character.clips.size());
  EXPECT_LT(std::filesystem::file_size(job.output), 0.99 * static_cast<double>(std::filesystem::file_size(job.input)));
  constexpr double height = 1.72;  // metres; file units are metres
  for (std::size_t k = 0; k < report.size(); ++k) {
    EXPECT_EQ(report[k].clip, before.character.clips[k].name);
    EXPECT_EQ(after.character.clips[k].name, report[k].clip);
    EXPECT_EQ(report[k].before, keys_in(before.character.clips[k]));
    EXPECT_EQ(report[k].after, keys_in(after.character.clips[k]));
    EXPECT_LT(report[k].after, 0.9 * static_cast<double>(report[k].before));
    EXPECT_LT(farthest_apart(before.character, after.character, k), 1.02 * job.within * height);
    EXPECT_EQ(after.character.clips[k].end, before.character.clips[k].end);
  }
}

TEST(ReduceMotion, OtherClipsKeepTheirKeys) {
  ReduceMotionJob job = thinning_to("one_thin.glb");
  job.clips = {"head_shake"};
  ASSERT_EQ(reduce_motion(job).size(), 1u);
  const OpenedCharacter before = open_rigged_character(job.input), after = open_rigged_character(job.output);
  EXPECT_EQ(farthest_apart(before.character, after.character, 0), 0);
  EXPECT_EQ(keys_in(after.character.clips[0]), keys_in(before.character.clips[0]));
  EXPECT_LT(keys_in(after.character.clips[2]), keys_in(before.character.clips[2]));
}

TEST(ReduceMotion, AClipThatIsNotThereIsRefused) {
  ReduceMotionJob job = thinning_to("no_thin.glb");
  job.clips = {"dance"};
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { reduce_motion(job); }).find("dance"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(job.output));
}

}  // namespace
}  // namespace sinew
