// Every method that moves a body is baked in the background from the page: to the bytes of the command line, with
// progress, and it can be stopped.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "sinew/base/file.h"
#include "sinew/cook/methods.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;

class StudioMethodBakes : public StudioSession, public testing::WithParamInterface<const char*> {
 protected:
  StudioMethodBakes() {
    page_.reset();
    studio_.reset();  // which saves nothing, since nothing was done
    studio::Project project;
    project.method = GetParam();
    project.settings["mixed"] = R"({"tetrahedra": 300})";
    project.settings["springs"] = R"({"swing": ["upper"]})";
    project.settings["rigspace"] = R"({"free": ["upper.translation.*"], "tetrahedra": 400, "poses": 8})";
    write_text_file(folder_ / "tube.studio.json", studio::project_json(project, "tube.glb"));
    begin();
  }
};

TEST_P(StudioMethodBakes, WriteTheBytesOfTheCommandLineWithProgress) {
  ASSERT_EQ(state()["method"]["name"], GetParam());
  const Json begun = ask("bake", {{"output", "studio.glb"}, {"clip", "shake"}});
  EXPECT_NE(begun["command"].get<std::string>().find(std::string("--method ") + GetParam()), std::string::npos);
  for (;;) {
    const Json progress = page_->event("progress");
    if (progress["what"] != "baking") continue;
    EXPECT_GE(progress["share"], 0);
    break;
  }
  page_->event("baked");
  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "line.glb";
  job.clip = "shake";
  job.method = method_named(GetParam());
  read_table(job.method->settings(), read_text_file(folder_ / "studio.settings.json"), "settings");
  animate_file(job);
  EXPECT_EQ(read_text_file(folder_ / "studio.glb"), read_text_file(folder_ / "line.glb"));
}

TEST_P(StudioMethodBakes, AreStoppedAndLeaveNothing) {
  ask("bake", {{"output", "studio.glb"}, {"clip", "shake"}, {"frames_per_second", 1000}});
  ask("cancel");
  EXPECT_EQ(page_->event("failed")["what"], "baking");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "studio.glb"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "studio.settings.json"));
}

INSTANTIATE_TEST_SUITE_P(Methods, StudioMethodBakes, testing::Values("mixed", "springs", "rigspace"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
