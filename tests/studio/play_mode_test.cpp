// The modes of the player, and takes that end without being stopped.
#include "studio/server/live/play_mode.h"

#include "tests/studio/studio_session.h"

namespace {

using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;

constexpr PlayMode all_modes[] = {PlayMode::standing, PlayMode::playing, PlayMode::recording, PlayMode::repeating};

TEST(PlayModes, WhatIsAskedForHappensInEveryMode) {
  for (const PlayMode mode : all_modes) {
    EXPECT_EQ(after(mode, PlayEvent::play), PlayMode::playing);
    EXPECT_EQ(after(mode, PlayEvent::pause), PlayMode::standing);
    EXPECT_EQ(after(mode, PlayEvent::record), PlayMode::recording);
    EXPECT_EQ(after(mode, PlayEvent::repeat), PlayMode::repeating);
    EXPECT_EQ(after(mode, PlayEvent::gave_up), PlayMode::standing);
  }
}

TEST(PlayModes, TakesEndByWhatConcernsThem) {
  for (const PlayMode take : {PlayMode::recording, PlayMode::repeating}) {
    EXPECT_EQ(after(take, PlayEvent::clip_ended), take) << "flesh settles after the clip";
    for (const PlayEvent event : {PlayEvent::scrub, PlayEvent::new_body})
      EXPECT_EQ(after(take, event), PlayMode::playing);
  }
  EXPECT_EQ(after(PlayMode::recording, PlayEvent::stop_recording), PlayMode::playing);
  EXPECT_EQ(after(PlayMode::recording, PlayEvent::take_ended), PlayMode::recording);
  EXPECT_EQ(after(PlayMode::repeating, PlayEvent::take_ended), PlayMode::playing);
}

TEST(PlayModes, AClipThatStandsMovesByRequestOnly) {
  for (const PlayEvent event :
       {PlayEvent::scrub, PlayEvent::stop_recording, PlayEvent::clip_ended, PlayEvent::take_ended, PlayEvent::new_body})
    EXPECT_EQ(after(PlayMode::standing, event), PlayMode::standing);
}

TEST_F(StudioSession, ATakeIsKeptWhateverEndsIt) {
  const auto record = [&](const char* name) {
    ask("take", {{"action", "record"}, {"name", name}});
    EXPECT_EQ(state()["take"]["doing"], "recording");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // longer than the questions below take
  };
  record("by pausing");
  ask("pause");
  EXPECT_FALSE(state()["play"]["playing"]);
  record("by scrubbing");
  ask("scrub", {{"time", 0.1}});
  EXPECT_TRUE(state()["play"]["playing"]);
  record("by another body");
  ask("method", {{"name", "springs"}});
  const Json ended = state();
  EXPECT_TRUE(ended["take"].is_null());
  EXPECT_TRUE(ended["play"]["playing"]);
  ASSERT_EQ(ended["takes"].size(), 3u);
  EXPECT_EQ(ended["takes"][2]["name"], "by another body");

  ask("take", {{"action", "play"}, {"name", "by pausing"}});
  EXPECT_EQ(state()["take"], (Json{{"name", "by pausing"}, {"doing", "playing"}}));
  ask("take", {{"action", "play"}, {"name", "by scrubbing"}});
  EXPECT_EQ(state()["take"]["name"], "by scrubbing");
  ask("take", {{"action", "stop"}});
  EXPECT_TRUE(state()["take"].is_null());
  EXPECT_FALSE(state()["play"]["playing"]);
}

}  // namespace
