// Attachments in the studio: skin that is held by a joint, placed by a point, undone, kept, and baked to the bytes of
// the command line; and hostile messages about them.
#include <gtest/gtest.h>

#include <string>

#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/jobs/method_values.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;

class StudioAttachments : public StudioSession {
 protected:
  StudioAttachments() { ask("set", {{"path", "tetrahedra"}, {"value", 300}}); }
  Json grabs() {
    const Json now = state();
    for (const Json& setting : now["settings"])
      if (setting["key"] == "grabs") return setting["value"];
    return nullptr;
  }
  Json at(double height) { return {{"rest", {0.3, height, 0.0}}}; }
};

TEST_F(StudioAttachments, AreUndoneKeptAndBaked) {
  ask("attach", {{"at", at(0.3)}});
  ask("attach", {{"at", at(0.75)}, {"joint", "lower"}});
  const Json list = grabs();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["joint"], "lower");
  EXPECT_EQ(list[1]["joint"], "lower");
  EXPECT_NEAR(double(list[0]["point"][1]), 0.3, 0.01);
  ask("undo");
  EXPECT_EQ(grabs().size(), 1u);
  ask("redo");
  EXPECT_EQ(grabs(), list);

  const std::string clip = state_["clips"][0]["name"];
  ask("bake", {{"output", "attached.glb"}, {"clip", clip}, {"from", 0.0}, {"to", 0.1}});
  page_->event("baked");
  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "again.glb";
  test::flesh(job.method) =
      settings_from_json<FleshSettings>(read_text_file(folder_ / "attached.settings.json"), "settings");
  ASSERT_EQ(test::flesh(job.method).grabs.size(), 2u);
  job.clip = clip;
  job.begin = 0;
  job.end = 0.1;
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "attached.glb"), bytes_of(folder_ / "again.glb"));
}

TEST_F(StudioAttachments, HostileMessagesGetASentence) {
  const auto refused = [&](const Json& message) {
    const Json answer = page_->ask("attach", message);
    EXPECT_TRUE(answer.contains("error")) << message;
    return answer.value("error", "");
  };
  EXPECT_NE(refused(Json::object()).find("at"), std::string::npos);
  EXPECT_NE(refused({{"at", at(0.5)}, {"joint", "tail"}}).find("'tail'"), std::string::npos);
  EXPECT_NE(refused({{"at", {40'000'000, 0.1, 0.1}}}).find("no triangle"), std::string::npos);
  for (const Json& wrong : {Json{{"at", at(0.5)}, {"joint", 3}}, Json{{"at", at(0.5)}, {"radius", 1}},
                            Json{{"at", {{"rest", {1e300, 0, 0}}}}}})
    refused(wrong);
  EXPECT_TRUE(grabs().empty());
  for (int k = 0; k < 16; ++k) ask("attach", {{"at", at(0.2 + 0.04 * k)}});
  EXPECT_NE(refused({{"at", at(0.5)}}).find("16"), std::string::npos);
  ask("method", {{"name", "linear"}});
  EXPECT_NE(refused({{"at", at(0.5)}}).find("Flesh"), std::string::npos);
}

}  // namespace
