#include "studio/server/command.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/fields.h"

namespace {

using namespace sinew;
using namespace sinew::studio;

template <class Kind>
Kind understood(const std::string& text) {
  const Command command = parse_command(text);
  EXPECT_EQ(command.complaint, "") << text;
  EXPECT_TRUE(std::holds_alternative<Kind>(command.request)) << text;
  return std::get<Kind>(command.request);
}

TEST(StudioCommand, UnderstandsForceRigs) {
  const auto bump =
      understood<command::AddShape>(R"({"id": 1, "do": "add_shape", "template": "bump", "at": [7, 0.2, 0.3]})");
  EXPECT_EQ(bump.kind, "bump");
  EXPECT_TRUE(bump.at && bump.preset.empty());
  EXPECT_EQ(understood<command::EditShape>(R"({"id": 1, "do": "edit_shape", "name": "a", "rig": {"name": "b"}})").rig,
            R"({"name":"b"})");
  EXPECT_TRUE(understood<command::EditShape>(R"({"id": 1, "do": "edit_shape", "name": "a", "rig": null})").rig.empty());
  const auto fit = understood<command::FitShape>(
      R"({"id": 1, "do": "fit_shape", "name": "a", "points": [[[3, 0, 0], [1, 2, 3]]], "fixed": ["radius"], "stroke": 4})");
  ASSERT_EQ(fit.points.size(), 1u);
  EXPECT_EQ(fit.points[0].second, (Vec3{1, 2, 3}));
  EXPECT_EQ(fit.fixed, (std::vector<std::string>{"radius"}));
  EXPECT_EQ(fit.stroke, 4);
  const auto target = understood<command::FitShape>(
      R"({"id": 1, "do": "fit_shape", "name": "a", "target": "x.obj", "features": [[{"rest": [4, 5, 6]}, [1, 2, 3]]]})");
  EXPECT_EQ(target.features.at(0).second, (Vec3{1, 2, 3}));
  EXPECT_FALSE(understood<command::ShowSurface>(R"({"id": 1, "do": "show_surface", "path": "a.glb"})").scale);
  EXPECT_EQ(understood<command::ShowSurface>(R"({"id": 1, "do": "show_surface", "path": "a", "scale": 2})").scale, 2);
  EXPECT_EQ(understood<command::RehearseShape>(R"({"id": 1, "do": "rehearse_shape", "name": "a", "clip": ""})").clip,
            "");
  const auto transfer = understood<command::TransferShapes>(
      R"({"id": 1, "do": "transfer_shapes", "from": "hero.glb", "features": [[[1, 2, 3], {"rest": [4, 5, 6]}]]})");
  EXPECT_EQ(std::get<Vec3>(transfer.features.at(0).second), (Vec3{4, 5, 6}));
  EXPECT_FALSE(transfer.lattice_only);
  const auto lattice = understood<command::TransferShapes>(
      R"({"id": 1, "do": "transfer_lattice", "from": "hero.glb", "moves": [[[1, 2, 3], [4, 5, 6]]]})");
  EXPECT_TRUE(lattice.lattice_only);
  EXPECT_EQ(lattice.moves.at(0).second, (Vec3{4, 5, 6}));
  for (const char* wrong :
       {R"({"id": 1, "do": "add_shape", "preset": "smile", "template": "bump"})",
        R"({"id": 1, "do": "transfer_lattice", "moves": []})",
        R"({"id": 1, "do": "transfer_lattice", "from": "a.glb", "moves": [[1, 2, 3]]})",
        R"({"id": 1, "do": "transfer_lattice", "from": "a.glb", "moves": [[[1, 2, 3], [1e9, 0, 0]]]})",
        R"({"id": 1, "do": "transfer_shapes", "from": "a.glb", "moves": 3})",
        R"({"id": 1, "do": "fit_shape", "name": "a"})",
        R"({"id": 1, "do": "fit_shape", "name": "a", "points": [[[3, 0, 0]]]})",
        R"({"id": 1, "do": "fit_shape", "name": "a", "target": "x.obj", "vertices": [-1]})",
        R"({"id": 1, "do": "fit_shape", "name": "", "target": "x.obj"})",
        R"({"id": 1, "do": "fit_shape", "name": "a", "target": "x.obj", "features": [[1, 2, 3]]})",
        R"({"id": 1, "do": "fit_shape", "name": "a", "target": "x.obj", "features": 3})",
        R"({"id": 1, "do": "show_surface", "path": "x.obj", "scale": 0})",
        R"({"id": 1, "do": "keep_pose", "name": "a"})", R"({"id": 1, "do": "keep_pose", "name": "", "joints": null})",
        R"({"id": 1, "do": "keep_pose", "name": "a", "joints": {}})",
        R"({"id": 1, "do": "keep_pose", "name": "a", "joints": {"": [0, 0, 0, 1]}})",
        R"({"id": 1, "do": "keep_pose", "name": "a", "joints": {"knee": [0, 0, 0, 0]}})",
        R"({"id": 1, "do": "transfer_shapes", "from": "a.glb", "features": [[1, 2, 3]]})",
        R"({"id": 1, "do": "move_shape", "name": "a"})"})
    EXPECT_FALSE(parse_command(wrong).complaint.empty()) << wrong;
}

TEST(StudioCommand, UnderstandsWhatPagesSay) {
  EXPECT_EQ(understood<command::Hello>(R"({"id": 1, "do": "hello", "version": 1})").version, 1);
  understood<command::Next>(R"({"id": 2, "do": "next"})");
  const auto play = understood<command::Play>(R"({"id": 3, "do": "play", "clip": "run", "loop": false, "speed": 0.5})");
  EXPECT_EQ(play.clip, "run");
  EXPECT_EQ(play.loop, false);
  EXPECT_EQ(play.speed, 0.5);
  EXPECT_FALSE(understood<command::Play>(R"({"id": 3, "do": "play"})").clip);
  const auto grab =
      understood<command::Grab>(R"({"id": 4, "do": "grab", "name": "m", "at": [7, 0.25, 0.5], "radius": 0.1})");
  EXPECT_EQ(std::get<SkinSpot>(grab.at).triangle, 7);
  EXPECT_EQ(std::get<SkinSpot>(grab.at).v, 0.5);
  EXPECT_FALSE(grab.target);
  EXPECT_EQ(
      std::get<Vec3>(understood<command::Act>(R"({"id": 5, "do": "poke", "at": {"rest": [1, 2, 3]}, "force": [0, 0, 9],
                                                         "seconds": 0.1, "radius": 0.05})")
                         .at),
      (Vec3{1, 2, 3}));
  const auto pose = understood<command::PoseJoints>(R"({"id": 6, "do": "pose", "joints": {"12": [0, 0, 2, 0]}})");
  EXPECT_EQ(pose.joints.at(12), (Quat{0, 0, 1, 0}));  // of unit length
  EXPECT_EQ(understood<command::Set>(R"({"id": 7, "do": "set", "path": "joints[0].stiffness", "value": 2.5})").value,
            "2.5");
  const auto paint =
      understood<command::Paint>(R"({"id": 8, "do": "paint", "channel": "rigid", "values": [[3, 1], [4, 0.5]]})");
  EXPECT_EQ(paint.values, (std::vector<std::pair<int, float>>{{3, 1.f}, {4, 0.5f}}));
}

// A row of the table of actions is a command, with the members of the row.
TEST(StudioCommand, EveryLoadIsACommand) {
  for (const ActionKind& row : action_kinds()) {
    if (!row.load) continue;
    nlohmann::json message{{"id", 1}, {"do", row.word}, {"at", {{"rest", {1, 2, 3}}}}};
    for (const Setting& member : row.members) {
      if (member.key == std::string("point")) continue;
      if (std::holds_alternative<Member<Vec3>>(member.value))
        message[member.key] = {0.5, -1, 2};
      else
        message[member.key] = 0.25;
    }
    const auto act = std::get<command::Act>(parse_command(message.dump()).request);
    EXPECT_EQ(act.action.kind, row.kind);
    EXPECT_EQ(std::get<Vec3>(act.at), (Vec3{1, 2, 3}));
    const ConstSettings read = row.of(act.action);
    for (const Setting& member : read.table) {
      if (const auto* vector = std::get_if<Member<Vec3>>(&member.value); vector && member.key != std::string("point")) {
        EXPECT_EQ(vector->of(read), (Vec3{0.5, -1, 2})) << member.key;
      }
      if (const auto* number = std::get_if<Member<double>>(&member.value)) {
        EXPECT_EQ(number->of(read), 0.25) << member.key;
      }
      nlohmann::json less = message;
      less.erase(member.key == std::string("point") ? "at" : member.key);
      EXPECT_NE(parse_command(less.dump()).complaint, "") << member.key;
    }
    message["wind"] = 1;
    EXPECT_NE(parse_command(message.dump()).complaint, "");
  }
}

// A row of the table is all that the protocol needs.
TEST(StudioCommand, EveryFieldIsPaintedWithinItsRange) {
  for (const PaintedField& field : std::span(painted_fields).first(body_fields)) {
    const auto stroke = [&](double value) {
      return parse_command(
          nlohmann::json{{"id", 1}, {"do", "paint"}, {"channel", field.name}, {"values", {{3, value}}}}.dump());
    };
    for (const double value : {field.least, field.most, field.neutral}) {
      const auto paint = std::get<command::Paint>(stroke(value).request);
      EXPECT_EQ(paint.channel, field.name);
      EXPECT_EQ(paint.values, (std::vector<std::pair<int, float>>{{3, static_cast<float>(value)}}));
    }
    for (const double value : {lowest_value(field) - 0.001, field.most + 0.001})
      EXPECT_NE(stroke(value).complaint, "") << field.name << " " << value;
  }
}

TEST(StudioCommand, RefusesTheRestInASentence) {
  const std::string deep = std::string(2000, '[') + std::string(2000, ']');
  std::string many = R"({"id": 1, "do": "set", "path": "a", "value": [)";
  for (int k = 0; k < 500'000; ++k) many += "0,";
  many += "0]}";
  const std::string wrong[] = {
      "",
      "{",
      "[]",
      "null",
      "7",
      "\xff\xfe",
      deep,
      many,
      R"({"do": "next"})",
      R"({"id": -1, "do": "next"})",
      R"({"id": 1.5, "do": "next"})",
      R"({"id": "1", "do": "next"})",
      R"({"id": 99999999999999999999, "do": "next"})",
      R"({"id": 1})",
      R"({"id": 1, "do": 7})",
      R"({"id": 1, "do": "fly"})",
      R"({"id": 1, "do": "next", "more": 1})",
      R"({"id": 1, "do": "hello"})",
      R"({"id": 1, "do": "hello", "version": 1e99})",
      R"({"id": 1, "do": "speed", "value": 0})",
      R"({"id": 1, "do": "speed", "value": -1})",
      R"({"id": 1, "do": "speed", "value": 1e9})",
      R"({"id": 1, "do": "speed", "value": null})",
      R"({"id": 1, "do": "scrub", "time": 1e400})",
      R"({"id": 1, "do": "grab", "name": "", "at": [0, 0, 0]})",
      R"({"id": 1, "do": "grab", "name": "a", "at": [0, 0.9, 0.9]})",
      R"({"id": 1, "do": "grab", "name": "a", "at": [-1, 0, 0]})",
      R"({"id": 1, "do": "grab", "name": "a", "at": [0.5, 0, 0]})",
      R"({"id": 1, "do": "grab", "name": "a", "at": {"rest": [0, 0]}})",
      R"({"id": 1, "do": "grab", "name": "a", "at": {"rest": [0, 0, 0], "x": 1}})",
      R"({"id": 1, "do": "drag", "name": "a", "target": [0, 0, 1e30]})",
      R"({"id": 1, "do": "drag", "name": "a", "target": "up"})",
      R"({"id": 1, "do": "pose", "joints": {"-1": [0, 0, 0, 1]}})",
      R"({"id": 1, "do": "pose", "joints": {"99999999999999": [0, 0, 0, 1]}})",
      R"({"id": 1, "do": "pose", "joints": {"1": [0, 0, 0, 0]}})",
      R"({"id": 1, "do": "pose", "joints": [1]})",
      R"({"id": 1, "do": "reach", "joint": 1, "target": [0, 0, 0], "clip_time": 0, "pinned": {"knee": [0, 0, 0]}})",
      R"({"id": 1, "do": "push_body", "at": [0, 0, 0], "clip_time": 0})",
      R"({"id": 1, "do": "push_body", "at": [0, 0, 0], "clip_time": 0, "impulse": [1e9, 0, 0]})",
      R"({"id": 1, "do": "path", "joint": -1})",
      R"({"id": 1, "do": "path"})",
      R"({"id": 1, "do": "draw_motion", "points": [[0, 0, 0]], "times": [0]})",
      R"({"id": 1, "do": "draw_motion", "points": [[0, 0, 0], [1, 0, 0]]})",
      R"({"id": 1, "do": "draw_motion", "points": [[0, 0, 0], [1, 0, 0]], "times": [0]})",
      R"({"id": 1, "do": "draw_motion", "points": [[0, 0, 0], [1, 0, 0]], "times": [1, 1]})",
      R"({"id": 1, "do": "draw_motion", "points": [[0, 0, 0], [1, 0, 0]], "times": [0, null]})",
      R"({"id": 1, "do": "draw_motion", "points": [[0, 0, 0], [1, 0, 0]], "times": [0, 1e300]})",
      R"({"id": 1, "do": "draw_motion", "points": [[0, 0, 0], [1e99, 0, 0]], "times": [0, 1]})",
      R"({"id": 1, "do": "edit_path", "joint": 1, "time": 0, "width": 0.3})",
      R"({"id": 1, "do": "edit_path", "joint": 1, "time": 0, "width": 0.3, "by": [0, 0, 0], "from": 1})",
      R"({"id": 1, "do": "edit_path", "joint": 1, "time": 0, "width": 0, "by": [0, 0, 0]})",
      R"({"id": 1, "do": "edit_path", "joint": 1, "time": 1e30, "width": 0.3, "by": [0, 0, 0]})",
      R"({"id": 1, "do": "edit_path", "joint": 1, "time": 0, "width": 0.3, "by": [0, 1e30, 0]})",
      R"({"id": 1, "do": "edit_path", "joint": 1, "time": 0, "width": 0.3, "by": [0, 0, 0], "pinned": [-1]})",
      R"({"id": 1, "do": "edit_path", "joint": 1, "time": 0, "width": 0.3, "by": [0, 0, 0], "pinned": {"1": 1}})",
      R"({"id": 1, "do": "edit_path", "joint": 1, "time": 0, "width": 0.3, "points": [[0, 0, 0]], "until": 1})",
      R"({"id": 1, "do": "edit_path", "joint": 1, "time": 0, "width": 0.3, "points": [[0, 0, 0], [1, 0, 0]]})",
      R"({"id": 1, "do": "line", "points": 3})",
      R"({"id": 1, "do": "line", "points": [[0, 0, 0]], "normal": [0, 0, 1]})",
      R"({"id": 1, "do": "line", "points": [[0, 0, 0], [0, 1e30, 0]], "normal": [0, 0, 1]})",
      R"({"id": 1, "do": "line", "points": [[0, 0, 0], [0, 1, 0]], "normal": [0, 0, 1]})",
      R"({"id": 1, "do": "paint", "channel": "rigid", "values": []})",
      R"({"id": 1, "do": "paint", "channel": "rigid", "values": [[1]]})",
      R"({"id": 1, "do": "paint", "channel": "rigid", "values": [[1, -1]]})",
      R"({"id": 1, "do": "open", "path": ")" + std::string(5000, 'a') + R"("})",
      R"({"id": 1, "do": "bake", "output": "a.glb", "frames_per_second": 0})",
      R"({"id": 1, "do": "bake", "output": "a.glb", "from": "now"})",
      R"({"id": 1, "do": "bake", "output": "a.glb", "to": 1e30})",
      R"({"id": 1, "do": "open", "path": "a.glb", "look": 1})",
      R"({"id": 1, "do": "show", "heat": 1})"};
  for (const std::string& text : wrong) {
    const Command command = parse_command(text);
    ASSERT_NE(command.complaint, "") << text.substr(0, 100);
    EXPECT_TRUE(command.complaint.ends_with('.')) << command.complaint;
    EXPECT_LT(command.complaint.size(), 400u);
    if (text.find("pinned") != std::string::npos) {
      EXPECT_NE(command.complaint.find("pinned must"), std::string::npos);
    }
  }
}

TEST(StudioCommand, SaysToWhomItComplains) {
  EXPECT_EQ(parse_command(R"({"id": 12, "do": "fly"})").id, 12);
  EXPECT_FALSE(parse_command("not at all").id);
}

}  // namespace
