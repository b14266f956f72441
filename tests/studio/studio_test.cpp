// The studio from end to end, as its page uses it.
#include "studio/server/studio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <future>
#include <memory>
#include <thread>

#include "sinew/base/file.h"
#include "sinew/files/settings_json.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/fit_file.h"
#include "tests/jobs/method_values.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

TEST_F(StudioSession, ForceRigsAreMadeHeldAndTakenOffByUndo) {
  fs::copy_file(sample_file("sumo.glb"), folder_ / "sumo.glb");
  ask("open", {{"path", (folder_ / "sumo.glb").string()}});
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
  fs::copy_file(sample_file("sumo.glb"), folder_ / "sumo.glb");
  ask("open", {{"path", (folder_ / "sumo.glb").string()}});
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
  for (const char* name : {"sumo.glb", "elephant.glb"}) fs::copy_file(sample_file(name), folder_ / name);
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

TEST_F(StudioSession, PlaysTheCharacterThatWasNamed) {
  EXPECT_EQ(state_["character"]["name"], "tube.glb");
  EXPECT_EQ(state_["method"]["name"], "flesh");
  EXPECT_TRUE(state_["method"]["can"]["held"]);
  EXPECT_TRUE(state_["play"]["playing"]);
  const ReadFrame first = page_->frame();
  EXPECT_EQ(first.positions.size(), state_["character"]["vertices"]);
  EXPECT_EQ(first.joints.size(), state_["character"]["joints"].size());
  ReadFrame later = page_->frame();
  while (later.elapsed < first.elapsed + 0.25) later = page_->frame();
  EXPECT_GT(later.number, first.number);
  double moved = 0;
  for (std::size_t v = 0; v < first.positions.size(); ++v)
    moved = std::max(moved, distance(first.positions[v], later.positions[v]));
  EXPECT_GT(moved, 0.01);
}

TEST_F(StudioSession, ThePagesCharacterIsTheFiles) {
  const HttpAnswer glb = http(studio_->port(), "GET", "/character.glb?token=" + studio_->token());
  ASSERT_EQ(glb.status, 200);
  const Character character = read_character(std::as_bytes(std::span(glb.body)), "character.glb");
  const Character file = read_character(folder_ / "tube.glb");
  ASSERT_EQ(character.parts.size(), file.parts.size());
  EXPECT_EQ(character.parts[0].surface.positions, file.parts[0].surface.positions);
  EXPECT_EQ(http(studio_->port(), "GET", "/character.glb?number=1&token=" + studio_->token()).status, 200);
  EXPECT_EQ(http(studio_->port(), "GET", "/character.glb?number=7&token=" + studio_->token()).status, 409);
  const HttpAnswer surface = http(studio_->port(), "GET", "/surface?token=" + studio_->token());
  ASSERT_EQ(surface.status, 200);
  FrameReader reader(std::as_bytes(std::span(surface.body)));
  EXPECT_EQ(reader.take<std::uint32_t>(), 0x53574e53u);
  EXPECT_EQ(reader.take<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.take<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.take<std::uint32_t>(), state_["character"]["vertices"]);
  const auto triangles = reader.take<std::uint32_t>(), parts = reader.take<std::uint32_t>();
  EXPECT_EQ(parts, 1u);
  for (std::size_t k = 0; k < 3 * state_["character"]["vertices"].get<std::size_t>(); ++k) reader.take<float>();
  for (std::uint32_t k = 0; k < 3 * triangles; ++k)
    EXPECT_LT(reader.take<std::uint32_t>(), state_["character"]["vertices"]);
  EXPECT_EQ(reader.take<std::uint32_t>(), static_cast<std::uint32_t>(file.parts[0].joint));
  EXPECT_EQ(reader.take<std::uint32_t>(), 0u);
  EXPECT_EQ(reader.take<std::uint32_t>(), 0u);
  const auto count = reader.take<std::uint32_t>();
  EXPECT_EQ(count, file.parts[0].surface.positions.size());
  for (std::uint32_t k = 0; k < count; ++k) EXPECT_LT(reader.take<std::uint32_t>(), state_["character"]["vertices"]);
  EXPECT_TRUE(reader.at_end());
}

TEST_F(StudioSession, PausedTimeStandsAndTouchedFleshMovesAndComesBack) {
  ask("pause");
  const ReadFrame still = page_->frame_after(page_->say("scrub", {{"time", 0.5}}));
  EXPECT_NEAR(still.clip_time, 0.5, 1e-9);
  ask("grab", {{"name", "hand"}, {"at", {300, 0.3, 0.3}}});
  const Json hand = page_->event("changed");
  Json hands = hand;
  while (!hands.contains("hands")) hands = page_->event("changed");
  const Json target = hands["hands"][0]["target"];
  const int drag = page_->say(
      "drag", {{"name", "hand"},
               {"target", {target[0].get<double>(), target[1].get<double>(), target[2].get<double>() + 0.03}}});
  page_->frame_after(drag);
  const ReadFrame pulled = page_->settled();
  EXPECT_NEAR(pulled.clip_time, 0.5, 1e-9);
  const auto farthest = [&](const ReadFrame& frame) {
    double most = 0;
    for (std::size_t v = 0; v < still.positions.size(); ++v)
      most = std::max(most, distance(frame.positions[v], still.positions[v]));
    return most;
  };
  EXPECT_GT(farthest(pulled), 0.02);
  page_->frame_after(page_->say("release"));
  EXPECT_LT(farthest(page_->settled()), 0.002);
}

TEST_F(StudioSession, AJointIsTurnedAndGivenBack) {
  ask("pause");
  const ReadFrame before = page_->frame_after(page_->say("scrub", {{"time", 0.0}}));
  int joint = -1;
  for (std::size_t j = 0; j < state_["character"]["joints"].size(); ++j)
    if (state_["character"]["joints"][j]["name"] == "lower") joint = static_cast<int>(j);
  ASSERT_GE(joint, 0);
  const int turn = page_->say("pose", {{"joints", {{std::to_string(joint), {0.0, 0.0, 0.3826834, 0.9238795}}}}});
  page_->frame_after(turn);
  const ReadFrame turned = page_->settled();
  const Affine& there = turned.joints[static_cast<std::size_t>(joint)];
  EXPECT_GT(frobenius_norm(there.linear - before.joints[static_cast<std::size_t>(joint)].linear), 0.3);
  page_->frame_after(page_->say("undo"));
  const ReadFrame back = page_->settled();
  EXPECT_LT(frobenius_norm(back.joints[static_cast<std::size_t>(joint)].linear -
                           before.joints[static_cast<std::size_t>(joint)].linear),
            1e-3);
}

TEST_F(StudioSession, SettingsAreSeenKeptAndUndoneToTheBit) {
  ask("set", {{"path", "damping"}, {"value", 0.4}});
  ask("undo");
  const std::string start = saved_project();
  ASSERT_NE(start, "");
  EXPECT_FALSE(page_->ask("set", {{"path", "look"}, {"value", "lively"}}).contains("error"));
  ask("set", {{"path", "joints[0]"}, {"value", {{"joints", "low*"}, {"stiffness", 3.0}}}});
  ask("set", {{"path", "joints[0].stiffness"}, {"value", 2.0}});
  ask("paint", {{"channel", "stiffness"}, {"values", {{0, 2.5}, {1, 2.5}, {2, 0.5}}}});
  ask("method", {{"name", "linear"}});
  ask("method", {{"name", "flesh"}});
  const Json now = state();
  EXPECT_EQ(now["history"]["undo"], 6);
  EXPECT_EQ(now["painted"], Json({"stiffness"}));
  const std::string end = saved_project();
  EXPECT_NE(end, start);
  for (int k = 0; k < 6; ++k) ask("undo");
  EXPECT_EQ(saved_project(), start);
  EXPECT_TRUE(page_->ask("undo").contains("error"));
  for (int k = 0; k < 6; ++k) ask("redo");
  EXPECT_EQ(saved_project(), end);

  begin();  // another day
  EXPECT_EQ(state_["painted"], Json({"stiffness"}));
  for (const Json& setting : state_["settings"]) {
    if (setting["key"] == "look") {
      EXPECT_EQ(setting["value"], "lively");
    }
    if (setting["key"] == "joints") {
      EXPECT_EQ(setting["value"][0]["stiffness"], 2.0);
    }
  }
}

TEST_F(StudioSession, WhatWasDoneYesterdayIsUndoneToday) {
  const fs::path history = folder_ / "tube.studio.history.json";
  EXPECT_FALSE(fs::exists(history));
  const std::string start = saved_project();
  std::vector<std::string> texts;
  ask("set", {{"path", "damping"}, {"value", 0.2}});
  texts.push_back(saved_project());
  ask("paint", {{"channel", "stiffness"}, {"values", {{0, 2.0}}}});
  texts.push_back(saved_project());
  ask("carry", {{"by", {0.1, 0, 0}}});
  texts.push_back(saved_project());
  ask("set", {{"path", "damping"}, {"value", 0.3}});
  ask("undo");

  begin();
  EXPECT_EQ(state_["history"], (Json{{"undo", 3}, {"redo", 1}, {"what", "place"}, {"redo_what", "damping"}}));
  ask("redo");
  ask("undo");
  for (std::size_t k = 3; k-- > 1;) {
    ask("undo");
    EXPECT_EQ(saved_project(), texts[k - 1]);
  }
  begin();  // and in the middle of it
  EXPECT_EQ(state_["history"]["undo"], 1);
  EXPECT_EQ(state_["history"]["redo"], 3);
  for (int k = 0; k < 2; ++k) ask("redo");
  EXPECT_EQ(saved_project(), texts[2]);

  // Whatever is wrong with the file, the project opens, and one sentence says why nothing can be undone.
  studio_.reset();
  const std::string whole = read_text_file(history), project_then = project();
  Json other_surface = Json::parse(whole), other_settings = other_surface;
  other_surface["layers"] = {{0}};
  other_settings["settings"][0] = {{"loook", 1}};
  for (const std::string& text : {std::string(), std::string("no JSON"), whole.substr(0, whole.size() / 2),
                                  std::string("{}"), other_surface.dump(), other_settings.dump()}) {
    page_.reset();
    studio_.reset();
    write_text_file(history, text);
    begin();
    EXPECT_EQ(state_["history"]["undo"], 0) << text.substr(0, 100);
    EXPECT_EQ(state_["history"]["redo"], 0);
    EXPECT_EQ(project(), project_then);
    std::size_t sentences = 0;
    for (const Json& note : state_["character"]["notes"])
      sentences += note.get<std::string>().find("undone") != std::string::npos ||
                   note.get<std::string>().find("loook") != std::string::npos;
    EXPECT_EQ(sentences, 1u) << state_["character"]["notes"];
  }
  // What is done now is kept again. Without a project there is no history of it.
  ask("carry", {{"by", {0.2, 0, 0}}});
  begin();
  EXPECT_EQ(state_["history"]["undo"], 1);
  page_.reset();
  studio_.reset();
  fs::remove(folder_ / "tube.studio.json");
  begin();
  EXPECT_EQ(state_["history"]["undo"], 0);
}

TEST_F(StudioSession, OneStrokeOfAPointerIsOneStepToUndo) {
  const auto undos = [&] { return state()["history"]["undo"].get<int>(); };
  const auto ball = [](double x) {
    return Json::array({{{"shape", "sphere"}, {"centre", {x, 0, 1}}, {"radius", 0.1}}});
  };
  ask("set", {{"path", "damping"}, {"value", 0.2}, {"stroke", 1}});
  std::this_thread::sleep_for(std::chrono::milliseconds(900));  // longer than what follows by itself
  ask("set", {{"path", "damping"}, {"value", 0.3}, {"stroke", 1}});
  EXPECT_EQ(undos(), 1);
  ask("set", {{"path", "damping"}, {"value", 0.4}, {"stroke", 2}});  // at once, and yet another drag
  EXPECT_EQ(undos(), 2);
  for (int k = 0; k < 3; ++k) ask("set", {{"path", "colliders"}, {"value", ball(1 + 0.1 * k)}, {"stroke", 3}});
  EXPECT_EQ(undos(), 3);
  for (int stroke = 4; stroke < 6; ++stroke)
    for (int k = 0; k < 3; ++k)
      ask("pose", {{"joints", {{"0", {0.0, 0.0, 0.01 * (k + stroke), 1.0}}}}, {"stroke", stroke}});
  EXPECT_EQ(undos(), 5);
  for (int k = 0; k < 3; ++k) ask("carry", {{"by", {0.1 * k, 0, 0}}, {"stroke", 6}});
  EXPECT_EQ(undos(), 6);
  PageClient second(studio_->port(), studio_->token());  // counts its own
  second.ask("hello", {{"version", 1}});
  second.ask("carry", {{"by", {1, 0, 0}}, {"stroke", 6}});
  EXPECT_EQ(undos(), 7);
  EXPECT_TRUE(page_->ask("carry", {{"by", {1, 0, 0}}, {"stroke", -1}}).contains("error"));
}

TEST_F(StudioSession, CellsMoveWithTheFleshInThem) {
  ask("pause");
  ask("show", {{"cells", true}});
  const Json cells = ask("cells");
  EXPECT_EQ(cells["kind"], "tetrahedra");
  const ReadFrame frame = page_->frame_after(page_->say("scrub", {{"time", 0.5}}));
  EXPECT_EQ(frame.cells_number, cells["number"]);
  ASSERT_EQ(frame.cells.size(), cells["points"].get<std::size_t>());
  // The body is as large as its skin, in whatever pose.
  const auto box = [](const std::vector<Vec3>& points) {
    std::pair<Vec3, Vec3> result{points[0], points[0]};
    for (const Vec3& point : points) result = {min(result.first, point), max(result.second, point)};
    return result;
  };
  const auto body = box(frame.cells), skin = box(frame.positions);
  const double size = norm(skin.second - skin.first);
  EXPECT_LT(distance(body.first, skin.first), 0.1 * size);
  EXPECT_LT(distance(body.second, skin.second), 0.1 * size);
  ask("show", {{"cells", false}});
  EXPECT_TRUE(page_->frame_after(page_->say("scrub", {{"time", 0.4}})).cells.empty());
}

TEST_F(StudioSession, TheSameMethodBesideItselfIsTheSame) {
  ask("beside", {{"method", "flesh"}});
  EXPECT_EQ(state()["beside"]["method"], "flesh");
  ask("show", {{"measures", true}});
  ask("grab", {{"name", "hand"}, {"at", {300, 0.3, 0.3}}});
  ask("carry", {{"by", {0.05, 0, 0}}});
  ReadFrame frame = page_->frame();
  for (const double until = frame.elapsed + 0.5; frame.elapsed < until;) {
    frame = page_->frame();
    ASSERT_EQ(frame.comparison, frame.positions) << frame.elapsed;
    EXPECT_EQ(frame.comparison_measures[3], frame.measures[3]);
  }
  ask("beside");
  EXPECT_TRUE(state()["beside"].is_null());
  EXPECT_TRUE(page_->frame_after(page_->say("release")).comparison.empty());
}

TEST_F(StudioSession, AnotherMethodStandsBesideInTheSamePose) {
  ask("beside", {{"method", "linear"}});
  ask("show", {{"goal", true}});
  const ReadFrame frame = page_->frame_after(page_->say("scrub", {{"time", 0.5}}));
  ASSERT_EQ(frame.comparison.size(), frame.goal.size());
  // Linear skinning is where flesh rests at.
  for (std::size_t v = 0; v < frame.goal.size(); ++v) EXPECT_LT(distance(frame.comparison[v], frame.goal[v]), 1e-3);
  EXPECT_TRUE(page_->ask("beside", {{"method", "telepathy"}}).contains("error"));
  ask("set", {{"path", "look"}, {"value", "lively"}});
  EXPECT_FALSE(page_->frame().comparison.empty());  // the character changed, not what is beside it
}

TEST_F(StudioSession, AModelThatWasFittedPlaysAndIsDragged) {
  FitJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "tube.sinew";
  job.settings.tetrahedra = 500;
  job.examples.resize(1);
  job.exercise = false;
  fit_file(job);
  ask("pause");
  ask("method", {{"name", "surface"}, {"model", (folder_ / "tube.sinew").string()}});
  EXPECT_EQ(state()["method"]["name"], "surface");
  ask("scrub", {{"time", 0.5}});
  const ReadFrame still = page_->settled();
  ask("grab", {{"name", "hand"}, {"at", {300, 0.3, 0.3}}});
  const Json target = state()["hands"][0]["target"];
  page_->frame_after(page_->say(
      "drag", {{"name", "hand"},
               {"target", {target[0].get<double>(), target[1].get<double>(), target[2].get<double>() + 0.05}}}));
  const ReadFrame pulled = page_->settled();
  double most = 0;
  for (std::size_t v = 0; v < still.positions.size(); ++v)
    most = std::max(most, distance(pulled.positions[v], still.positions[v]));
  EXPECT_GT(most, 0.02);
  EXPECT_LT(most, 0.2);
  page_->frame_after(page_->say("release"));
  const ReadFrame back = page_->settled();
  for (std::size_t v = 0; v < still.positions.size(); ++v)
    EXPECT_LT(distance(back.positions[v], still.positions[v]), 0.01);
}

TEST_F(StudioSession, AClipGoesOnAfterATakeWasReplayed) {
  ask("take", {{"action", "record"}, {"name", "poked"}});
  ask("poke", {{"at", {300, 0.3, 0.3}}, {"force", {0, 0, 5}}, {"seconds", 0.1}, {"radius", 0.1}});
  for (ReadFrame now = page_->frame(); now.elapsed < 0.3;) now = page_->frame();
  ask("take", {{"action", "stop"}});
  ask("take", {{"action", "play"}, {"name", "poked"}});
  EXPECT_EQ(state()["take"]["doing"], "playing");
  const double seconds = state()["takes"][0]["seconds"];
  double last = 0;  // elapsed of the replay
  ReadFrame now = page_->frame();
  for (; now.elapsed >= last; now = page_->frame()) last = now.elapsed;  // until it begins anew
  EXPECT_NEAR(last, seconds, 0.2);
  for (; now.elapsed < 0.5;) now = page_->frame();
  const Json after = state();
  EXPECT_TRUE(after["take"].is_null()) << after["take"];
  EXPECT_TRUE(after["play"]["playing"]);
  EXPECT_TRUE(after["play"]["loop"]);
}

TEST_F(StudioSession, SettingsThatMakeNoSenseAreSentences) {
  for (const Json& wrong :
       {Json{{"path", "look"}, {"value", "wobbly"}}, Json{{"path", "loook"}, {"value", "lively"}},
        Json{{"path", "tetrahedra"}, {"value", 1}}, Json{{"path", "joints[7]"}, {"value", {{"joints", "*"}}}},
        Json{{"path", "joints[0]"}, {"value", {{"stiffness", 1}}}}, Json{{"path", "a.b.c"}, {"value", 1}},
        Json{{"path", "lattice"}, {"value", "/etc/passwd"}}, Json{{"path", "anatomy"}, {"value", "../../x.json"}},
        Json{{"path", "gravity"}, {"value", {0, 1}}}, Json{{"path", ""}, {"value", 1}},
        Json{{"path", ""}, {"value", {{"loook", 1}}}}}) {
    const Json answer = page_->ask("set", wrong);
    EXPECT_TRUE(answer.contains("error")) << wrong;
  }
  EXPECT_EQ(state()["history"]["undo"], 0);
  EXPECT_TRUE(page_->ask("paint", {{"channel", "stiffness"}, {"values", {{99999999, 1}}}}).contains("error"));
  EXPECT_TRUE(page_->ask("paint", {{"channel", "blue"}, {"values", {{0, 1}}}}).contains("error"));
  EXPECT_TRUE(page_->ask("method", {{"name", "magic"}}).contains("error"));
  EXPECT_TRUE(page_->ask("grab", {{"name", "a"}, {"at", {9999999, 0, 0}}}).contains("error"));
  EXPECT_TRUE(page_->ask("drag", {{"name", "nobody"}, {"target", {0, 0, 0}}}).contains("error"));
  EXPECT_GT(page_->frame().number, 0u);
}

TEST_F(StudioSession, ATakeIsBakedToTheBytesOfTheCommandLine) {
  ask("set", {{"path", "look"}, {"value", "lively"}});
  ask("paint", {{"channel", "stiffness"}, {"values", {{0, 2.0}, {1, 2.0}}}});
  ask("take", {{"action", "record"}, {"name", "poked"}});
  page_->frame();
  ask("poke", {{"at", {300, 0.3, 0.3}}, {"force", {0, 0, 5}}, {"seconds", 0.1}, {"radius", 0.1}});
  for (ReadFrame now = page_->frame(); now.elapsed < 0.3;) now = page_->frame();
  ask("take", {{"action", "stop"}});
  Json now = state();
  ASSERT_EQ(now["takes"].size(), 1u);
  EXPECT_EQ(now["takes"][0]["name"], "poked");
  EXPECT_EQ(now["takes"][0]["actions"], 1);
  const Json answer = ask("bake", {{"output", "out.glb"}, {"take", "poked"}});
  EXPECT_TRUE(answer["command"].get<std::string>().starts_with(
      "sinew animate out.painted.glb -o out.glb --settings out.settings.json --take out.take.json --range 0 "));
  const Json baked = page_->event("baked");
  EXPECT_EQ(baked["files"][0]["name"], "out.glb");

  AnimateJob job;  // what the command's words say
  job.input = folder_ / "out.painted.glb";
  job.output = folder_ / "again.glb";
  test::flesh(job.method) =
      settings_from_json<FleshSettings>(read_text_file(folder_ / "out.settings.json"), "settings");
  job.take = folder_ / "out.take.json";
  job.clip = now["takes"][0]["clip"];
  job.begin = 0;
  job.end = now["takes"][0]["seconds"].get<double>();
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "out.glb"), bytes_of(folder_ / "again.glb"));

  // A part of it, from where the clip is then.
  ask("take", {{"action", "trim"}, {"name", "poked"}, {"from", 0.125}, {"seconds", 0.25}});
  const Json part = state()["takes"][0];
  EXPECT_EQ(part["begin"], 0.125);
  EXPECT_EQ(part["seconds"], 0.125);
  const Json again = ask("bake", {{"output", "part.glb"}, {"take", "poked"}});
  EXPECT_NE(again["command"].get<std::string>().find(" --range 0.125 0.25"), std::string::npos) << again["command"];
  page_->event("baked");
  job.take = folder_ / "part.take.json";
  job.input = folder_ / "part.painted.glb";
  job.begin = 0.125;
  job.end = 0.25;
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "part.glb"), bytes_of(folder_ / "again.glb"));
  const HttpAnswer served = http(studio_->port(), "GET", "/output/out.glb?token=" + studio_->token());
  EXPECT_EQ(served.body, bytes_of(folder_ / "out.glb"));

  const Character painted = read_character(folder_ / "out.painted.glb");
  ASSERT_FALSE(painted.parts[0].fields[field("stiffness")].empty());
  EXPECT_EQ(*std::max_element(painted.parts[0].fields[field("stiffness")].begin(),
                              painted.parts[0].fields[field("stiffness")].end()),
            2.0);
}

TEST_F(StudioSession, ATakeHoldsThePoseAndIsBakedToTheBytesOfTheCommandLine) {
  int joint = -1;
  for (std::size_t j = 0; j < state_["character"]["joints"].size(); ++j)
    if (state_["character"]["joints"][j]["name"] == "lower") joint = static_cast<int>(j);
  ASSERT_GE(joint, 0);
  const auto turn = [&](double sine) {
    ask("pose", {{"joints", {{std::to_string(joint), {0.0, 0.0, sine, std::sqrt(1 - sine * sine)}}}}});
  };
  ask("gravity", {{"value", {0, -3, 0}}});
  turn(0.2);
  ask("take", {{"action", "record"}, {"name", "posed"}});
  for (ReadFrame now = page_->frame(); now.elapsed < 0.2;) now = page_->frame();
  turn(0.4);
  ask("carry", {{"by", {0.1, 0, 0}}});
  ask("tissue", {{"stiffness", 2.0}, {"damping", 0.5}});
  for (ReadFrame now = page_->frame(); now.elapsed < 0.4;) now = page_->frame();
  ask("unpose", {{"joints", {joint}}});
  ask("gravity", {{"value", nullptr}});
  EXPECT_TRUE(state()["gravity"].is_null());
  EXPECT_EQ(state()["tissue"], Json({{"stiffness", 2.0}, {"damping", 0.5}}));
  for (ReadFrame now = page_->frame(); now.elapsed < 0.6;) now = page_->frame();
  ask("take", {{"action", "stop"}});
  ask("bake", {{"output", "out.glb"}, {"take", "posed"}});
  page_->event("baked");
  const Json take = Json::parse(read_text_file(folder_ / "out.take.json"));
  std::vector<std::string> done;
  for (const Json& action : take["actions"]) done.push_back(action["do"]);
  EXPECT_EQ(done, (std::vector<std::string>{"gravity", "turn", "turn", "carry", "stiffness", "damping", "unturn",
                                            "own_gravity"}));

  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "again.glb";
  test::flesh(job.method) =
      settings_from_json<FleshSettings>(read_text_file(folder_ / "out.settings.json"), "settings");
  job.take = folder_ / "out.take.json";
  const Json recorded = state()["takes"][0];
  job.clip = recorded["clip"];
  job.begin = 0;
  job.end = recorded["seconds"].get<double>();
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "out.glb"), bytes_of(folder_ / "again.glb"));
  job.take.clear();
  animate_file(job);
  EXPECT_NE(bytes_of(folder_ / "out.glb"), bytes_of(folder_ / "again.glb"));

  // Played back, the joint turns as it did; afterwards the character is where the user left it.
  ask("take", {{"action", "play"}, {"name", "posed"}});
  EXPECT_EQ(state()["take"]["doing"], "playing");
  while (!state()["take"].is_null()) page_->frame();
  EXPECT_EQ(state()["carried"], Json({0.1, 0, 0}));

  // Stopped amid it, nothing of the take stays.
  ask("unpose");
  ask("take", {{"action", "play"}, {"name", "posed"}});
  for (ReadFrame now = page_->frame(); now.elapsed > 0.35 || now.elapsed < 0.25;) now = page_->frame();
  ask("take", {{"action", "stop"}});
  const ReadFrame stopped = page_->settled();
  const Character tube = read_character(folder_ / "tube.glb");
  const Pose own = sample(tube.skeleton, &tube.clips[0], stopped.clip_time);
  EXPECT_LT(frobenius_norm(stopped.joints[static_cast<std::size_t>(joint)].linear -
                           own.world[static_cast<std::size_t>(joint)].linear),
            1e-3);
  EXPECT_TRUE(page_->ask("tissue", {{"stiffness", 0}}).contains("error"));
  EXPECT_TRUE(page_->ask("tissue", {{"damping", "soft"}}).contains("error"));
}

// What another character's bake has left, or somebody's own file, is not replaced unasked; a bake's own files are.
TEST_F(StudioSession, ABakeReplacesNothingUnasked) {
  write_text_file(folder_ / "out.settings.json", "somebody's own");
  const Json refused = page_->ask("bake", {{"output", "out.pc2"}});
  EXPECT_TRUE(refused.contains("error"));
  EXPECT_EQ(refused["in_the_way"], Json({"out.settings.json"}));
  EXPECT_EQ(read_text_file(folder_ / "out.settings.json"), "somebody's own");
  ask("bake", {{"output", "out.pc2"}, {"replace", true}});
  EXPECT_EQ(page_->event("baked")["files"][0]["name"], "out.pc2");
  ask("bake", {{"output", "out.pc2"}});
  page_->event("baked");
}

TEST_F(StudioSession, ABakeThatIsStoppedLeavesNothing) {
  ask("bake", {{"output", "out.pc2"}});
  ask("cancel");
  EXPECT_EQ(page_->event("failed")["what"], "baking");
  EXPECT_FALSE(fs::exists(folder_ / "out.settings.json"));
  EXPECT_FALSE(fs::exists(folder_ / "out.pc2"));
}

TEST_F(StudioSession, TwoPagesSeeOneStudio) {
  PageClient second(studio_->port(), studio_->token());
  second.ask("hello", {{"version", 1}});
  ask("set", {{"path", "look"}, {"value", "subtle"}});
  bool told = false;
  for (int k = 0; k < 20 && !told; ++k) told = second.event("changed").contains("settings");
  EXPECT_TRUE(told);
  EXPECT_GT(second.frame().number, 0u);
  EXPECT_FALSE(second.ask("undo").contains("error"));
  EXPECT_EQ(state()["history"]["undo"], 0);
}

// The page comes later than the sentence, and the one who started the program may look at the terminal.
TEST_F(StudioSession, AFileThatCannotBeOpenedIsSaidToLaterPagesAndInTheTerminal) {
  page_.reset();
  studio_.reset();
  const std::string bytes = bytes_of(sample_file("tube.glb"));
  write_text_file(folder_ / "broken.glb", bytes.substr(0, 1000));
  StudioOptions options;
  options.file = folder_ / "broken.glb";
  options.folders = {folder_};
  std::promise<std::string> said;
  options.say = [&](const std::string& sentence) { said.set_value(sentence); };
  studio_ = std::make_unique<Studio>(options);
  const std::string sentence = said.get_future().get();
  EXPECT_NE(sentence.find("broken.glb"), std::string::npos) << sentence;
  PageClient late(studio_->port(), studio_->token());
  const Json state = late.ask("hello", {{"version", 1}})["state"];
  EXPECT_EQ(state["failed"], sentence);
  EXPECT_EQ(state["loads"][0]["name"], "poke");  // tools are there before the character
  EXPECT_FALSE(late.ask("open", {{"path", "tube.glb"}}).contains("error"));
  EXPECT_TRUE(late.ask("hello", {{"version", 1}})["state"]["failed"].is_null());
}

// A page is reloaded or closed amid a drag: its hand lets go, a pin stays.
TEST_F(StudioSession, AHandLetsGoWhenItsPageIsClosed) {
  {
    PageClient second(studio_->port(), studio_->token());
    second.ask("hello", {{"version", 1}});
    const Json at{{"rest", {0.1, 0.5, 0}}};
    EXPECT_FALSE(second.ask("grab", {{"name", "hand"}, {"at", at}}).contains("error"));
    EXPECT_FALSE(second.ask("grab", {{"name", "pin"}, {"at", at}, {"stays", true}}).contains("error"));
    EXPECT_EQ(state()["hands"].size(), 2u);
  }
  Json hands;
  for (int k = 0; k < 100 && hands.size() != 1; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    hands = state()["hands"];
  }
  ASSERT_EQ(hands.size(), 1u) << hands;
  EXPECT_EQ(hands[0]["name"], "pin");
}

TEST_F(StudioSession, ADroppedFileIsKeptAndOpened) {
  const std::string bytes = bytes_of(sample_file("tube.glb"));
  const HttpAnswer answer =
      http(studio_->port(), "POST", "/open?name=dropped.glb&token=" + studio_->token(), "", bytes);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(page_->event("state")["state"]["character"]["name"], "dropped.glb");
  EXPECT_EQ(bytes_of(folder_ / "dropped.glb"), bytes);
  while (page_->frame().character != 2u) {
  }
  http(studio_->port(), "POST", "/open?name=broken.glb&token=" + studio_->token(), "", bytes.substr(0, 1000));
  EXPECT_EQ(page_->event("failed")["what"], "opening");
  EXPECT_EQ(page_->frame().character, 2u);
}

}  // namespace
