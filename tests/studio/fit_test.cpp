// A model is learned from the flesh that plays, played and compared, as the command line learns it.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "sinew/base/file.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/fit_file.h"
#include "studio/server/studio.h"
#include "tests/jobs/files.h"
#include "tests/studio/page_client.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class StudioFit : public testing::Test {
 protected:
  StudioFit() {
    fs::create_directories(folder_);
    fs::copy_file(sample_file("tube.glb"), folder_ / "tube.glb");
    StudioOptions options;
    options.folders = {folder_};
    studio_ = std::make_unique<Studio>(options);
    look();
    ask("open", {{"path", "tube.glb"}});
    ask("set", {{"path", "tetrahedra"}, {"value", 200}});
  }
  // A page that does not read for long is dropped: begin anew after long work.
  void look() {
    page_ = std::make_unique<PageClient>(studio_->port(), studio_->token());
    page_->ask("hello", {{"version", 1}});
  }
  Json ask(const std::string& what, const Json& more = Json::object()) {
    const Json answer = page_->ask(what, more);
    EXPECT_FALSE(answer.contains("error")) << what << ": " << answer;
    return answer;
  }
  void refused(const std::string& what, const Json& more) {
    EXPECT_TRUE(page_->ask(what, more).contains("error")) << what << more;
  }

  fs::path folder_ = scratch_path("studio_fit");
  std::unique_ptr<Studio> studio_;
  std::unique_ptr<PageClient> page_;
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
  EXPECT_EQ(ask("hello", {{"version", 1}})["state"]["method"]["name"], "surface");
  // Flesh goes on to be what is learned from, whatever plays.
  refused("fit", {{"output", "again.sinew"}});
  ask("fit", {{"output", "tube.sinew"}, {"clips", {"bend_90"}}});
  page_->event("learned");
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
