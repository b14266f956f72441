// Rings around the skin in the studio: placed by a point or a band, moved, undone, kept, and baked to the bytes of the
// command line; and hostile messages about them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/jobs/method_values.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;

// A ring goes through the point of the skin; its middle is a radius away along a bone that is not quite upright.
constexpr double tilt_of_tube = 0.002;

class StudioRings : public StudioSession {
 protected:
  StudioRings() { ask("set", {{"path", "tetrahedra"}, {"value", 300}}); }
  nlohmann::json belts() {
    const nlohmann::json now = state();
    for (const nlohmann::json& setting : now["settings"])
      if (setting["key"] == "belts") return setting["value"];
    return nullptr;
  }
  nlohmann::json at(double height) { return {{"rest", {0.3, height, 0.0}}}; }
  std::string refused(const nlohmann::json& ring) {
    const nlohmann::json answer = page_->ask("ring", ring);
    EXPECT_TRUE(answer.contains("error")) << ring;
    return answer.value("error", "");
  }
};

TEST_F(StudioRings, APointOfTheSkinGetsARingThatIsMovedAndUndone) {
  ask("ring", {{"at", at(0.75)}});
  nlohmann::json list = belts();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(double(list[0]["point"][1]), 0.75, tilt_of_tube);
  EXPECT_NEAR(std::abs(double(list[0]["normal"][1])), 1, 1e-4);
  const nlohmann::json rings = ask("rings")["rings"];
  ASSERT_EQ(rings.size(), 1u);
  ASSERT_EQ(rings[0]["lines"].size(), 1u);
  EXPECT_EQ(rings[0]["lines"][0]["closed"], true);
  EXPECT_GT(rings[0]["lines"][0]["points"].size(), 8u);

  ask("set", {{"path", "belts[0].size"}, {"value", 0.8}});
  const std::string kept = saved_project();
  for (const double height : {0.7, 0.65}) ask("ring", {{"ring", 0}, {"at", at(height)}, {"stroke", 7}});
  list = belts();
  EXPECT_NEAR(double(list[0]["point"][1]), 0.65, tilt_of_tube);
  EXPECT_EQ(list[0]["size"], 0.8);
  ask("undo");  // the whole stroke
  EXPECT_NEAR(double(belts()[0]["point"][1]), 0.75, tilt_of_tube);
  EXPECT_EQ(saved_project(), kept);
  begin();
  EXPECT_EQ(belts()[0]["size"], 0.8);
  ask("reset", {{"path", "belts[0]"}});
  EXPECT_TRUE(belts().empty());
}

TEST_F(StudioRings, ABandOfVerticesGetsARingAsWide) {
  nlohmann::json band = nlohmann::json::array();
  double lowest = 1, highest = 0;
  const Character character = open_character((folder_ / "tube.glb").string()).character;
  const SimulationSurface surface = simulation_surface(character);
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v)
    if (std::abs(surface.rest.positions[v].y - 0.75) < 0.05 && surface.rest.positions[v].z > 0) {
      band.push_back(v);
      lowest = std::min(lowest, surface.rest.positions[v].y);
      highest = std::max(highest, surface.rest.positions[v].y);
    }
  ask("ring", {{"vertices", band}});
  const nlohmann::json ring = belts()[0];
  EXPECT_NEAR(double(ring["point"][1]), 0.75, 0.02);
  EXPECT_NEAR(double(ring["width"]), highest - lowest, 1e-3);
}

TEST_F(StudioRings, ABakeHasTheBytesOfTheCommandLine) {
  ask("ring", {{"at", at(0.75)}});
  ask("set", {{"path", "belts[0].size"}, {"value", 0.8}});
  ask("set", {{"path", "colliders"},
              {"value",
               {{{"shape", "capsule"},
                 {"from", {0.15, 0.2, 0.0}},
                 {"to", {0.15, 0.3, 0.0}},
                 {"radius", 0.1},
                 {"joint", "lower"}}}}});
  const std::string clip = state_["clips"][0]["name"];
  ask("bake", {{"output", "ringed.glb"}, {"clip", clip}, {"from", 0.0}, {"to", 0.1}});
  page_->event("baked");
  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "again.glb";
  test::flesh(job.method) =
      settings_from_json<FleshSettings>(read_text_file(folder_ / "ringed.settings.json"), "settings");
  ASSERT_EQ(test::flesh(job.method).belts.size(), 1u);
  ASSERT_EQ(test::flesh(job.method).colliders.size(), 1u);
  job.clip = clip;
  job.begin = 0;
  job.end = 0.1;
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "ringed.glb"), bytes_of(folder_ / "again.glb"));
}

TEST_F(StudioRings, HostileMessagesGetASentence) {
  using Json = nlohmann::json;
  EXPECT_NE(refused(Json::object()).find("vertices"), std::string::npos);
  EXPECT_NE(refused({{"at", at(0.7)}, {"vertices", {1, 2}}}).find("one of the two"), std::string::npos);
  EXPECT_NE(refused({{"ring", 0}, {"at", at(0.7)}}).find("no ring 0"), std::string::npos);
  EXPECT_NE(refused({{"ring", 0}, {"vertices", {1, 2, 3}}}).find("where"), std::string::npos);
  EXPECT_NE(refused({{"vertices", {1, 2, 40'000'000}}}).find("no vertex"), std::string::npos);
  EXPECT_NE(refused({{"at", {40'000'000, 0.1, 0.1}}}).find("no triangle"), std::string::npos);
  for (const Json& wrong : {Json{{"vertices", Json::array()}}, Json{{"vertices", {0.5}}}, Json{{"vertices", {-1}}},
                            Json{{"vertices", "all"}}, Json{{"at", at(0.7)}, {"ring", -1}},
                            Json{{"at", at(0.7)}, {"ring", 1e9}}, Json{{"at", at(0.7)}, {"ring", "first"}},
                            Json{{"at", {{"rest", {1e300, 0, 0}}}}}, Json{{"at", at(0.7)}, {"joint", "upper"}}})
    refused(wrong);
  EXPECT_TRUE(page_->ask("rings", {{"of", 1}}).contains("error"));
  EXPECT_TRUE(belts().empty());
  ask("method", {{"name", "linear"}});
  EXPECT_NE(refused({{"at", at(0.7)}}).find("Flesh"), std::string::npos);
  EXPECT_TRUE(ask("rings")["rings"].empty());
}

}  // namespace
