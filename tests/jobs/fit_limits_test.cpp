// What `sinew fit` says about the limits of what it has learned, on a real character.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "sinew/bake/bake.h"
#include "sinew/character/choose_clip.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/fit/exercise_clip.h"
#include "sinew/jobs/fit/helpful_clips.h"
#include "sinew/jobs/fit/surface_examples.h"
#include "sinew/jobs/fit_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

std::filesystem::path wolf() {
  const char* named = std::getenv("SINEW_CHARACTERS");
  return (named ? std::filesystem::path(named) : std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters") /
         "more/animals_pack_wolf.glb";
}

#define NEEDS_WOLF() \
  if (!std::filesystem::exists(wolf())) GTEST_SKIP() << wolf() << " is not there"

TEST(FitLimits, TheExerciseIsGentleFirstAndStillAtLastAndAlwaysTheSame) {
  NEEDS_WOLF();
  const OpenedCharacter opened = open_rigged_character(wolf(), {});
  const SimulationSurface surface = simulation_surface(opened.character);
  const Clip clip = exercise_clip(opened.character, surface, 0, 1),
             again = exercise_clip(opened.character, surface, 0, 1);
  ASSERT_EQ(clip.channels.size(), again.channels.size());
  for (std::size_t c = 0; c < clip.channels.size(); ++c) EXPECT_EQ(clip.channels[c].values, again.channels[c].values);
  std::vector<char> turned(opened.character.skeleton.joints.size());
  for (const Channel& channel : clip.channels)
    if (channel.path == ChannelPath::rotation) turned[static_cast<std::size_t>(channel.joint)] = 1;
  for (const Bone& bone : surface.bones) EXPECT_TRUE(turned[static_cast<std::size_t>(bone.joint)]) << bone.name;
}

// Learned from a walk, held to a clip that moves four times as much flesh: the model of before was off by more than the
// rig there, and by nearly three times as much at its worst.
TEST(FitLimits, AWolfThatLearnedToWalkIsNearerThanTheRigWhenItAttacks) {
  NEEDS_WOLF();
  FitJob job;
  job.input = wolf();
  job.output = test::scratch_path("wolf.sinew");
  job.examples = {{{}, "Walk", {}, {}}};
  const FitResult fit = fit_file(job);
  ASSERT_EQ(fit.report.examples.size(), 2u);
  EXPECT_EQ(fit.report.examples[1].clip, "exercise");
  EXPECT_NE(fit.report.held_out.what.find("the last"), std::string::npos);
  EXPECT_GT(fit.report.held_out.rms, 0);
  EXPECT_LT(fit.report.held_out.rms, fit.report.held_out.goal_rms);

  OpenedCharacter opened = open_rigged_character(wolf(), {});
  const Character& character = opened.character;
  const SimulationSurface surface = simulation_surface(character);
  FleshMethod flesh;
  flesh.values = job.settings;
  BakeOptions options;
  options.clip = choose_clip(character, "Attack");
  options.frames_per_second = 60;
  options.loop = Loop::off;
  const BakeResult baked = bake(character, cook(flesh, {character}), nullptr, options);
  const SurfaceExample example = example_of_recording(character, surface, options, baked.recording, fit.model.step);
  const SurfaceError error = surface_error(fit.model, {&example, 1}, {});
  EXPECT_LT(std::sqrt(error.sum / error.goal_sum), 0.6);

  // A clip that is like one that was seen does not help; what moves more violently comes first.
  const SurfaceExample seen[] = {example};
  for (const HelpfulClip& clip : helpful_clips(character, surface, seen, fit.model.step, 20)) {
    EXPECT_NE(clip.name, example.motion.name);
    EXPECT_EQ(clip.name.find("Idle_2"), std::string::npos);
    EXPECT_GE(clip.share, 0.05);
  }
  EXPECT_EQ(helpful_clips(character, surface, {}, fit.model.step, 2).size(), 2u);
}

}  // namespace
}  // namespace sinew
