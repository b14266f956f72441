// Free handles in the studio: put on the skin, led, undone, kept, and baked to the bytes of the command line; and
// hostile messages about them.
#include <gtest/gtest.h>

#include <string>

#include "sinew/files/handles_json.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "tests/jobs/method_values.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;

class StudioHandles : public StudioSession {
 protected:
  StudioHandles() {
    ask("method", {{"name", "mixed"}});
    ask("set", {{"path", "tetrahedra"}, {"value", 300}});
  }
  std::vector<HandleSettings> handles() {
    return handles_of_setting(nlohmann::json{{"handles", ask("handles")["handles"]}}.dump());
  }
  nlohmann::json on_skin(double height) { return {{"rest", {0.1, height, 0.0}}}; }
};

TEST_F(StudioHandles, AreLedUndoneAndKept) {
  ask("handle", {{"at", on_skin(0.8)}});
  ask("handle", {{"at", on_skin(0.3)}, {"frame", true}});
  std::vector<HandleSettings> list = handles();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name, "point 1");
  EXPECT_EQ(list[1].kind, HandleKind::frame);
  EXPECT_NEAR(list[1].place.y, 0.3, 1e-9);
  // The joints whose skin is there carry them.
  EXPECT_EQ(list[0].joint, "upper");
  EXPECT_EQ(list[1].joint, "lower");
  const nlohmann::json places = ask("handles")["places"];
  ASSERT_EQ(places.size(), 2u);
  EXPECT_NEAR(double(places[0][1]), 0.8, 1e-6);

  const std::string kept = saved_project();
  for (const double by : {0.05, 0.1})
    ask("set", {{"path", "handles.handles[0].move"}, {"value", {by, 0.0, 0.0}}, {"stroke", 3}});
  EXPECT_EQ(handles()[0].move, (Vec3{0.1, 0, 0}));
  ask("undo");  // the whole stroke
  EXPECT_EQ(handles()[0].move, Vec3{});
  EXPECT_EQ(saved_project(), kept);
  begin();
  ASSERT_EQ(handles().size(), 2u);
  ask("reset", {{"path", "handles.handles[0]"}});
  ASSERT_EQ(handles().size(), 1u);
  EXPECT_EQ(handles()[0].kind, HandleKind::frame);
  ask("reset", {{"path", "handles"}});
  EXPECT_TRUE(handles().empty());
}

TEST_F(StudioHandles, ABakeHasTheBytesOfTheCommandLine) {
  ask("handle", {{"at", on_skin(0.8)}});
  ask("set", {{"path", "handles.handles[0].move"}, {"value", {0.1, 0.05, 0.0}}});
  const std::string clip = state_["clips"][0]["name"];
  ask("bake", {{"output", "led.glb"}, {"clip", clip}, {"from", 0.0}, {"to", 0.2}});
  page_->event("baked");
  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "again.glb";
  job.method = MixedMethod();
  test::mixed(job.method) =
      settings_from_json<MixedSettings>(read_text_file(folder_ / "led.settings.json"), "settings");
  ASSERT_EQ(handles_of_setting(test::mixed(job.method).handles).size(), 1u);
  job.clip = clip;
  job.begin = 0;
  job.end = 0.2;
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "led.glb"), bytes_of(folder_ / "again.glb"));
  test::mixed(job.method).handles.clear();
  animate_file(job);
  EXPECT_NE(bytes_of(folder_ / "led.glb"), bytes_of(folder_ / "again.glb"));
}

TEST_F(StudioHandles, HostileMessagesGetASentence) {
  using Json = nlohmann::json;
  refused("handle", Json::object());
  EXPECT_NE(refused("handle", {{"at", {40'000'000, 0.1, 0.1}}}).find("no triangle"), std::string::npos);
  for (const Json& wrong :
       {Json{{"at", "tip"}}, Json{{"at", {{"rest", {1e300, 0, 0}}}}}, Json{{"at", on_skin(0.5)}, {"frame", "yes"}},
        Json{{"at", on_skin(0.5)}, {"radius", 3}}, Json{{"at", {{"rest", {0.0, 50.0, 0.0}}}}}})
    refused("handle", wrong);
  EXPECT_TRUE(handles().empty());  // what could not be cooked is taken back
  refused("handles", {{"of", 1}});
  const auto set = [&](const Json& value) { return refused("set", {{"path", "handles"}, {"value", value}}); };
  set(Json{{"handles", {{{"place", {0, 0.5, 0}}, {"radius", 0}}}}});
  set(Json{{"handles", {{{"place", {0, 0.5, 0}}, {"radius", 9}}}}});
  set(Json{{"handles", {{{"place", {0, 0.5, 0}}, {"joint", "tail"}}}}});
  set(Json{{"handles", {{{"place", {0, 0.5}}}}}});
  set(Json{{"handles", 3}});
  Json many = Json::array();
  for (int k = 0; k < 300; ++k) many.push_back({{"place", {0, 0.5, 0}}});
  set(Json{{"handles", many}});
  set("/etc/passwd");
  EXPECT_TRUE(handles().empty());
  ask("method", {{"name", "linear"}});
  EXPECT_NE(refused("handle", {{"at", on_skin(0.7)}}).find("Mixed"), std::string::npos);
  EXPECT_TRUE(ask("handles")["places"].empty());
}

}  // namespace
