// The clip that a user names: as it is, in any case, or without what exporters put before it.
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/character/choose_clip.h"

namespace sinew {
namespace {

Character with_clips(const std::vector<std::string>& names) {
  Character character;
  character.file = "hero.glb";
  for (const std::string& name : names) {
    character.clips.emplace_back();
    character.clips.back().name = name;
  }
  return character;
}

std::string sentence_for(const Character& character, const std::string& name) {
  try {
    choose_clip(character, name);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(ChooseClip, AsNamedInAnyCaseOrBehindASeparator) {
  const Character animal =
      with_clips({"AnimalArmature|Idle", "AnimalArmature|Walk", "rig:run", "set/Jump", "Walk_Slow"});
  EXPECT_EQ(choose_clip(animal, "AnimalArmature|Walk"), 1);
  EXPECT_EQ(choose_clip(animal, "animalarmature|walk"), 1);
  EXPECT_EQ(choose_clip(animal, "Walk"), 1);
  EXPECT_EQ(choose_clip(animal, "walk"), 1);
  EXPECT_EQ(choose_clip(animal, "Run"), 2);
  EXPECT_EQ(choose_clip(animal, "JUMP"), 3);
  EXPECT_EQ(choose_clip(animal, ""), 0);
}

TEST(ChooseClip, WhatIsNearerComesFirst) {
  const Character character = with_clips({"A|walk", "WALK", "walk", "walk"});
  EXPECT_EQ(choose_clip(character, "walk"), 2);
  EXPECT_EQ(choose_clip(with_clips({"A|walk", "WALK"}), "walk"), 1);
}

TEST(ChooseClip, NoneOrSeveralAreListed) {
  const Character character = with_clips({"A|Walk", "B|walk", "Run"});
  EXPECT_EQ(sentence_for(character, "walk"),
            "--clip 'walk': hero.glb has several such clips; name one of A|Walk, B|walk.");
  EXPECT_EQ(sentence_for(character, "alk"), "--clip 'alk': hero.glb has no such clip; it has A|Walk, B|walk, Run.");
  EXPECT_EQ(sentence_for(character, "|Walk"), "--clip '|Walk': hero.glb has no such clip; it has A|Walk, B|walk, Run.");
  EXPECT_EQ(sentence_for(with_clips({}), "walk"),
            "--clip 'walk': hero.glb has no clips; leave --clip out for the rest pose.");
}

TEST(ChooseClip, ByNumberCountedFromOne) {
  const Character character = with_clips({"walk", "walk", "", "2", "run"});
  EXPECT_EQ(choose_clip(character, "#1"), 0);
  EXPECT_EQ(choose_clip(character, "#2"), 1);
  EXPECT_EQ(choose_clip(character, "2"), 3);  // a name comes first
  EXPECT_EQ(choose_clip(character, "3"), 2);
  EXPECT_EQ(choose_clip(character, "5"), 4);
  for (const char* beyond : {"0", "#0", "6", "#99999999999999999999"})
    EXPECT_NE(sentence_for(character, beyond).find("hero.glb has "), std::string::npos) << beyond;
  EXPECT_EQ(sentence_for(with_clips({"a", "b"}), "#3"), "--clip '#3': hero.glb has 2 clips, counted from 1: a, b.");
  EXPECT_THROW(checked_clip(""), Error);
}

}  // namespace
}  // namespace sinew
