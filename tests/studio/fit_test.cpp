// A model is learned from the flesh that plays, played and compared, as the command line learns it.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "sinew/base/file.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/fit_file.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class StudioFit : public StudioInFolder {
 protected:
  StudioFit() {
    copy_sample("tube.glb", 200);
    begin_in_folder();
    ask("open", {{"path", "tube.glb"}});
  }
};

TEST_F(StudioFit, AModelIsLearnedToTheBytesOfTheCommandLineAndPlays) {
  const Json answer = ask("fit", {{"output", "tube.sinew"}, {"clips", {"shake"}}});
  EXPECT_EQ(answer["command"],
            "sinew fit tube.glb --simulate -o tube.sinew --settings tube.settings.json --clip shake");
  refused("bake", {{"output", "meanwhile.glb"}});
  const Json learned = page_->event("learned");
  EXPECT_EQ(learned["files"][0]["name"], "tube.sinew");
  EXPECT_FALSE(learned["report"]["examples"].empty());

  FitJob job;  // what the command's words say
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "again.sinew";
  job.settings = settings_from_json<FleshSettings>(read_text_file(folder_ / "tube.settings.json"), "settings");
  job.examples = {{{}, "shake", {}, {}}};
  fit_file(job);
  look();
  EXPECT_EQ(bytes_of(folder_ / "tube.sinew"), bytes_of(folder_ / "again.sinew"));

  ask("beside", {{"method", "surface"}, {"model", "tube.sinew"}});
  ask("beside");
  ask("method", {{"name", "surface"}, {"model", "tube.sinew"}});
  EXPECT_EQ(state()["method"]["name"], "surface");
  // Flesh goes on to be what is learned from, whatever plays.
  refused("fit", {{"output", "again.sinew"}});
  ask("fit", {{"output", "tube.sinew"}, {"clips", {"bend_90"}}});
  ask("cancel");
  EXPECT_EQ(page_->event("failed")["what"], "learning");
}

TEST_F(StudioFit, IsStoppedAndLeavesNothing) {
  ask("set", {{"path", "tetrahedra"}, {"value", 8000}});
  ask("fit", {{"output", "tube.sinew"}, {"clips", {"shake", "bend_135", "bend_90"}}});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ask("cancel");
  const Json failed = page_->event("failed");
  EXPECT_EQ(failed["what"], "learning");
  EXPECT_FALSE(fs::exists(folder_ / "tube.sinew"));
  EXPECT_FALSE(fs::exists(folder_ / "tube.settings.json"));
}

TEST_F(StudioFit, WhatMakesNoSenseIsASentence) {
  for (const Json& wrong :
       {Json::object(), Json{{"output", "../a.sinew"}}, Json{{"output", "a.glb"}}, Json{{"output", 3}},
        Json{{"output", "a.sinew"}, {"clips", "shake"}}, Json{{"output", "a.sinew"}, {"clips", {"dance"}}},
        Json{{"output", "a.sinew"}, {"clips", {nullptr}}}, Json{{"output", "a.sinew"}, {"clip", "shake"}}})
    refused("fit", wrong);
  ask("set", {{"path", ""}, {"value", {{"free_body", true}}}});
  refused("fit", {{"output", "a.sinew"}});
  EXPECT_FALSE(fs::exists(folder_ / "a.sinew"));
}

}  // namespace
