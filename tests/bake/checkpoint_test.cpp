// Checkpoints on disk: what is written is read, and the same state is the same bytes.
#include "sinew/bake/checkpoint.h"

#include <cstring>

#include "sinew/base/file.h"
#include "tests/bake/tube_character.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

using namespace test;

constexpr std::uint64_t fingerprint = 0x0123456789abcdef;

class CheckpointFile : public testing::Test {
 protected:
  void SetUp() override { path_ = test::scratch_path("checkpoint"); }
  void TearDown() override { std::filesystem::remove(path()); }

  std::vector<std::byte> bytes_of(const Checkpoint& checkpoint) const {
    write_checkpoint(path(), checkpoint);
    return read_file(path());
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// No two fields alike. The frames lie in memory that was filled with `filling` before, so that this is what
// stands between their fields.
Checkpoint example(int filling) {
  Checkpoint checkpoint;
  checkpoint.fingerprint = fingerprint;
  checkpoint.steps_done = 17;
  checkpoint.frames_done = 3;
  checkpoint.now.numbers = {0.5, -0.25, 1e-300, 4};
  checkpoint.hands = {1, 2, 3};
  checkpoint.curves = {8, 16};
  checkpoint.frames.resize(3);
  std::memset(static_cast<void*>(checkpoint.frames.data()), filling, checkpoint.frames.size() * sizeof(FrameReport));
  for (std::size_t f = 0; f < checkpoint.frames.size(); ++f) {
    FrameReport& frame = checkpoint.frames[f];
    const double number = 10.0 * static_cast<double>(f + 1);
    frame.time = number + 1;
    frame.milliseconds = number + 2;
    frame.iterations = static_cast<int>(number) + 3;
    frame.energy = number + 4;
    frame.volume_ratio = number + 5;
    frame.min_det = number + 6;
    frame.strain_limit = number + 7;
    frame.display_limit = number + 8;
    frame.unfinished = static_cast<int>(number) + 9;
  }
  checkpoint.displacement = {{1.5f, 2.5f}, {}, {3.5f}};
  return checkpoint;
}

TEST_F(CheckpointFile, WhatIsWrittenIsRead) {
  const Checkpoint written = example(0);
  write_checkpoint(path(), written);
  const Checkpoint read = read_checkpoint(path(), fingerprint);
  EXPECT_EQ(read.fingerprint, written.fingerprint);
  EXPECT_EQ(read.steps_done, written.steps_done);
  EXPECT_EQ(read.frames_done, written.frames_done);
  EXPECT_EQ(read.now.numbers, written.now.numbers);
  EXPECT_EQ(read.hands, written.hands);
  EXPECT_EQ(read.curves, written.curves);
  EXPECT_EQ(read.displacement, written.displacement);
  ASSERT_EQ(read.frames.size(), written.frames.size());
  for (std::size_t f = 0; f < read.frames.size(); ++f) {
    EXPECT_EQ(read.frames[f].time, written.frames[f].time);
    EXPECT_EQ(read.frames[f].milliseconds, written.frames[f].milliseconds);
    EXPECT_EQ(read.frames[f].iterations, written.frames[f].iterations);
    EXPECT_EQ(read.frames[f].energy, written.frames[f].energy);
    EXPECT_EQ(read.frames[f].volume_ratio, written.frames[f].volume_ratio);
    EXPECT_EQ(read.frames[f].min_det, written.frames[f].min_det);
    EXPECT_EQ(read.frames[f].strain_limit, written.frames[f].strain_limit);
    EXPECT_EQ(read.frames[f].display_limit, written.frames[f].display_limit);
  }
}

TEST_F(CheckpointFile, BytesDoNotDependOnWhatLiesBetweenTheFields) {
  EXPECT_EQ(bytes_of(example(0x00)), bytes_of(example(0xff)));
}

TEST_F(CheckpointFile, RunsThatStopAtTheSameFrameLeaveTheSameBytes) {
  const Character character = tube_character();
  for (Reference reference : {Reference::rig, Reference::elastic}) {
    const FleshSettings settings = quick_settings(reference);
    const CookedFlesh scene = prepare_flesh(character, settings);
    BakeOptions options = options_for(0);
    options.checkpoint = path();
    const auto stopped_run = [&] {
      int reports = 0;
      bake_flesh(character, scene, settings, options, [&](const ProgressReport&) { return ++reports < 4; });
      std::uint64_t its_fingerprint = 0;
      std::memcpy(&its_fingerprint, read_file(path()).data() + 8, sizeof(its_fingerprint));
      Checkpoint state = read_checkpoint(path(), its_fingerprint);
      EXPECT_EQ(state.frames.size(), 4u);
      for (FrameReport& frame : state.frames) frame.milliseconds = 0;  // wall time, the one thing that is measured
      return bytes_of(state);
    };
    EXPECT_EQ(stopped_run(), stopped_run());
  }
}

}  // namespace
}  // namespace sinew
