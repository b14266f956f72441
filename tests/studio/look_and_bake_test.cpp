// Samples that are only looked at, parts of clips that are baked, and what a page is told of takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "studio/server/project/project.h"
#include "studio/server/studio_state.h"
#include "tests/jobs/method_values.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;

TimedAction at(double seconds, Action::Kind kind) {
  TimedAction timed{seconds, {}};
  timed.action.kind = kind;
  return timed;
}

TEST(StudioTakes, MarksAreActionsWithoutTheMovementsOfAPointer) {
  auto take = std::make_shared<NamedTake>();
  take->take.actions = {at(0.1, Action::Kind::grab), at(0.15, Action::Kind::drag), at(0.2, Action::Kind::drag),
                        at(0.5, Action::Kind::release)};
  // A slider, then the same again a second later.
  for (int k = 0; k < 20; ++k) take->take.actions.push_back(at(1 + 0.05 * k, Action::Kind::gravity));
  take->take.actions.push_back(at(3, Action::Kind::gravity));
  Project project;
  project.takes.push_back(take);
  const PageJson state = takes_state(project)[0];
  EXPECT_EQ(state["actions"], 25);
  EXPECT_EQ(state["marks"], (PageJson{{0.1, "grab"}, {0.5, "release"}, {1.0, "gravity"}, {3.0, "gravity"}}));
}

TEST(StudioTakes, MarksAreNotWithoutEnd) {
  auto take = std::make_shared<NamedTake>();
  for (int k = 0; k < 5000; ++k) take->take.actions.push_back(at(k, Action::Kind::point_force));
  Project project;
  project.takes.push_back(take);
  EXPECT_EQ(takes_state(project)[0]["marks"].size(), 200u);
}

using StudioParts = StudioSession;

TEST_F(StudioParts, APartOfAClipIsBakedToTheBytesOfTheCommandLine) {
  const nlohmann::json clip = state_["clips"][0];
  const double start = clip["start"], begin = start + 0.125, end = begin + 0.25;
  const auto range = [](const nlohmann::json& answer) {
    const std::string command = answer["command"];
    const std::size_t at = command.find(" --range ");
    return at == std::string::npos ? std::string() : command.substr(at, command.find(" --", at + 1) - at);
  };
  EXPECT_EQ(range(ask("bake", {{"output", "part.glb"}, {"clip", clip["name"]}, {"from", 0.125}, {"to", 0.375}})),
            " --range 0.125 0.375");
  page_->event("baked");
  // One end alone leaves the other at the clip's.
  EXPECT_EQ(range(ask("bake", {{"output", "first.pc2"}, {"clip", clip["name"]}, {"to", 0.125}})), " --range 0 0.125");
  page_->event("baked");

  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "again.glb";
  test::flesh(job.method) =
      settings_from_json<FleshSettings>(read_text_file(folder_ / "part.settings.json"), "settings");
  job.clip = clip["name"];
  job.begin = begin;
  job.end = end;
  ASSERT_EQ(start, 0);
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "part.glb"), bytes_of(folder_ / "again.glb"));
}

TEST_F(StudioParts, ATakeHasNoOtherPartThanItsOwn) {
  ask("take", {{"action", "record"}, {"name", "short"}});
  for (ReadFrame now = page_->frame(); now.elapsed < 0.2;) now = page_->frame();
  ask("take", {{"action", "stop"}});
  const nlohmann::json refused = page_->ask("bake", {{"output", "x.pc2"}, {"take", "short"}, {"to", 0.1}});
  EXPECT_NE(refused["error"].get<std::string>().find("trim"), std::string::npos) << refused;
}

TEST_F(StudioParts, ASampleIsLookedAtWithoutATrace) {
  const auto path_of = [&] {
    const nlohmann::json samples = ask("files")["samples"];
    const auto tube = std::find_if(samples.begin(), samples.end(),
                                   [](const nlohmann::json& sample) { return sample["name"] == "tube.glb"; });
    return tube == samples.end() ? std::string() : (*tube)["path"].get<std::string>();
  };
  const std::string sample = path_of();
  if (sample.empty()) GTEST_SKIP() << "There are no samples beside the program.";
  // Where a character was named, samples do not take its place.
  EXPECT_EQ(state_["character"]["look"], false);
  EXPECT_TRUE(page_->ask("open", {{"path", sample}, {"look", true}}).contains("error"));
  EXPECT_EQ(state()["character"]["number"], state_["character"]["number"]);

  page_.reset();
  studio_.reset();
  std::filesystem::remove(project_of(folder_ / "tube.glb"));
  begin_in_folder();
  EXPECT_TRUE(state()["character"].is_null());
  // A file that is no sample is not opened so.
  EXPECT_TRUE(page_->ask("open", {{"path", (folder_ / "tube.glb").string()}, {"look", true}}).contains("error"));
  ask("open", {{"path", sample}, {"look", true}});
  EXPECT_EQ(state()["character"]["look"], true);
  ask("set", {{"path", "look"}, {"value", "lively"}});
  EXPECT_TRUE(page_->ask("bake", {{"output", "out.pc2"}}).contains("error"));
  EXPECT_EQ(saved_project(), "");
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(sample).parent_path() / "tube.studio.json"));

  // Opened for good, it begins as it is, and what is done is kept.
  ask("open", {{"path", sample}});
  EXPECT_EQ(state()["character"]["look"], false);
  EXPECT_EQ(state()["history"]["undo"], 0);
  ask("set", {{"path", "look"}, {"value", "lively"}});
  EXPECT_NE(saved_project(), "");
  EXPECT_TRUE(page_->ask("open", {{"path", sample}, {"look", true}}).contains("error"));
}

}  // namespace
