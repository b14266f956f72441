// What is said where nothing visible moves: why, and with which option it would. What is named is tried.
#include "sinew/jobs/animate/still_note.h"

#include <gtest/gtest.h>

#include <sstream>

#include "sinew/bake/quality.h"
#include "sinew/cook/flesh/motion_estimate.h"
#include "tests/bake/bake_cooked.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using namespace test;

// The tube of one metre, which its clips move by so much of what they do.
Character calm_tube(double share) {
  Character character = tube_character();
  for (Clip& clip : character.clips)
    for (Channel& channel : clip.channels)
      for (std::size_t k = 0; k + 3 < channel.values.size() + 1; k += static_cast<std::size_t>(channel.components)) {
        if (channel.path == ChannelPath::translation) {
          for (std::size_t i = 0; i < 3; ++i) channel.values[k + i] *= share;
          continue;
        }
        const double angle = share * 2 * std::atan2(channel.values[k + 2], channel.values[k + 3]);
        channel.values[k + 2] = std::sin(angle / 2);
        channel.values[k + 3] = std::cos(angle / 2);
      }
  return character;
}

struct PlayedTube {
  CookedFlesh scene;
  PlayedClip played;
  std::vector<std::string> notes;
};

PlayedTube run(const Character& character, const FleshSettings& settings, int clip = 0) {
  PlayedTube result{prepare_flesh(character, settings), {}, {}};
  const Scene scene = flesh_scene(test::borrowed(result.scene), settings);
  const BakeResult bake = sinew::bake(character, scene, nullptr, options_for(clip));
  result.played = {clip, bake.recording.times.front(), bake.recording.times.back(),
                   measure_quality(character, bake.recording)};
  result.notes = explain_stillness(character, {&result.played, 1}, scene.advice);
  return result;
}

bool says(const std::string& note, const std::string& words) { return note.find(words) != std::string::npos; }

TEST(StillNote, SaysNothingWhereFleshIsSeen) {
  const PlayedTube lively = run(tube_character(), look_settings());
  EXPECT_GT(lively.played.quality.seen, visible_share);
  EXPECT_TRUE(lively.notes.empty()) << lively.notes[0];
  EXPECT_EQ(why_still(tube_character(), lively.played, {}), "");
}

TEST(StillNote, NamesTheClipsThatMoveTheCharacter) {
  Character character = tube_character();
  character.clips.push_back(character.clips[0]);
  character.clips[2].name = "pose";
  for (Channel& channel : character.clips[2].channels) {
    channel.times.resize(1);
    channel.values.resize(static_cast<std::size_t>(channel.components));
  }
  const PlayedTube still = run(character, look_settings(), 2);
  ASSERT_EQ(still.notes.size(), 1u);
  EXPECT_TRUE(says(still.notes[0], "The character does not move in the played part of clip 'pose'")) << still.notes[0];
  EXPECT_TRUE(says(still.notes[0], "swing")) << still.notes[0];
  EXPECT_EQ(why_still(character, still.played, {}), "the character does not move.");
  // Methods without flesh say the same.
  EXPECT_EQ(explain_stillness(character, {&still.played, 1}, {}).size(), 1u);
}

// The option that it names makes the flesh be seen, by about what it says.
TEST(StillNote, TheOptionThatItNamesIsTrue) {
  int young = 0, look = 0;
  for (const double share : {0.04, 0.1, 0.2}) {
    const Character character = calm_tube(share);
    FleshSettings settings = look_settings();
    settings.look = Look::subtle;
    if (share < 0.15) settings.young = 4e4;  // flesh to a measure of its own
    const PlayedTube calm = run(character, settings);
    if (calm.notes.empty()) continue;
    SCOPED_TRACE(calm.notes[0]);
    const SofterOption softer = find_softer(
        calm.scene, settings, sample_motion(character, calm.scene.surface, 0, calm.played.begin, calm.played.end),
        calm.played.quality.seen);
    ASSERT_FALSE(softer.option.empty());
    EXPECT_TRUE(says(calm.notes[0], "with " + softer.option + " it would be about"));
    FleshSettings other = settings;
    std::istringstream words(softer.option);
    std::string option, value;
    words >> option >> value;
    if (option == "--young") {
      other.young = std::stod(value);
      ++young;
    } else {
      ASSERT_EQ(softer.option, "--look lively");
      other.look = Look::lively;
      ++look;
    }
    const PlayedTube softened = run(character, other);
    EXPECT_GT(softened.played.quality.seen, visible_share);
    EXPECT_NEAR(softened.played.quality.seen / softer.amplitude, 1, 0.5);
  }
  EXPECT_GT(young, 0);
  std::cout << young << " by Young's modulus, " << look << " by a look\n";
}

TEST(StillNote, WhatHardlyAcceleratesIsNotMovedByAnySoftness) {
  FleshSettings settings = look_settings();
  settings.young = 4e4;
  const PlayedTube calm = run(calm_tube(0.002), settings);
  ASSERT_EQ(calm.notes.size(), 1u);
  EXPECT_TRUE(says(calm.notes[0], "hardly accelerates") || says(calm.notes[0], "does not move")) << calm.notes[0];
}

TEST(StillNote, WhatIsRigidIsSaid) {
  Character character = tube_character();
  for (Part& part : character.parts) part.fields[field("rigid")].assign(part.surface.positions.size(), 1.0);
  const PlayedTube rigid = run(character, look_settings());
  EXPECT_EQ(rigid_share(rigid.scene), 1);
  PlayedClip played = rigid.played;
  played.quality.seen = 0.001;  // things as large as this go along with what moves under them
  const std::vector<std::string> notes =
      explain_stillness(character, {&played, 1}, flesh_scene(test::borrowed(rigid.scene), look_settings()).advice);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(says(notes[0], "100 % of the skin is a rigid thing")) << notes[0];
  EXPECT_TRUE(says(notes[0], "--anatomy off")) << notes[0];
}

TEST(LastResortNote, OnlyWhereTheyDidMuch) {
  ClipReport walk, jump;
  walk.name = "walk", jump.name = "jump";
  walk.frames.resize(10);
  jump.frames.resize(10);
  for (FrameReport& frame : walk.frames) frame.display_limit = 0.3, frame.strain_limit = 0.01;
  jump.frames[3].display_limit = 1;
  EXPECT_EQ(safety_clamp_note(std::vector{walk, jump}), "");
  for (FrameReport& frame : jump.frames) frame.display_limit = 0.8;
  const std::string limit = safety_clamp_note(std::vector{walk, jump});
  EXPECT_TRUE(says(limit, "In clip 'jump' 80 % of the flesh is clamped")) << limit;
  EXPECT_TRUE(says(limit, "(10 of 10 frames)")) << limit;
  for (FrameReport& frame : walk.frames) frame.strain_limit = 0.04;
  EXPECT_TRUE(
      says(safety_clamp_note(std::vector{walk}), "In clip 'walk' 4 % of the skin is corrected by the strain limit"));
}

}  // namespace
}  // namespace sinew
