// Curves of rig-space physics in the studio: they appear, are fixed by keys, undone, saved and baked as the command
// line bakes them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/cook/rig_space/rig_space_method.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "studio/server/cook/paint_layer.h"
#include "studio/server/project/project.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;

constexpr const char* lifted = "upper.translation.y";

class StudioCurves : public StudioSession {
 protected:
  StudioCurves() {
    page_.reset();
    studio_.reset();  // which saves nothing, since nothing was done
    studio::Project project;
    project.method = "rigspace";
    project.settings["rigspace"] = R"({"free": ["upper.translation.*"], "tetrahedra": 400, "poses": 8})";
    write_text_file(folder_ / "tube.studio.json", studio::project_json(project, "tube.glb"));
    begin();
  }

  Json key(const Json& stretches, const std::string& clip = "shake", const std::string& parameter = lifted) {
    return page_->ask("curve", {{"clip", clip}, {"parameter", parameter}, {"stretches", stretches}});
  }

  struct Curves {
    Json head;
    std::vector<float> values;  // frames x controls
  };
  // The next run that is told, from its first new frame on; frames before it stay as they are in `curves`.
  void follow(Curves& curves) {
    curves.head = page_->event("curves");
    const std::size_t count = curves.head["controls"].size();
    curves.values.resize(curves.head["frames"].get<std::size_t>() * count);
    for (bool ended = false; !ended;) {
      const Json frames = page_->event("curve_frames");
      ASSERT_EQ(frames["run"], curves.head["run"]);
      const std::vector<float> values = studio::floats_from_base64(frames["values"].get<std::string>());
      const std::size_t from = frames["from"].get<std::size_t>() * count;
      ASSERT_LE(from + values.size(), curves.values.size());
      std::copy(values.begin(), values.end(), curves.values.begin() + static_cast<std::ptrdiff_t>(from));
      ended = frames["ended"];
    }
  }
};

const Json& lift_keys() {
  static const Json keys = Json::parse(R"([{"ease": 0.1, "keys": [[0.5, 0.01], [0.7, 0.03, 0.0]]}])");
  return keys;
}

TEST_F(StudioCurves, AreSimulatedAgainAroundKeysThatAreUndoneAndBaked) {
  ask("play", {{"clip", "shake"}});
  ask("curves");
  Curves curves;
  follow(curves);
  EXPECT_EQ(curves.head["clip"], "shake");
  ASSERT_EQ(curves.head["controls"].size(), 3u);
  EXPECT_EQ(curves.head["controls"][1]["name"], lifted);
  EXPECT_EQ(curves.head["controls"][1]["unit"], "m");
  EXPECT_EQ(curves.head["keys"], Json::array());
  const Curves free = curves;

  EXPECT_FALSE(key(lift_keys()).contains("error"));
  follow(curves);
  const std::size_t first = curves.head["first"], at = 15;  // 0.5 s
  EXPECT_GT(first, 0u);
  EXPECT_LE(first, 12u);
  EXPECT_EQ(curves.head["keys"][0]["parameter"], lifted);
  EXPECT_EQ(curves.head["keys"][0]["keys"], lift_keys()[0]["keys"]);
  for (std::size_t k = 0; k < 3 * 11; ++k) EXPECT_EQ(curves.values[k], free.values[k]) << k;
  EXPECT_EQ(curves.values[3 * at + 1], 0.01f);
  EXPECT_NE(curves.values[3 * at], free.values[3 * at]);

  // The command line bakes the same bytes with the settings that the project keeps.
  const Json begun = ask("bake", {{"output", "studio.glb"}, {"clip", "shake"}});
  EXPECT_NE(begun["command"].get<std::string>().find("--method rigspace"), std::string::npos);
  page_->event("baked");
  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "line.glb";
  job.clip = "shake";
  RigSpaceMethod method;
  read_table(method.settings(), read_text_file(folder_ / "studio.settings.json"), "settings");
  job.method = method;
  animate_file(job);
  EXPECT_EQ(read_text_file(folder_ / "studio.glb"), read_text_file(folder_ / "line.glb"));
  EXPECT_NE(saved_project().find("upper.translation.y"), std::string::npos);

  ask("undo");
  follow(curves);
  EXPECT_EQ(curves.head["keys"], Json::array());
  EXPECT_EQ(curves.values, free.values);
  ask("redo");
  follow(curves);
  EXPECT_FALSE(key(Json::array()).contains("error"));
  follow(curves);
  EXPECT_EQ(curves.values, free.values);

  // Another page that looks later sees all of them.
  ask("curves", {{"on", false}});
  page_ = std::make_unique<PageClient>(studio_->port(), studio_->token());
  ask("hello", {{"version", 1}});
  ask("curves");
  Curves again;
  follow(again);
  EXPECT_EQ(again.values, free.values);
}

TEST_F(StudioCurves, EditsThatFollowAtOnceAreUndoneOneByOne) {
  EXPECT_FALSE(key(lift_keys()).contains("error"));
  const std::string keyed = saved_project();
  EXPECT_FALSE(key(Json::array()).contains("error"));
  EXPECT_NE(saved_project(), keyed);
  ask("undo");
  EXPECT_EQ(saved_project(), keyed);
}

// A page that means no good: each is refused in a sentence, and nothing has changed.
TEST_F(StudioCurves, RefuseWhatCannotBe) {
  const std::string before = project();
  const std::vector<Json> wrong{Json::parse(R"([{"keys": []}])"),
                                Json::parse(R"([{"keys": [[0.5, 1e300]]}])"),
                                Json::parse(R"([{"keys": [[0.5, 0.01], [0.4, 0.01]]}])"),
                                Json::parse(R"([{"keys": [[0.5, 0.01]], "ease": -1}])"),
                                Json::parse(R"([{"keys": [[0.5, 0.01]], "more": 1}])"),
                                Json::parse(R"([{"keys": [[0, 0], [1, 0]]}, {"keys": [[0.5, 0]]}])"),
                                Json::parse("[3]"),
                                Json(std::vector<int>(1001)),
                                Json::object(),
                                Json()};
  for (const Json& stretches : wrong) EXPECT_TRUE(key(stretches).contains("error")) << stretches;
  EXPECT_TRUE(key(lift_keys(), "no clip").contains("error"));
  EXPECT_TRUE(key(lift_keys(), "shake", "upper.rotation.x").contains("error"));
  EXPECT_TRUE(key(lift_keys(), "shake", std::string(100'000, 'a')).contains("error"));
  EXPECT_TRUE(page_->ask("curves", {{"on", 3}}).contains("error"));
  EXPECT_TRUE(page_->ask("curve", {{"clip", "shake"}}).contains("error"));
  EXPECT_EQ(state()["history"]["undo"], 0);
  EXPECT_EQ(saved_project(), before);
  ask("curves", {{"on", false}});
}

// The rig's curves that play belong to a scene, which a change of its settings replaces.
TEST_F(StudioCurves, PlayOnWhereSettingsChange) {
  ask("play", {{"clip", "shake"}});
  for (const double poisson : {0.3, 0.35, 0.45, 0.4}) {
    ask("set", {{"path", "poisson"}, {"value", poisson}});
    for (int frame = 0; frame < 3; ++frame) EXPECT_FALSE(page_->frame().positions.empty());
  }
  EXPECT_NE(saved_project().find("\"poisson\": 0.4"), std::string::npos) << saved_project();
}

TEST_F(StudioCurves, CannotBePosedByHandButUndoBringsPosesBack) {
  const Json turn = Json::parse(R"({"joints": {"1": [0, 0, 0.6, 0.8]}})");
  EXPECT_NE(page_->ask("pose", turn)["error"].get<std::string>().find("cannot be posed by hand"), std::string::npos);
  EXPECT_EQ(state()["history"]["undo"], 0);
  ask("method", {{"name", "linear"}});
  ask("pose", turn);
  ask("method", {{"name", "rigspace"}});
  EXPECT_FALSE(page_->ask("unpose", Json::object()).contains("error"));
  EXPECT_TRUE(state()["pose"].empty());
  EXPECT_FALSE(page_->ask("undo").contains("error"));
  EXPECT_FALSE(state()["pose"].empty());
}

// A rig file beside the character names a program, which the studio does not start.
TEST_F(StudioCurves, StartNoProgram) {
  std::ofstream(folder_ / "evil.rig.json") << R"({"command": ["touch", "started"]})";
  EXPECT_NE(
      page_->ask("set", {{"path", "rig"}, {"value", "evil.rig.json"}})["error"].get<std::string>().find("program"),
      std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "started"));
}

TEST_F(StudioCurves, BelongToTheMethodThatComputesThem) {
  ask("method", {{"name", "linear"}});
  ask("curves");
  EXPECT_NE(key(lift_keys())["error"].get<std::string>().find("rigspace"), std::string::npos);
}

}  // namespace
