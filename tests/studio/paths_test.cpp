// The path of a joint edited in the studio: shown, tried, kept as a clip, edited on, undone, and kept over the end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/character/clip.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class StudioPaths : public StudioInFolder {
 protected:
  StudioPaths() {
    begin_with(copy_sample("sumo.glb", 300));
    ask("play", {{"clip", "head_shake"}});
    const Json& joints = state_["character"]["joints"];
    for (std::size_t k = 0; k < joints.size(); ++k)
      if (joints[k]["name"] == "hand_l") hand_ = static_cast<int>(k);
  }
  Json edit(double time, const Vec3& by) const {
    return {{"joint", hand_}, {"time", time}, {"width", 0.3}, {"by", {by.x, by.y, by.z}}};
  }
  Vec3 place_of_hand(double time) {
    const Json path = ask("path", {{"joint", hand_}});
    std::size_t best = 0;
    for (std::size_t k = 0; k < path["times"].size(); ++k)
      if (std::abs(path["times"][k].get<double>() - time) < std::abs(path["times"][best].get<double>() - time))
        best = k;
    const Json& place = path["places"][best];
    return {place[0], place[1], place[2]};
  }
  std::vector<std::string> clips() {
    std::vector<std::string> names;
    const Json now = state();
    for (const Json& clip : now["clips"]) names.push_back(clip["name"]);
    return names;
  }
  int hand_ = -1;
};

TEST_F(StudioPaths, AnEditBecomesAClipThatPlaysAndIsEditedOn) {
  const Vec3 start = place_of_hand(1), by{0, 0.15, 0.1};
  Json trial = edit(1, by);
  trial["trial"] = true;
  const Json tried = ask("edit_path", trial);
  EXPECT_LT(tried["missed"].get<double>(), 1e-4);
  ASSERT_EQ(tried["times"].size(), tried["places"].size());
  EXPECT_EQ(clips().size(), 3u);
  EXPECT_EQ(state()["history"]["undo"], 0);
  EXPECT_FALSE(fs::exists(folder_ / "sumo.edits"));

  ask("edit_path", edit(1, by));
  Json now = state();
  EXPECT_EQ(clips(), (std::vector<std::string>{"stomp", "run_jump", "head_shake", "head_shake, edited"}));
  EXPECT_EQ(now["play"]["clip"], "head_shake, edited");
  EXPECT_EQ(now["clips"][3]["motion"], "sumo.edits/head_shake, edited.glb@head_shake, edited");
  EXPECT_EQ(now["history"]["what"], "path");
  EXPECT_LT(distance(place_of_hand(1), start + by), 1e-4);

  // A second edit goes on in the same clip.
  ask("edit_path", edit(1, {0, 0, 0.05}));
  EXPECT_EQ(clips().size(), 4u);
  EXPECT_EQ(state()["play"]["clip"], "head_shake, edited");
  EXPECT_LT(distance(place_of_hand(1), start + by + Vec3{0, 0, 0.05}), 1e-4);
  // The clip that was edited is as it was.
  ask("play", {{"clip", "head_shake"}});
  EXPECT_LT(distance(place_of_hand(1), start), 1e-9);
  ask("play", {{"clip", "head_shake, edited"}});

  ask("undo");
  EXPECT_EQ(clips().size(), 4u);
  EXPECT_LT(distance(place_of_hand(1), start + by), 1e-4);
  ask("undo");
  EXPECT_EQ(clips().size(), 3u);
  ask("redo");
  ask("redo");
  saved("sumo.studio.json");
  begin_with(folder_ / "sumo.glb");
  ask("play", {{"clip", "head_shake, edited"}});
  EXPECT_LT(distance(place_of_hand(1), start + by + Vec3{0, 0, 0.05}), 1e-4);
}

TEST_F(StudioPaths, TimeIsSlidAndAPathRedrawn) {
  const Json path = ask("path", {{"joint", hand_}});
  const std::size_t count = path["times"].size();
  ASSERT_GT(count, 20u);
  const double time = path["times"][count / 2], earlier = path["times"][count / 2 - 2];
  const Vec3 there = place_of_hand(earlier);
  Json slide = edit(time, {});
  slide.erase("by");
  slide["from"] = earlier;
  ask("edit_path", slide);
  EXPECT_LT(distance(place_of_hand(time), there), 1e-4);

  const Vec3 from = place_of_hand(0.5), to = place_of_hand(1.5);
  Json stroke = edit(0.5, {});
  stroke.erase("by");
  stroke["until"] = 1.5;
  stroke["normal"] = {0, 0, 1};
  stroke["eye"] = {0, 1, 6};
  // A small arc.
  for (int k = 0; k <= 20; ++k) {
    const Vec3 point = from + (to - from) * (k / 20.0) + Vec3{0.08, 0, 0} * std::sin(3.14159265 * k / 20);
    stroke["points"].push_back({point.x, point.y, from.z});
  }
  ask("edit_path", stroke);
  EXPECT_EQ(clips().size(), 4u);
  const Json now = ask("path", {{"joint", hand_}});
  double most = -1;
  for (const Json& place : now["places"]) most = std::max(most, place[0].get<double>());
  EXPECT_GT(most, std::max(from.x, to.x) + 0.05);
}

// An arc of half a leg drawn in 0.8 s, after a dip.
Json leap() {
  Json points = Json::array(), times = Json::array();
  for (int k = 0; k <= 40; ++k) {
    const double time = k * 0.03, arc = std::max(0.0, (time - 0.4) * (1.2 - time) / 0.16);
    const double dip = time < 0.4 ? -0.12 * std::sin(3.14159265 * time / 0.4) : 0;
    points.push_back({time > 0.4 ? time - 0.4 : 0.0, 2 + dip + 0.35 * arc, 0.0});
    times.push_back(10 + time);
  }
  return {{"points", points}, {"times", times}};
}

TEST_F(StudioPaths, AStrokeOverTimeBecomesAClipThatPlays) {
  const Json& joints = state_["character"]["joints"];
  int hips = -1;
  for (std::size_t k = 0; k < joints.size(); ++k)
    if (joints[k]["name"] == "pelvis" || joints[k]["name"] == "hips") hips = static_cast<int>(k);
  ASSERT_GE(hips, 0);
  ask("draw_motion", leap());
  EXPECT_EQ(clips(), (std::vector<std::string>{"stomp", "run_jump", "head_shake", "drawn"}));
  const Json now = state();
  EXPECT_EQ(now["play"]["clip"], "drawn");
  EXPECT_EQ(now["clips"][3]["motion"], "sumo.edits/drawn.glb@drawn");
  const Json path = ask("path", {{"joint", hips}});
  const Json &first = path["places"].front(), &last = path["places"].back();
  double highest = -1;
  for (const Json& place : path["places"]) highest = std::max(highest, place[1].get<double>());
  EXPECT_NEAR(path["times"].back().get<double>() - path["times"].front().get<double>(), 1.2, 0.05);
  EXPECT_NEAR(highest - first[1].get<double>(), 0.35, 0.07);
  EXPECT_NEAR(
      std::hypot(last[0].get<double>() - first[0].get<double>(), last[2].get<double>() - first[2].get<double>()), 0.8,
      0.05);
  // Another stroke is another clip.
  ask("draw_motion", leap());
  EXPECT_EQ(clips().size(), 5u);
  ask("undo");
  ask("undo");
  EXPECT_EQ(clips().size(), 3u);
  ask("take", {{"action", "record"}});
  EXPECT_EQ(refused("draw_motion", leap()), "Stop recording before you draw a motion.");
  ask("take", {{"action", "stop"}});
}

// A link would let a page write anywhere on the machine.
TEST_F(StudioPaths, EditsAreNotKeptThroughALink) {
  const fs::path elsewhere = folder_.parent_path() / "elsewhere";
  fs::create_directories(elsewhere);
  fs::create_directory_symlink(elsewhere, folder_ / "sumo.edits");
  EXPECT_NE(refused("edit_path", edit(1, {0, 0.1, 0})).find("is not in the studio's folders"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(elsewhere));
  EXPECT_EQ(state()["clips"].size(), 3u);
}

TEST_F(StudioPaths, WhatCannotBeEditedIsRefusedInASentence) {
  Json no_joint = edit(1, {});
  no_joint["joint"] = 9999;
  EXPECT_EQ(refused("edit_path", no_joint), "The character has no joint 9999.");
  EXPECT_EQ(refused("path", {{"joint", 9999}}), "The character has no joint 9999.");
  Json pinned = edit(1, {});
  pinned["pinned"] = {9999};
  EXPECT_EQ(refused("edit_path", pinned), "The character has no joint 9999.");
  Json stroke = edit(1, {});
  stroke.erase("by");
  stroke.update(Json{{"until", 0.5}, {"normal", {0, 0, 1}}, {"eye", {0, 1, 6}}, {"points", {{0, 0, 0}, {1, 0, 0}}}});
  EXPECT_EQ(refused("edit_path", stroke), "A stroke replaces a path from one time until a later one.");
  stroke["until"] = 1.5;
  stroke["eye"] = {0, 1, -6};
  EXPECT_EQ(refused("edit_path", stroke), "The eye is behind the plane of the line.");
  Json at_end = edit(0, {});
  at_end.erase("by");
  at_end["from"] = 0.5;
  EXPECT_EQ(refused("edit_path", at_end), "Time cannot be changed at an end of a clip.");
  ask("pose", {{"joints", {{std::to_string(hand_), {0, 0, 0, 1}}}}});
  EXPECT_EQ(refused("edit_path", edit(1, {})), "Joints are posed by hand; give all back before you edit a path.");
  ask("unpose");
  ask("play", {{"clip", ""}});
  EXPECT_EQ(refused("edit_path", edit(1, {})), "Choose a clip: a path is edited in one.");
  EXPECT_EQ(refused("path", {{"joint", hand_}}), "Choose a clip: a path is edited in one.");
  ask("play", {{"clip", "head_shake"}});
  ask("take", {{"action", "record"}});
  EXPECT_EQ(refused("edit_path", edit(1, {})), "Stop recording before you edit a path.");
  ask("take", {{"action", "stop"}});
  EXPECT_FALSE(fs::exists(folder_ / "sumo.edits"));
}

}  // namespace
