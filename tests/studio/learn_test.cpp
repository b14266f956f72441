// How the inside of a body follows its controls is learned in the background, as the command line learns it, and
// rigspace plays with it at once.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "sinew/base/file.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/learn_file.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class StudioLearn : public StudioSession {
 protected:
  explicit StudioLearn(int tetrahedra = 400) {
    page_.reset();
    studio_.reset();  // which saves nothing, since nothing was done
    studio::Project project;
    project.method = "linear";
    project.settings["rigspace"] =
        R"({"free": ["upper.translation.*"], "poses": 8, "tetrahedra": )" + std::to_string(tetrahedra) + "}";
    write_text_file(folder_ / "tube.studio.json", studio::project_json(project, "tube.glb"));
    begin();
  }
};

TEST_F(StudioLearn, TheInsideIsLearnedToTheBytesOfTheCommandLineAndUsed) {
  const Json answer = ask("learn", {{"output", "tube.vskin"}});
  EXPECT_EQ(answer["command"], "sinew learn tube.glb -o tube.vskin --settings tube.settings.json");
  const Json learned = page_->event("learned_inside");
  EXPECT_EQ(learned["files"][0]["name"], "tube.vskin");
  EXPECT_EQ(learned["report"]["parameters"], 3);
  EXPECT_GT(learned["report"]["interior"], 0);
  const Json progress = page_->event("progress");
  EXPECT_FALSE(progress["what"].get<std::string>().empty());

  LearnJob job;  // what the command's words say
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "again.vskin";
  job.settings = settings_from_json<RigSpaceSettings>(read_text_file(folder_ / "tube.settings.json"), "settings");
  learn_file(job);
  EXPECT_EQ(read_text_file(folder_ / "tube.vskin"), read_text_file(folder_ / "again.vskin"));

  ask("method", {{"name", "rigspace"}, {"settings", {{"interior", "tube.vskin"}}}});
  EXPECT_EQ(state()["method"]["name"], "rigspace");
  EXPECT_NE(saved_project().find("tube.vskin"), std::string::npos);
  ask("undo");  // method and map together
  EXPECT_EQ(state()["method"]["name"], "linear");
  EXPECT_EQ(saved_project().find("tube.vskin"), std::string::npos);
  // It is learned again, whatever map the settings name.
  ask("redo");
  EXPECT_TRUE(page_->ask("learn", {{"output", "tube.vskin"}}).contains("command"));
  page_->event("learned_inside");
  EXPECT_EQ(read_text_file(folder_ / "tube.vskin"), read_text_file(folder_ / "again.vskin"));
}

class StudioLearnLong : public StudioLearn {
 protected:
  StudioLearnLong() : StudioLearn(8000) {}
};

TEST_F(StudioLearnLong, IsStoppedAndLeavesNothing) {
  ask("learn", {{"output", "tube.vskin"}});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ask("cancel");
  EXPECT_EQ(page_->event("failed")["what"], "learning the inside");
  EXPECT_FALSE(fs::exists(folder_ / "tube.vskin"));
  EXPECT_FALSE(fs::exists(folder_ / "tube.settings.json"));
}

TEST_F(StudioLearn, WhatMakesNoSenseIsASentence) {
  for (const Json& wrong : {Json::object(), Json{{"output", "../a.vskin"}}, Json{{"output", "a.sinew"}},
                            Json{{"output", 3}}, Json{{"output", "a.vskin"}, {"clips", {"shake"}}}})
    refused("learn", wrong);
  for (const Json& wrong : {Json(3), Json::array(), Json{{"skin", "a"}}, Json{{"interior", "../../etc/passwd"}},
                            Json{{"interior", "nothing.vskin"}}, Json{{"skinning", "../../etc/passwd"}}})
    refused("method", {{"name", "rigspace"}, {"settings", wrong}});
  write_text_file(folder_ / "taken.vskin", "mine");
  const Json answer = page_->ask("learn", {{"output", "taken.vskin"}});
  EXPECT_EQ(answer["in_the_way"], Json{"taken.vskin"});
  EXPECT_EQ(read_text_file(folder_ / "taken.vskin"), "mine");
  EXPECT_EQ(state()["method"]["name"], "linear");
}

}  // namespace
