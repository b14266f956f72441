// Undo and redo in the studio, within a day and from one day to the next.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sinew/base/file.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

TEST_F(StudioSession, SettingsAreSeenKeptAndUndoneToTheBit) {
  ask("set", {{"path", "damping"}, {"value", 0.4}});
  ask("undo");
  const std::string start = saved_project();
  ASSERT_NE(start, "");
  EXPECT_FALSE(page_->ask("set", {{"path", "look"}, {"value", "lively"}}).contains("error"));
  ask("set", {{"path", "joints[0]"}, {"value", {{"joints", "low*"}, {"stiffness", 3.0}}}});
  ask("set", {{"path", "joints[0].stiffness"}, {"value", 2.0}});
  ask("paint", {{"channel", "stiffness"}, {"values", {{0, 2.5}, {1, 2.5}, {2, 0.5}}}});
  ask("method", {{"name", "linear"}});
  ask("method", {{"name", "flesh"}});
  const Json now = state();
  EXPECT_EQ(now["history"]["undo"], 6);
  EXPECT_EQ(now["painted"], Json({"stiffness"}));
  const std::string end = saved_project();
  EXPECT_NE(end, start);
  for (int k = 0; k < 6; ++k) ask("undo");
  EXPECT_EQ(saved_project(), start);
  EXPECT_TRUE(page_->ask("undo").contains("error"));
  for (int k = 0; k < 6; ++k) ask("redo");
  EXPECT_EQ(saved_project(), end);

  begin();  // another day
  EXPECT_EQ(state_["painted"], Json({"stiffness"}));
  for (const Json& setting : state_["settings"]) {
    if (setting["key"] == "look") {
      EXPECT_EQ(setting["value"], "lively");
    }
    if (setting["key"] == "joints") {
      EXPECT_EQ(setting["value"][0]["stiffness"], 2.0);
    }
  }
}

TEST_F(StudioSession, WhatWasDoneYesterdayIsUndoneToday) {
  const fs::path history = folder_ / "tube.studio.history.json";
  EXPECT_FALSE(fs::exists(history));
  const std::string start = saved_project();
  std::vector<std::string> texts;
  ask("set", {{"path", "damping"}, {"value", 0.2}});
  texts.push_back(saved_project());
  ask("paint", {{"channel", "stiffness"}, {"values", {{0, 2.0}}}});
  texts.push_back(saved_project());
  ask("carry", {{"by", {0.1, 0, 0}}});
  texts.push_back(saved_project());
  ask("set", {{"path", "damping"}, {"value", 0.3}});
  ask("undo");

  begin();
  EXPECT_EQ(state_["history"], (Json{{"undo", 3}, {"redo", 1}, {"what", "place"}, {"redo_what", "damping"}}));
  ask("redo");
  ask("undo");
  for (std::size_t k = 3; k-- > 1;) {
    ask("undo");
    EXPECT_EQ(saved_project(), texts[k - 1]);
  }
  begin();  // and in the middle of it
  EXPECT_EQ(state_["history"]["undo"], 1);
  EXPECT_EQ(state_["history"]["redo"], 3);
  for (int k = 0; k < 2; ++k) ask("redo");
  EXPECT_EQ(saved_project(), texts[2]);

  // Whatever is wrong with the file, the project opens, and one sentence says why nothing can be undone.
  studio_.reset();
  const std::string whole = read_text_file(history), project_then = project();
  Json other_surface = Json::parse(whole), other_settings = other_surface;
  other_surface["layers"] = {{0}};
  other_settings["settings"][0] = {{"loook", 1}};
  for (const std::string& text : {std::string(), std::string("no JSON"), whole.substr(0, whole.size() / 2),
                                  std::string("{}"), other_surface.dump(), other_settings.dump()}) {
    page_.reset();
    studio_.reset();
    write_text_file(history, text);
    begin();
    EXPECT_EQ(state_["history"]["undo"], 0) << text.substr(0, 100);
    EXPECT_EQ(state_["history"]["redo"], 0);
    EXPECT_EQ(project(), project_then);
    std::size_t sentences = 0;
    for (const Json& note : state_["character"]["notes"])
      sentences += note.get<std::string>().find("undone") != std::string::npos ||
                   note.get<std::string>().find("loook") != std::string::npos;
    EXPECT_EQ(sentences, 1u) << state_["character"]["notes"];
  }
  // Changes are kept again from now on. Without a project they have no history.
  ask("carry", {{"by", {0.2, 0, 0}}});
  begin();
  EXPECT_EQ(state_["history"]["undo"], 1);
  page_.reset();
  studio_.reset();
  fs::remove(folder_ / "tube.studio.json");
  begin();
  EXPECT_EQ(state_["history"]["undo"], 0);
}

TEST_F(StudioSession, OneStrokeOfAPointerIsOneStepToUndo) {
  const auto undos = [&] { return state()["history"]["undo"].get<int>(); };
  const auto ball = [](double x) {
    return Json::array({{{"shape", "sphere"}, {"centre", {x, 0, 1}}, {"radius", 0.1}}});
  };
  ask("set", {{"path", "damping"}, {"value", 0.2}, {"stroke", 1}});
  std::this_thread::sleep_for(std::chrono::milliseconds(900));  // longer than what follows by itself
  ask("set", {{"path", "damping"}, {"value", 0.3}, {"stroke", 1}});
  EXPECT_EQ(undos(), 1);
  ask("set", {{"path", "damping"}, {"value", 0.4}, {"stroke", 2}});  // at once, and yet another drag
  EXPECT_EQ(undos(), 2);
  for (int k = 0; k < 3; ++k) ask("set", {{"path", "colliders"}, {"value", ball(1 + 0.1 * k)}, {"stroke", 3}});
  EXPECT_EQ(undos(), 3);
  for (int stroke = 4; stroke < 6; ++stroke)
    for (int k = 0; k < 3; ++k)
      ask("pose", {{"joints", {{"0", {0.0, 0.0, 0.01 * (k + stroke), 1.0}}}}, {"stroke", stroke}});
  EXPECT_EQ(undos(), 5);
  for (int k = 0; k < 3; ++k) ask("carry", {{"by", {0.1 * k, 0, 0}}, {"stroke", 6}});
  EXPECT_EQ(undos(), 6);
  PageClient second(studio_->port(), studio_->token());  // counts its own
  second.ask("hello", {{"version", 1}});
  second.ask("carry", {{"by", {1, 0, 0}}, {"stroke", 6}});
  EXPECT_EQ(undos(), 7);
  EXPECT_TRUE(page_->ask("carry", {{"by", {1, 0, 0}}, {"stroke", -1}}).contains("error"));
}

// The change is refused after others have been made, which stay.
TEST_F(StudioSession, OnlyAChangeThatCannotBeCookedIsTakenBack) {
  const Json turned = {{"upper", {0.0, 0.0, 0.6, 0.8}}};
  ask("set", {{"path", "damping"}, {"value", 0.3}});
  ask("keep_pose", {{"name", "first"}, {"joints", turned}});
  ask("undo");
  const std::string before = saved_project();
  const Json nowhere = {{{"joint", "tail"}, {"point", {0, 0.5, 0}}}};  // a joint that the character does not have
  const int ring = page_->say("set", {{"path", "belts"}, {"value", nowhere}});
  const int another = page_->say("set", {{"path", "damping"}, {"value", 0.5}});
  const int kept = page_->say("keep_pose", {{"name", "second"}, {"joints", turned}});
  EXPECT_NE(page_->answer_to(ring).value("error", "").find("'tail'"), std::string::npos);
  EXPECT_FALSE(page_->answer_to(another).contains("error"));
  EXPECT_FALSE(page_->answer_to(kept).contains("error"));
  ask("keep_pose", {{"name", "third"}, {"joints", turned}});
  EXPECT_EQ(saved_project().find("tail"), std::string::npos);
  const Json now = state();
  EXPECT_EQ(now["history"]["undo"], 4);  // damping twice, and two poses
  for (const Json& setting : now["settings"])
    if (setting["key"] == "damping") {
      EXPECT_EQ(setting["value"], 0.5);
    }
  for (int k = 0; k < 3; ++k) ask("undo");
  EXPECT_EQ(saved_project(), before);
}

// Undo and redo lead to settings whose file was damaged, and then removed, meanwhile.
TEST_F(StudioSession, WhereUndoAndRedoLeadToWhatCannotBeCookedTheyAreTakenBack) {
  const fs::path file = folder_ / "keys.json";
  const std::string whole = R"({"clips": {"*": {"stiffness": [[0, 1], [1, 2]]}}})", half = whole.substr(0, 20);
  write_text_file(file, whole);
  ask("set", {{"path", "keys"}, {"value", file.string()}, {"stroke", 1}});
  ask("set", {{"path", "keys"}, {"value", ""}, {"stroke", 2}});
  ask("set", {{"path", "damping"}, {"value", 0.4}});
  const auto history = [&] { return state()["history"]; };
  ask("undo");
  const Json here = history();
  const std::string project_here = saved_project();
  write_text_file(file, half);
  const std::string damaged = refused("undo");
  EXPECT_TRUE(damaged.starts_with("This cannot be undone: ")) << damaged;
  EXPECT_NE(damaged.find("keys.json"), std::string::npos) << damaged;
  EXPECT_EQ(history(), here);
  EXPECT_EQ(saved_project(), project_here);
  fs::remove(file);
  EXPECT_TRUE(refused("undo").starts_with("This cannot be undone: "));
  EXPECT_EQ(history(), here);
  ask("redo");
  ask("undo");
  // Two steps at once lead over it. Where the second can be cooked, the first is never seen.
  write_text_file(file, half);
  const int first = page_->say("undo"), second = page_->say("undo");
  page_->answer_to(first);
  page_->answer_to(second);
  write_text_file(file, whole);
  const Json after = history();
  for (int k = after["undo"].get<int>(); k > 0; --k) ask("undo");
  for (int k = after["undo"].get<int>() + after["redo"].get<int>(); k > 0; --k) ask("redo");
  EXPECT_EQ(history()["undo"], 3);
}

}  // namespace
