// Force rigs in the studio: made, edited, moved, fitted, watched and carried over from another character.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

TEST_F(StudioSession, ForceRigsAreMadeHeldAndTakenOffByUndo) {
  ask("open", {{"path", copy_sample("sumo.glb").string()}});
  EXPECT_TRUE(state()["shapes"].is_null());
  EXPECT_TRUE(page_->ask("shape", {{"control", "breathe"}, {"value", 1}}).contains("error"));
  EXPECT_TRUE(page_->ask("add_shape", {{"preset", "wings"}}).contains("error"));
  ask("add_shape", {{"preset", "breathing"}});
  Json shapes = state()["shapes"];
  ASSERT_EQ(shapes["controls"].size(), 1u);
  EXPECT_EQ(shapes["controls"][0]["name"], "breathe");
  EXPECT_TRUE(shapes["controls"][0]["value"].is_null());
  ask("shape", {{"control", "breathe"}, {"value", 0.75}});
  ask("shape", {{"rig", "breathing"}, {"value", 0}});
  EXPECT_TRUE(page_->ask("shape", {{"rig", "breathing"}}).contains("error"));
  ask("add_shape", {{"preset", "biceps"}});
  shapes = state()["shapes"];
  ASSERT_EQ(shapes["rigs"].size(), 2u);
  EXPECT_EQ(shapes["rigs"][0]["share"], 0) << "what is held stays";
  EXPECT_EQ(shapes["controls"][0]["value"], 0.75);
  ask("undo");
  EXPECT_EQ(state()["shapes"]["rigs"].size(), 1u);
  ask("shape", {{"control", "breathe"}, {"value", nullptr}});
  EXPECT_TRUE(state()["shapes"]["controls"][0]["value"].is_null());
  ask("undo");
  EXPECT_TRUE(state()["shapes"].is_null());
  ask("redo");
  EXPECT_EQ(state()["shapes"]["rigs"].size(), 1u);
}

TEST_F(StudioSession, ForceRigsAreEditedMovedAndRemoved) {
  ask("open", {{"path", copy_sample("sumo.glb").string()}});
  EXPECT_TRUE(state()["rigs"].empty());
  EXPECT_TRUE(page_->ask("add_shape", {{"template", "bump"}}).contains("error")) << "where it shall be is missing";
  EXPECT_TRUE(page_->ask("add_shape", {{"template", "painted"}, {"at", {0, 0.3, 0.3}}}).contains("error"));
  ask("add_shape", {{"template", "bump"}, {"at", {0, 0.3, 0.3}}});
  ask("add_shape", {{"template", "bump"}, {"at", {0, 0.3, 0.3}}});
  Json rigs = state()["rigs"];
  ASSERT_EQ(rigs.size(), 2u);
  EXPECT_EQ(rigs[1]["name"], "bump_2");
  EXPECT_EQ(state()["shapes"]["controls"].size(), 2u);

  Json rig = rigs[1];
  rig["name"] = "belly";
  rig["controls"] = {"belly"};
  rig["samples"][1]["radius"] = 0.2;
  ask("edit_shape", {{"name", "bump_2"}, {"rig", rig}});
  rigs = state()["rigs"];
  EXPECT_EQ(rigs[1]["name"], "belly");
  EXPECT_EQ(rigs[1]["samples"][1]["radius"], 0.2);
  EXPECT_EQ(state()["shapes"]["controls"][1]["name"], "belly") << "the control that drove only this rig is gone";

  Json wrong = rig;
  wrong["samples"][1]["radius"] = -1;
  EXPECT_TRUE(page_->ask("edit_shape", {{"name", "belly"}, {"rig", wrong}}).contains("error"));
  wrong = rig;
  wrong["name"] = "bump";
  EXPECT_TRUE(page_->ask("edit_shape", {{"name", "belly"}, {"rig", wrong}}).contains("error")) << "two of one name";
  EXPECT_EQ(state()["rigs"], rigs);

  // The centre's place at rest is the fourth number of each row.
  const auto centre = [&] {
    const Json frame = state()["rigs"][1]["handle"]["frame"];
    return Vec3{frame[3], frame[7], frame[11]};
  };
  const Vec3 before = centre();
  ask("move_shape", {{"name", "belly"}, {"to", {40, 0.3, 0.3}}});
  EXPECT_GT(distance(centre(), before), 0.01);
  ask("undo");
  EXPECT_LT(distance(centre(), before), 1e-12);

  ask("edit_shape", {{"name", "bump"}, {"rig", nullptr}});
  EXPECT_EQ(state()["rigs"].size(), 1u);
  EXPECT_EQ(state()["shapes"]["rigs"].size(), 1u);
  ask("undo");
  EXPECT_EQ(state()["shapes"]["rigs"].size(), 2u);
}

TEST_F(StudioSession, ForceRigsFollowPointsAreDrawnAndWatched) {
  ask("pause");
  ask("add_shape", {{"template", "bump"}, {"at", {100, 0.3, 0.3}}});
  const Json before = state()["rigs"][0];
  const Json point = before["point"];
  Json to = point;
  const double size = state()["character"]["height"];
  to[0] = to[0].get<double>() + 0.03 * size;
  const Json fitted = page_->ask("fit_shape", {{"name", "bump"}, {"points", {{{{"rest", point}}, to}}}});
  ASSERT_FALSE(fitted.contains("error")) << fitted;
  EXPECT_EQ(fitted["left"].size(), 1u);
  EXPECT_NE(state()["rigs"][0]["samples"][1], before["samples"][1]);
  ask("undo");
  EXPECT_EQ(state()["rigs"][0]["samples"][1], before["samples"][1]);

  const Json drawn = page_->ask("picture_shape", {{"name", "bump"}});
  ASSERT_EQ(drawn["pictures"].size(), 2u);
  EXPECT_TRUE(drawn["pictures"][0].get<std::string>().starts_with("data:image/png;base64,"));
  const Json swing = page_->ask("rehearse_shape", {{"name", "bump"}});
  EXPECT_GT(swing["reach"], 0);
  EXPECT_TRUE(page_->ask("rehearse_shape", {{"name", "bump"}, {"clip", ""}})["clip"].get<std::string>().starts_with(
      "data:image/webp;base64,"));

  for (const char* verb : {"picture_shape", "rehearse_shape"})
    EXPECT_TRUE(page_->ask(verb, {{"name", "dent"}}).contains("error")) << verb;
  EXPECT_TRUE(page_->ask("fit_shape", {{"name", "bump"}}).contains("error"));
  EXPECT_TRUE(page_->ask("fit_shape", {{"name", "belly"}, {"target", "../../etc/passwd"}}).contains("error"));
  EXPECT_TRUE(page_->ask("fit_shape", {{"name", "belly"}, {"target", "morph:smile"}}).contains("error"));
  EXPECT_TRUE(page_->ask("show_surface", {{"path", "/etc/passwd"}}).contains("error"));
  EXPECT_TRUE(page_->ask("show_surface", {{"path", "/etc/passwd"}, {"scale", 1}}).contains("error"));
  EXPECT_EQ(state()["rigs"].size(), 1u);

  // The character's own file as a target, found in another pose by points that correspond.
  const Json target = page_->ask("show_surface", {{"path", "tube.glb"}, {"scale", 1}});
  EXPECT_FALSE(target["positions"].get<std::string>().empty());
  Json features = Json::array();
  for (const double height : {0.2, 0.6, 0.95}) {
    const Json place{0.12, height * size, 0};
    features.push_back({{{"rest", place}}, place});
  }
  const Json posed = page_->ask("fit_shape", {{"name", "again"}, {"target", "tube.glb"}, {"features", features}});
  ASSERT_FALSE(posed.contains("error")) << posed;
  EXPECT_NE(posed["lines"].dump().find("pose: features are"), std::string::npos) << posed;
  features.erase(0);
  EXPECT_TRUE(
      page_->ask("fit_shape", {{"name", "again"}, {"target", "tube.glb"}, {"features", features}}).contains("error"));
}

// Numbers that a reply has in base 64, four bytes each.
std::vector<float> floats_in(const Json& text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char digit : text.get<std::string>()) {
    if (digit == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(digit));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xff));
  }
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
  return numbers;
}

TEST_F(StudioSession, RigsOfAnotherCharacterAreCarriedOver) {
  for (const char* name : {"sumo.glb", "elephant.glb"}) copy_sample(name);
  ask("open", {{"path", (folder_ / "sumo.glb").string()}});
  ask("add_shape", {{"preset", "breathing"}});
  saved_project();
  ask("open", {{"path", (folder_ / "elephant.glb").string()}});
  EXPECT_TRUE(page_->ask("transfer_shapes", {{"from", "elephant.glb"}}).contains("error")) << "it has no rigs";
  const Json surface = page_->ask("show_surface", {{"path", "sumo.glb"}});
  EXPECT_FALSE(surface["positions"].get<std::string>().empty());
  // Control points are moved by hand, and arrive.
  const Json lattice = page_->ask("transfer_lattice", {{"from", "sumo.glb"}});
  ASSERT_FALSE(lattice.contains("error")) << lattice;
  const std::vector<float> points = floats_in(lattice["points"]);
  ASSERT_GT(points.size(), 100u);
  const Json from{points[30], points[31], points[32]}, to{points[30], points[31] + 0.03f, points[32]};
  const Json moves = Json::array({Json::array({from, to})});
  const Json moved = page_->ask("transfer_lattice", {{"from", "sumo.glb"}, {"moves", moves}});
  ASSERT_FALSE(moved.contains("error")) << moved;
  EXPECT_NEAR(floats_in(moved["points"])[31], points[31] + 0.03f, 1e-6);
  EXPECT_NE(moved["lines"].dump().find("control points"), std::string::npos);
  EXPECT_NE(moved["there"], lattice["there"]) << "the other skin follows";
  EXPECT_EQ(page_->ask("transfer_lattice", {{"from", "sumo.glb"}})["points"], lattice["points"]) << "taken back";
  const Json far = Json::array({Json::array({from, {points[30], points[31] + 90, points[32]}})});
  EXPECT_NE(page_->ask("transfer_lattice", {{"from", "sumo.glb"}, {"moves", far}})["error"].dump().find("inside out"),
            std::string::npos);
  EXPECT_TRUE(page_->ask("transfer_lattice", {{"from", "nobody.glb"}}).contains("error"));

  const Json carried = page_->ask("transfer_shapes", {{"from", "sumo.glb"}, {"moves", moves}});
  ASSERT_FALSE(carried.contains("error")) << carried;
  EXPECT_NE(carried["lines"].dump().find("control points"), std::string::npos);
  EXPECT_TRUE(carried["picture"].get<std::string>().starts_with("data:image/png;base64,"));
  const Json rigs = state()["rigs"];
  ASSERT_EQ(rigs.size(), 1u);
  EXPECT_EQ(rigs[0]["template"], "field");
  EXPECT_EQ(rigs[0]["samples"][1]["of"], 1) << "forces stay with the server";
  EXPECT_FALSE(rigs[0]["samples"][1].contains("forces"));

  // An edit of a field keeps its forces.
  Json rig = rigs[0];
  rig["samples"][1]["amplitude"] = 0.5;
  ask("edit_shape", {{"name", rig["name"]}, {"rig", rig}});
  EXPECT_EQ(state()["rigs"][0]["samples"][1]["amplitude"], 0.5);
  rig["samples"][1]["of"] = 7;
  EXPECT_TRUE(page_->ask("edit_shape", {{"name", rig["name"]}, {"rig", rig}}).contains("error"));
  ask("undo");
  ask("undo");
  EXPECT_TRUE(state()["rigs"].empty());
}

}  // namespace
