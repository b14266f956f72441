// The loop that all bakes run, with a method that only counts.
#include "sinew/bake/frame_loop.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "sinew/base/error.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

TimeLine second_of(double frames_per_second, double preroll = 0) {
  TimeLine time;
  time.begin = 3;
  time.length = 1;
  time.preroll = preroll;
  time.frames_per_second = frames_per_second;
  time.frames = static_cast<std::int64_t>(frames_per_second) + 1;
  return time;
}

// Notes after how many steps each frame was recorded.
struct Counting {
  FrameLoop loop;
  BakeOptions options;
  BakeResult result;
  std::vector<std::int64_t> recorded;

  explicit Counting(const FrameLoop& of) : loop(of) { result.recording.parts.push_back({0, 1, {}}); }
  bool run(const Progress& progress = {}) {
    const FrameWork work{
        [this] { ++loop.steps; },
        [this] {
          recorded.push_back(loop.steps);
          result.recording.parts[0].displacement.insert(result.recording.parts[0].displacement.end(), {1, 2, 3});
          result.report.frames.push_back({loop.frame_time(), 0, 0, 0, 1, 1});
        },
        [](Checkpoint& state) { state.now.numbers = {42}; }};
    run_frames(loop, "counting", work, options, 7, progress, result);
    return result.complete;
  }
};

TEST(FrameLoop, FailuresSayWhen) {
  FrameLoop loop{second_of(10), 0.1};
  BakeResult result;
  const FrameWork work{[&] {
                         if (++loop.steps == 4) throw simulation_error("the matrix is not positive definite");
                       },
                       [] {},
                       {}};
  try {
    run_frames(loop, "counting", work, {}, 7, {}, result);
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::simulation);
    EXPECT_EQ(std::string(error.what()), "at 3.4 s: the matrix is not positive definite");
  }
}

// The watch over a run writes whole sentences, with the time in them.
TEST(FrameLoop, ATimeThatASentenceSaysIsNotSaidAgain) {
  FrameLoop loop{second_of(3), 0};
  BakeResult result;
  const std::string sentence = "hero.glb: clip 'walk' at 3.33 s: vertex 7 is torn off; mend the clip.";
  const FrameWork work{[] {},
                       [&] {
                         if (loop.frame == 1) throw simulation_error(sentence);
                       },
                       {}};
  try {
    run_frames(loop, "counting", work, {}, 7, {}, result);
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), sentence);
  }
}

TEST(FrameLoop, StepsUntilAFrameIsDue) {
  // 100 steps a second, 8 frames a second: after 0, 12.5, 25 ... steps.
  Counting run(FrameLoop{second_of(8), 0.01});
  EXPECT_TRUE(run.run());
  EXPECT_EQ(run.recorded, (std::vector<std::int64_t>{0, 13, 25, 38, 50, 63, 75, 88, 100}));
  ASSERT_EQ(run.result.recording.times.size(), 9u);
  EXPECT_DOUBLE_EQ(run.result.recording.times[4], 3.5);
}

TEST(FrameLoop, RunsThePrerollBeforeTheFirstFrame) {
  Counting run(FrameLoop{second_of(10, 0.5), 0.01});
  run.run();
  EXPECT_EQ(run.recorded.front(), 50);
  EXPECT_EQ(run.recorded.back(), 150);
}

TEST(FrameLoop, WithoutAStepEveryFrameStandsForItself) {
  TimeLine time = second_of(10);
  time.loop = true;
  Counting run(FrameLoop{time, 0});
  EXPECT_TRUE(run.run());
  EXPECT_EQ(run.recorded, std::vector<std::int64_t>(11, 0));
}

TEST(FrameLoop, GoesOnFromItsCheckpoint) {
  Counting stopped(FrameLoop{second_of(8), 0.01});
  stopped.options.checkpoint = test::scratch_path("frame_loop");
  stopped.options.resume = true;
  int frames = 0;
  EXPECT_FALSE(stopped.run([&](const ProgressReport&) { return ++frames < 4; }));
  EXPECT_EQ(stopped.result.recording.times.size(), 4u);

  Counting rest(FrameLoop{second_of(8), 0.01});
  const std::optional<Checkpoint> state = resumed(rest.loop, stopped.options, 7, rest.result);
  ASSERT_TRUE(state.has_value());
  EXPECT_EQ(state->now.numbers, std::vector<double>{42});
  EXPECT_EQ(rest.loop.steps, 38);
  EXPECT_TRUE(rest.run());
  EXPECT_EQ(rest.recorded, (std::vector<std::int64_t>{50, 63, 75, 88, 100}));
  EXPECT_EQ(rest.result.recording.times.size(), 9u);
  EXPECT_EQ(rest.result.recording.parts[0].displacement.size(), 27u);

  Counting other(FrameLoop{second_of(8), 0.01});
  EXPECT_NE(
      test::refusal(ErrorKind::input, [&] { resumed(other.loop, stopped.options, 8, other.result); }).find("another"),
      std::string::npos);
  other.result.recording.parts.push_back({1, 1, {}});
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { resumed(other.loop, stopped.options, 7, other.result); })
                .find("other parts"),
            std::string::npos);
  stopped.options.resume = false;
  EXPECT_FALSE(resumed(rest.loop, stopped.options, 7, rest.result).has_value());
}

// Writes checkpoints into a folder that goes away and comes back.
TEST(FrameLoop, ACheckpointThatCannotBeWrittenIsNotedAndTriedAgain) {
  Counting run(FrameLoop{second_of(8), 0.01});
  const std::filesystem::path folder = test::scratch_path("checkpoints");
  run.options.checkpoint = folder / "state";
  run.options.checkpoint_seconds = 0;
  int frames = 0;
  EXPECT_TRUE(run.run([&](const ProgressReport&) {
    if (++frames == 4) std::filesystem::create_directory(folder);
    return true;
  }));
  EXPECT_EQ(run.result.recording.times.size(), 9u);
  EXPECT_EQ(read_checkpoint(run.options.checkpoint, 7).frames_done, 9);
  ASSERT_EQ(run.result.notes.size(), 1u);
  EXPECT_NE(run.result.notes[0].find("3 checkpoints could not be written"), std::string::npos) << run.result.notes[0];
  EXPECT_NE(run.result.notes[0].find(run.options.checkpoint.string()), std::string::npos) << run.result.notes[0];
}

// Nothing is promised where a stopped run could not leave its state.
// What runs on behind its last frame can be gone on from there.
TEST(FrameLoop, LeavesACheckpointBehindTheLastFrameOfALoop) {
  TimeLine time = second_of(8);
  time.loop = true;
  Counting run(FrameLoop{time, 0.01});
  run.options.checkpoint = test::scratch_path("loop");
  EXPECT_TRUE(run.run());
  EXPECT_TRUE(run.result.resumable);
  EXPECT_EQ(read_checkpoint(run.options.checkpoint, 7).frames_done, 9);
  Counting stopped(FrameLoop{time, 0.01});
  int frames = 0;
  EXPECT_FALSE(stopped.run([&](const ProgressReport&) { return ++frames < 9; })) << "it is not closed yet";
}

TEST(FrameLoop, OnlyACheckpointThatIsThereCanBeResumed) {
  const auto stopped_with = [](const std::filesystem::path& checkpoint) {
    Counting run(FrameLoop{second_of(8), 0.01});
    run.options.checkpoint = checkpoint;
    int frames = 0;
    EXPECT_FALSE(run.run([&](const ProgressReport&) { return ++frames < 4; }));
    return run.result;
  };
  EXPECT_FALSE(stopped_with({}).resumable);
  EXPECT_TRUE(stopped_with({}).notes.empty());
  EXPECT_TRUE(stopped_with(test::scratch_path("state")).resumable);
  const BakeResult lost = stopped_with(test::scratch_path("nowhere") / "state");
  EXPECT_FALSE(lost.resumable);
  EXPECT_EQ(lost.notes.size(), 1u);
}

}  // namespace
}  // namespace sinew
