// A mesh without a skeleton gets one in the studio: its joints, their history, their weights and the file, and what
// hostile pages ask of them.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "sinew/base/file.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/rig_mesh_file.h"
#include "tests/mesh/shapes.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

std::string obj_of(const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3& p : mesh.positions)
    text += "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
  for (const Triangle& t : mesh.triangles)
    text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " + std::to_string(t[2] + 1) + "\n";
  return text;
}

class StudioRigging : public StudioInFolder {
 protected:
  StudioRigging() {
    write_text_file(folder_ / "post.obj", obj_of(upright_tube(40, 24, 1.8, 0.15)));
    begin();
  }
  void begin() {
    begin_in_folder();
    ask("open", {{"path", "post.obj"}});
  }
  Json rigging() { return ask("hello", {{"version", 1}})["state"]["rigging"]; }
  // A joint at this height, clicked from the front.
  std::string click(double height, const Json& more = Json::object()) {
    Json edit{{"action", "add"}, {"line", {{0.01, height, 5}, {0, 0, -1}}}};
    edit.update(more);
    return ask("joint", edit)["joint"];
  }
  void find_weights() {
    for (int k = 0; k < 600 && rigging()["weights"] == "finding"; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(rigging()["weights"], "found") << rigging()["problem"];
  }
};

TEST_F(StudioRigging, AMeshGetsJointsWeightsAndFlesh) {
  EXPECT_TRUE(ask("hello", {{"version", 1}})["state"]["character"].is_null());
  EXPECT_EQ(rigging()["weights"], "none");
  EXPECT_EQ(click(0.1), "root");
  EXPECT_EQ(click(0.9, {{"parent", "root"}, {"name", "knee"}}), "knee");
  EXPECT_EQ(click(1.5, {{"parent", "knee"}}), "joint 1");
  Json joints = rigging()["joints"];
  ASSERT_EQ(joints.size(), 3u);
  EXPECT_EQ(joints[1]["parent"], "root");
  EXPECT_NEAR(joints[1]["position"][2].get<double>(), 0, 1e-3) << "in the middle";
  EXPECT_EQ(joints[1]["position"][0], 0.0) << "on the mirror plane";
  find_weights();
  const Json mesh = ask("rig_mesh"), still = ask("try_joints", {{"joints", Json::object()}});
  EXPECT_EQ(mesh["positions"], still["positions"]);
  const Json bent = ask("try_joints", {{"joints", {{"knee", {0.5, 0, 0, 0.8660254}}}}});
  EXPECT_NE(bent["positions"], still["positions"]);
  EXPECT_NE(bent["joints"][2], still["joints"][2]);
  EXPECT_EQ(bent["joints"][1], still["joints"][1]);
  EXPECT_NE(ask("weights", {{"name", "knee"}})["values"], ask("weights")["values"]);
  EXPECT_TRUE(ask("rig_report")["faults"].is_array());

  // Weights by the brush; undone to the same, and kept for the command line.
  const Json automatic = ask("weights", {{"name", "knee"}})["values"];
  for (int k = 0; k < 2; ++k)
    ask("paint_weights",
        {{"action", "add"}, {"name", "knee"}, {"values", {{0, 0.2}, {1, 0.2}, {2, 0.1}}}, {"stroke", 7}});
  EXPECT_EQ(rigging()["painted"], 3);
  EXPECT_NE(ask("weights", {{"name", "knee"}})["values"], automatic);
  ask("undo");
  EXPECT_EQ(ask("weights", {{"name", "knee"}})["values"], automatic);
  ask("redo");
  ask("paint_weights", {{"action", "smooth"}, {"values", {{0, 0.5}}}, {"locked", {"root"}}});
  ask("paint_weights", {{"action", "mirror"}});
  ask("joint", {{"action", "rename"}, {"name", "knee"}, {"to", "middle"}});
  find_weights();
  EXPECT_GE(rigging()["painted"], 3);

  EXPECT_EQ(ask("save_rig", {{"output", "post.rigged.glb"}})["file"], "post.rigged.glb");
  EXPECT_TRUE(page_->ask("save_rig", {{"output", "post.rigged.glb"}}).contains("in_the_way"));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  const JointsFile kept = read_joints(folder_ / "post.joints.json");
  EXPECT_FALSE(kept.painted.empty());
  rig_mesh_file(folder_ / "post.obj", {}, kept.joints, "joints", {kept.mirror, 20000, kept.painted},
                folder_ / "again.glb");
  EXPECT_EQ(bytes_of(folder_ / "post.rigged.glb"), bytes_of(folder_ / "again.glb"));
  EXPECT_TRUE(has_skin_weights(read_character(folder_ / "again.glb")));

  ask("save_rig", {{"output", "post.rigged.glb"}, {"replace", true}, {"open", true}});
  const Json state = ask("hello", {{"version", 1}})["state"];
  EXPECT_TRUE(state["rigging"].is_null());
  EXPECT_EQ(state["character"]["name"], "post.rigged.glb");
  EXPECT_EQ(state["method"]["name"], "flesh");
  EXPECT_TRUE(page_->ask("joint", {{"action", "clear"}}).contains("error"));
}

// A mesh without joints falls as it is.
TEST_F(StudioRigging, LetsAMeshFallAsAFreeBody) {
  ask("let_fall", {{"output", "post.free.glb"}});
  const Json state = ask("hello", {{"version", 1}})["state"];
  EXPECT_TRUE(state["rigging"].is_null());
  EXPECT_EQ(state["character"]["name"], "post.free.glb");
  EXPECT_EQ(state["method"]["name"], "flesh");
  EXPECT_TRUE(fs::exists(folder_ / "post.free.studio.json"));
  const auto lowest = [&] {
    double low = HUGE_VAL;
    for (const Vec3& x : page_->frame().positions) low = std::min(low, x.y);
    return low;
  };
  const double before = lowest();
  double low = before;
  for (int k = 0; k < 600 && low > before - 0.5; ++k) low = lowest();
  EXPECT_LT(low, before - 0.5);
  EXPECT_TRUE(page_->ask("let_fall", {{"output", "again.glb"}}).contains("error"));  // no mesh is on the bench
}

TEST_F(StudioRigging, EditsAreUndoneAndKept) {
  click(0.1);
  click(1.5);
  for (int k = 0; k < 3; ++k)
    ask("joint", {{"action", "move"},
                  {"name", "joint 1"},
                  {"line", {{0.1, 1.4 - 0.1 * k, 5}, {0, 0, -1}}},
                  {"normal", {0, 0, -1}},
                  {"stroke", 1}});
  EXPECT_EQ(rigging()["undo"], 3);
  EXPECT_NEAR(rigging()["joints"][1]["position"][1].get<double>(), 1.2, 1e-12);
  ask("undo");
  EXPECT_NEAR(rigging()["joints"][1]["position"][1].get<double>(), 1.5, 1e-12);
  ask("redo");
  ask("joint", {{"action", "rename"}, {"name", "joint 1"}, {"to", "arm"}});
  ask("joint", {{"action", "mirror"}});
  const Json mirrored = rigging()["joints"];
  ASSERT_EQ(mirrored.size(), 3u);
  EXPECT_EQ(mirrored[2]["name"], "arm.R");
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  begin();
  EXPECT_EQ(rigging()["joints"], mirrored) << "kept beside the mesh";
  ask("joint", {{"action", "template"}, {"to", "biped"}});
  EXPECT_GT(rigging()["joints"].size(), 16u);
  ask("undo");
  EXPECT_EQ(rigging()["joints"], mirrored);

  // Somebody's own file that cannot be read stays.
  page_.reset();
  studio_.reset();
  write_text_file(folder_ / "post.joints.json", "mine");
  begin();
  EXPECT_EQ(rigging()["joints"].size(), 0u);
  EXPECT_NE(rigging()["notes"].dump().find("not kept"), std::string::npos);
  click(0.5);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  EXPECT_EQ(read_text_file(folder_ / "post.joints.json"), "mine");
}

// Searches for weights that an undo and a redo stop, and begin again, come to their end.
TEST_F(StudioRigging, WeightsAreFoundAfterUndoAndRedoWhileTheyAreSearched) {
  click(0.1);
  find_weights();
  for (int k = 1; k < 6; ++k) {
    click(0.1 + 0.2 * k);
    ask("undo");
    ask("redo");
    find_weights();
  }
  EXPECT_EQ(rigging()["joints"].size(), 6u);
}

TEST_F(StudioRigging, WhatMakesNoSenseIsASentence) {
  const Json line{{0, 0.5, 5}, {0, 0, -1}};
  refused("joint", Json::object());
  refused("joint", {{"action", "dance"}});
  refused("joint", {{"action", "add"}});
  refused("joint", {{"action", "add"}, {"line", {{9, 0.5, 5}, {0, 0, -1}}}});
  refused("joint", {{"action", "add"}, {"line", {{0, 0.5, 5}, {0, 0, 0}}}});
  refused("joint", {{"action", "add"}, {"line", {{0, 0.5, 5}, {0, 0}}}});
  refused("joint", {{"action", "add"}, {"line", {{0, nullptr, 5}, {0, 0, -1}}}});
  refused("joint", {{"action", "add"}, {"position", {0, 1e300, 0}}});
  refused("joint", {{"action", "add"}, {"line", line}, {"parent", "nobody"}});
  refused("joint", {{"action", "add"}, {"line", line}, {"above", "nobody"}});
  refused("joint", {{"action", "add"}, {"line", line}, {"name", std::string(1000, 'x')}});
  refused("joint", {{"action", "add"}, {"line", line}, {"colour", "blue"}});
  refused("joint", {{"action", "template"}, {"to", "dragon"}});
  refused("joint", {{"action", "mirror"}});
  refused("weights", Json::object());
  refused("rig_report", Json::object());
  refused("paint_weights", {{"action", "mirror"}});
  refused("try_joints", {{"joints", Json::object()}});
  refused("save_rig", {{"output", "a.glb"}});
  refused("undo", Json::object());
  click(0.1);
  click(1.5);
  refused("joint", {{"action", "mirror"}, {"axis", "w"}});
  refused("joint", {{"action", "bone"}, {"parent", "root"}, {"name", "root"}});
  refused("joint", {{"action", "move"}, {"name", "root"}, {"line", line}});
  refused("joint", {{"action", "rename"}, {"name", "root"}, {"to", "joint 1"}});
  refused("joint", {{"action", "rename"}, {"name", "root"}, {"to", ""}});
  refused("joint", {{"action", "delete"}, {"name", "nobody"}});
  ask("joint", {{"action", "bone"}, {"parent", "joint 1"}, {"name", "root"}});  // no cycle comes of it
  find_weights();
  refused("weights", {{"name", "nobody"}});
  refused("try_joints", {{"joints", {{"nobody", {0, 0, 0, 1}}}}});
  refused("try_joints", {{"joints", {{"root", {0, 0, 0, 0}}}}});
  refused("try_joints", {{"joints", {{"root", {0, 0, 1}}}}});
  refused("paint_weights", {{"action", "wash"}});
  refused("paint_weights", {{"action", "add"}, {"name", "nobody"}, {"values", {{0, 1}}}});
  refused("paint_weights", {{"action", "add"}, {"name", "root"}, {"values", {{99999999, 1}}}});
  refused("paint_weights", {{"action", "add"}, {"name", "root"}, {"values", {{-1, 1}}}});
  refused("paint_weights", {{"action", "add"}, {"name", "root"}, {"values", {{0, 1e300}}}});
  refused("paint_weights", {{"action", "add"}, {"name", "root"}, {"values", {{0, nullptr}}}});
  refused("paint_weights", {{"action", "add"}, {"name", "root"}, {"values", {{0}}}});
  refused("paint_weights", {{"action", "smooth"}, {"locked", {"nobody"}}});
  for (const char* name : {"../a.glb", "/tmp/a.glb", "a.txt", "", ".glb", "post.obj"})
    refused("save_rig", {{"output", name}}), refused("let_fall", {{"output", name}});
  for (int k = 2; k < 200; ++k) ask("joint", {{"action", "add"}, {"position", {0, 0.01 * k, 0}}});
  refused("joint", {{"action", "add"}, {"position", {0, 0, 0}}});
  ask("joint", {{"action", "clear"}});
  EXPECT_EQ(rigging()["weights"], "none");

  write_text_file(folder_ / "empty.obj", "v 0 0 0\n");
  refused("open", {{"path", "empty.obj"}});
  EXPECT_EQ(rigging()["name"], "post.obj");
}

TEST_F(StudioRigging, ADroppedMeshIsATextOfItsKind) {
  const std::string target = "/open?name=thing.obj&token=" + studio_->token();
  const HttpAnswer binary = http(studio_->port(), "POST", target, "", std::string("v 0 0 0\0", 8));
  EXPECT_EQ(binary.status, 400);
  EXPECT_FALSE(fs::exists(folder_ / "thing.obj"));
  const HttpAnswer sent = http(studio_->port(), "POST", target, "", obj_of(upright_tube(8, 8, 1, 0.2)));
  EXPECT_EQ(sent.status, 200);
  for (int k = 0; k < 100 && rigging()["name"] != "thing.obj"; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(rigging()["name"], "thing.obj");
}

}  // namespace
