// Fields along limbs in the studio: curves are edited, felt at once, undone, saved, and baked as the command line bakes
// them; for flesh and for a learned model.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/surface/surface_method.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "studio/server/cook/paint_layer.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;

Json limb_json(double at_tip, const char* field = "stiffness") {
  return {{"field", field}, {"from", "lower"}, {"to", "upper"}, {"keys", {{0.0, 1.0}, {1.0, at_tip}}}};
}

class StudioLimbs : public StudioSession {
 protected:
  Json limb(int index, const Json& curve, int stroke = 0) {
    Json message{{"index", index}, {"curve", curve}};
    if (stroke > 0) message["stroke"] = stroke;
    return page_->ask("limb", message);
  }
  std::string bake(const std::string& name) {
    ask("bake", {{"output", name}, {"clip", "shake"}, {"replace", true}});
    page_->event("baked");
    return read_text_file(folder_ / name);
  }
  template <class SomeMethod>
  std::string bake_on_command_line(const char* input, const char* settings) {
    AnimateJob job;
    job.input = folder_ / input;
    job.output = folder_ / "line.glb";
    job.clip = "shake";
    SomeMethod method;
    read_table(method.settings(), read_text_file(folder_ / settings), "settings");
    job.method = method;
    animate_file(job);
    return read_text_file(folder_ / "line.glb");
  }
};

TEST_F(StudioLimbs, ACurveIsFeltUndoneSavedAndBakedToTheBytesOfTheCommandLine) {
  EXPECT_EQ(state()["limbs"], Json::array());
  const std::string plain = bake("plain.glb");
  EXPECT_FALSE(limb(0, limb_json(0.2), 7).contains("error"));
  EXPECT_FALSE(limb(0, limb_json(0.3), 7).contains("error"));
  ASSERT_EQ(state()["limbs"].size(), 1u);
  EXPECT_EQ(state()["limbs"][0]["keys"][1][1], 0.3);
  const std::string curved = bake("curved.glb");
  EXPECT_NE(curved, plain);
  EXPECT_EQ(bake_on_command_line<FleshMethod>("tube.glb", "curved.settings.json"), curved);
  EXPECT_NE(saved_project().find("\"along\""), std::string::npos);
  ask("undo");  // both edits of the stroke
  EXPECT_EQ(state()["limbs"], Json::array());
  EXPECT_EQ(bake("plain.glb"), plain);
  ask("redo");
  EXPECT_EQ(bake("curved.glb"), curved);
  EXPECT_FALSE(limb(0, nullptr).contains("error"));
  EXPECT_EQ(state()["limbs"], Json::array());
  EXPECT_EQ(bake("plain.glb"), plain);
}

TEST_F(StudioLimbs, PlacesOfTheSkinAreShown) {
  const Json answer = ask("limb_places", {{"from", "lower"}, {"to", "upper"}});
  const std::vector<float> shares = studio::floats_from_base64(answer["shares"].get<std::string>()),
                           distances = studio::floats_from_base64(answer["distances"].get<std::string>());
  ASSERT_EQ(shares.size(), state()["character"]["vertices"].get<std::size_t>());
  ASSERT_EQ(distances.size(), shares.size());
  for (const float share : shares) EXPECT_EQ(share, 1);
  EXPECT_EQ(answer["joints"][0], (Json{"lower", 0.0}));
  EXPECT_EQ(answer["joints"][1][0], "upper");
  // The joint is halfway up, and the last bone ends within the flesh.
  EXPECT_GT(answer["joints"][1][1].get<double>(), 0.5);
  EXPECT_LT(answer["joints"][1][1].get<double>(), 0.6);
}

// A page that means no good: each is refused in a sentence, and nothing has changed.
TEST_F(StudioLimbs, RefuseWhatCannotBe) {
  const std::string before = project();
  for (const char* curve : {"3", "[]", "{}", R"({"field": "stiffness", "from": "lower", "to": "upper"})",
                            R"({"field": "stiffness", "from": "lower", "to": "upper", "keys": []})",
                            R"({"field": "stiffness", "from": "lower", "to": "upper", "keys": [[0, 1]], "more": 1})",
                            R"({"field": "stiffness", "from": "lower", "to": "upper", "keys": [[2, 1]]})",
                            R"({"field": "stiffness", "from": "lower", "to": "upper", "keys": [[0, 1e300]]})",
                            R"({"field": "stiffness", "from": "lower", "to": "upper", "keys": [[0.5, 1], [0.5, 1]]})",
                            R"({"field": "stiffness", "from": "upper", "to": "lower", "keys": [[0, 1]]})",
                            R"({"field": "stiffness", "from": "../../etc", "to": "upper", "keys": [[0, 1]]})",
                            R"({"field": "alpha_factor", "from": "lower", "to": "upper", "keys": [[0, 1]]})",
                            R"({"field": "alpha", "from": "lower", "to": "upper", "keys": [[0, 1]]})",
                            R"({"field": ["stiffness"], "from": "lower", "to": "upper", "keys": [[0, 1]]})"})
    EXPECT_TRUE(limb(0, Json::parse(curve)).contains("error")) << curve;
  EXPECT_TRUE(limb(1, limb_json(2)).contains("error"));
  EXPECT_TRUE(limb(0, nullptr).contains("error"));
  EXPECT_TRUE(limb(-1, limb_json(2)).contains("error"));
  EXPECT_TRUE(limb(1000, limb_json(2)).contains("error"));
  Json many = limb_json(2);
  many["keys"] = Json::array();
  for (int k = 0; k <= 1000; ++k) many["keys"].push_back({k / 1000.0, 1});
  EXPECT_TRUE(limb(0, many).contains("error"));
  refused("limb", {{"curve", limb_json(2)}});
  refused("limb", {{"index", 0}});
  refused("limb_places", {{"from", "lower"}});
  refused("limb_places", {{"from", "lower"}, {"to", "nobody"}});
  refused("set", {{"path", "along"}, {"value", "/etc/passwd"}});
  EXPECT_EQ(state()["limbs"], Json::array());
  EXPECT_EQ(project(), before);
  ask("method", {{"name", "springs"}});
  EXPECT_TRUE(state()["limbs"].is_null());
  EXPECT_NE(limb(0, limb_json(2)).value("error", "").find("springs"), std::string::npos);
}

TEST_F(StudioLimbs, FieldsAreThoseOfTheMethod) {
  const auto names = [&] {
    const Json fields = state()["fields"];
    std::vector<std::string> all;
    for (const Json& field : fields) all.push_back(field["name"]);
    return all;
  };
  EXPECT_EQ(names(), (std::vector<std::string>{"stiffness", "damping", "rigid", "density", "poisson"}));
  // Regions are those of one linearisation.
  ask("set", {{"path", "reference"}, {"value", "elastic"}});
  ask("set", {{"path", "linearization"}, {"value", "blended"}});
  const std::vector<std::string> blended = names();
  EXPECT_EQ(std::vector<std::string>(blended.begin() + 5, blended.end()),
            (std::vector<std::string>{"region_1", "region_2", "region_3", "region_4"}));
  ask("method", {{"name", "linear"}});
  EXPECT_EQ(names(), std::vector<std::string>{});
}

// A model without a fit, soft enough to swing.
class StudioPaintedModel : public StudioLimbs {
 protected:
  StudioPaintedModel() {
    const OpenedCharacter opened = open_character(folder_ / "tube.glb");
    const SimulationSurface surface = simulation_surface(opened.character);
    SurfaceModelOptions options;
    options.height = standing_height(surface.rest);
    SurfaceModel model = build_surface_model(opened.character, surface, options);
    for (VertexParameters& p : model.parameters)
      p = {.alpha = 0.08, .beta = 0.3, .gamma = 0.05, .lambda = 0.1, .delta = 0.15};
    write_file(folder_ / "tube.sinew", cook_runtime_file(model));
    ask("method", {{"name", "surface"}, {"model", "tube.sinew"}});
  }
};

TEST_F(StudioPaintedModel, StrokesAndCurvesAreFeltUndoneAndBakedToTheBytesOfTheCommandLine) {
  const std::string plain = bake("plain.glb");
  ask("paint", {{"channel", "alpha_factor"}, {"values", {{3, 0.25}, {4, 0.25}, {5, 4.0}}}});
  EXPECT_EQ(state()["painted"], Json{"alpha_factor"});
  const std::string painted = bake("painted.glb");
  EXPECT_NE(painted, plain);
  EXPECT_EQ(bake_on_command_line<SurfaceMethod>("painted.painted.glb", "painted.settings.json"), painted);
  EXPECT_FALSE(limb(0, limb_json(0.3, "delta_factor")).contains("error"));
  const std::string curved = bake("curved.glb");
  EXPECT_NE(curved, painted);
  EXPECT_EQ(bake_on_command_line<SurfaceMethod>("curved.painted.glb", "curved.settings.json"), curved);
  ask("undo");
  EXPECT_EQ(bake("painted.glb"), painted);
  ask("undo");
  EXPECT_EQ(bake("plain.glb"), plain);
  refused("paint", {{"channel", "alpha_factor"}, {"values", {{3, 0.0}}}});
  refused("paint", {{"channel", "alpha"}, {"values", {{3, 0.5}}}});
  EXPECT_TRUE(limb(0, limb_json(2, "stiffness")).contains("error"));
}

}  // namespace
