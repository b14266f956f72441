// A control lattice is edited by hand in the studio: its history, its file, the body that it becomes, and what hostile
// pages ask of it.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <thread>

#include "sinew/base/file.h"
#include "sinew/files/lattice_files.h"
#include "sinew/files/lattice_json.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "sinew/mesh/lattice_editing/grid_lattice.h"
#include "studio/server/lattice/lattice_bench.h"
#include "tests/jobs/method_values.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class StudioLattice : public StudioInFolder {
 protected:
  StudioLattice() {
    copy_sample("tube.glb");
    begin();
  }
  void begin() { begin_with(folder_ / "tube.glb"); }

  Json edit(const std::string& action, Json more = Json::object()) {
    more["action"] = action;
    return ask("lattice", more);
  }
  // The lattice without its revision: its bytes.
  Json cells() {
    Json reply = ask("lattice_cells");
    reply.erase("revision");
    reply.erase("re");
    return reply;
  }
  // The cells of the body that plays.
  Json playing_cells() {
    page_->frame_after(page_->say("show", {{"cells", true}}));
    return ask("cells");
  }
  // Those of a lattice, which is cooked while tetrahedra play.
  Json playing_lattice() {
    Json playing = playing_cells();
    for (int k = 0; k < 600 && playing["kind"] != "lattice"; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      playing = playing_cells();
    }
    EXPECT_EQ(playing["kind"], "lattice");
    return playing;
  }
  std::string kept() { return saved("tube.studio.lattice.json"); }
};

TEST_F(StudioLattice, EditsAreUndoneToTheSameBytes) {
  EXPECT_TRUE(state()["lattice"].is_null());
  edit("open", {{"from", "grid"}, {"count", 6}});
  const Json begun = cells();
  const Json lattice = state()["lattice"];
  EXPECT_EQ(lattice["mirrored"], lattice["vertices"]) << "grids are symmetric";
  EXPECT_EQ(lattice["undo"], 0);
  const int count = lattice["cells"];

  // A drag is one step, and its moves begin from where it began.
  for (int k = 1; k <= 3; ++k)
    edit("move", {{"vertices", {0}}, {"by", {0, 0, -0.01 * k}}, {"falloff", 0.1}, {"mirror", true}, {"stroke", 1}});
  EXPECT_EQ(state()["lattice"]["undo"], 1);
  const Json moved = cells();
  edit("sharp", {{"edges", {{3, 4}}}});
  edit("split", {{"edges", {{0, 1}}}, {"mirror", true}});
  EXPECT_GT(state()["lattice"]["cells"], count);
  edit("delete", {{"cells", {0}}, {"mirror", true}});
  const Json last = cells();
  EXPECT_EQ(state()["lattice"]["undo"], 4);
  const std::string file = kept();
  for (int k = 0; k < 3; ++k) ask("undo");
  EXPECT_TRUE(cells() == moved);
  ask("undo");
  EXPECT_TRUE(cells() == begun);
  refused("undo", Json::object());
  for (int k = 0; k < 4; ++k) ask("redo");
  EXPECT_TRUE(cells() == last);
  EXPECT_EQ(kept(), file);
  refused("redo", Json::object());

  // The last edited lattice comes back.
  edit("close");
  EXPECT_TRUE(state()["lattice"].is_null());
  edit("open", {{"from", "kept"}});
  EXPECT_TRUE(cells() == last);
  EXPECT_EQ(state()["lattice"]["undo"], 4) << "with its history";
  // Another beginning is a step too.
  edit("open", {{"from", "grid"}, {"count", 3}});
  EXPECT_FALSE(cells() == last);
  ask("undo");
  EXPECT_TRUE(cells() == last);

  // After a restart as well, in which the history is gone.
  begin();
  edit("open", {{"from", "grid"}, {"count", 3}});
  ask("undo");
  EXPECT_TRUE(cells() == last);
}

TEST_F(StudioLattice, TheEditedLatticePlaysAndIsBakedToTheProgramsBytes) {
  edit("open", {{"from", "auto"}, {"count", 60}});
  const Json shape = cells();
  ASSERT_FALSE(shape["bones"].empty()) << "the automatic lattice has bones along its edges";
  edit("split", {{"cells", {0}}});
  EXPECT_TRUE(ask("lattice_check")["usable"]);
  EXPECT_FALSE(state()["lattice"]["used"]);
  edit("use");
  EXPECT_TRUE(state()["lattice"]["used"]);
  const Json playing = playing_lattice();
  EXPECT_EQ(playing["cells"], state()["lattice"]["cells"]);

  // The file beside the character has the same lattice, and the program makes the same bytes of it.
  const fs::path file = folder_ / "edited.json";
  write_text_file(file, kept());
  ask("bake", {{"output", "studio.glb"}});
  page_->event("baked");
  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "program.glb";
  FleshSettings& settings = test::flesh(job.method);
  settings = settings_from_json<FleshSettings>(read_text_file(folder_ / "studio.settings.json"), "settings");
  EXPECT_TRUE(settings.lattice.file.starts_with('{'));
  settings.lattice.file = file.string();
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "studio.glb"), bytes_of(folder_ / "program.glb"));

  // It is an act of the project.
  edit("close");
  ask("undo");
  EXPECT_EQ(playing_cells()["kind"], "tetrahedra");
  ask("redo");
  EXPECT_EQ(playing_lattice()["cells"], playing["cells"]);
  edit("open", {{"from", "played"}});
  EXPECT_TRUE(state()["lattice"]["used"]);
}

TEST_F(StudioLattice, WhatCannotCarryTheBodyIsNotUsed) {
  edit("open", {{"from", "grid"}, {"count", 5}});
  // The cell's corner goes far through its other side.
  edit("move", {{"vertices", {0}}, {"by", {0, 5, 0}}});
  const Json problems = ask("lattice_check");
  EXPECT_FALSE(problems["usable"]);
  EXPECT_FALSE(problems["one_to_one"]);
  ASSERT_FALSE(problems["problems"].empty());
  EXPECT_EQ(problems["problems"][0]["kind"], "folded");
  EXPECT_NE(refused("lattice", {{"action", "use"}}).find("cannot carry the body"), std::string::npos);
  ask("undo");
  EXPECT_TRUE(ask("lattice_check")["usable"]);
  // A grid has no bones, and still carries the body.
  edit("use");
  playing_lattice();
}

TEST_F(StudioLattice, UndoInTheProjectTakesALatticeOutOfUse) {
  edit("open", {{"from", "grid"}, {"count", 5}});
  edit("use");
  playing_lattice();
  EXPECT_TRUE(ask("hello", {{"version", 1}})["state"]["lattice"]["used"]);
  edit("close");
  ask("undo");
  edit("open", {{"from", "kept"}});
  EXPECT_FALSE(ask("hello", {{"version", 1}})["state"]["lattice"]["used"]);
  edit("close");
  ask("redo");
  edit("open", {{"from", "kept"}});
  EXPECT_TRUE(ask("hello", {{"version", 1}})["state"]["lattice"]["used"]);
}

TEST_F(StudioLattice, VerticesFollowBones) {
  edit("open", {{"from", "grid"}, {"count", 5}});
  const std::string bone = ask("lattice_skin")["bones"][0]["name"];
  edit("snap", {{"vertices", {0, 1}}, {"bone", bone}, {"how", "follow"}});
  ASSERT_EQ(cells()["bones"].size(), 1u);
  EXPECT_EQ(cells()["bones"][0]["name"], bone);
  edit("free", {{"vertices", {0, 1}}});
  EXPECT_TRUE(cells()["bones"].empty());
  edit("snap", {{"vertices", {0, 1}}, {"bone", bone}, {"how", "parallel"}});
  refused("lattice", {{"action", "snap"}, {"vertices", {0}}, {"bone", "nobody"}});
  refused("lattice", {{"action", "snap"}, {"vertices", {0}}, {"bone", bone}, {"how", "sideways"}});
}

TEST(LatticeBench, SnappingIsMirroredToTheBoneOfTheOtherSide) {
  const Character character = open_rigged_character(sample_file("sumo.glb")).character;
  LatticeBench bench;
  bench.surface = std::make_shared<const SimulationSurface>(simulation_surface(character));
  const SymmetryPlane plane = symmetry_plane(*bench.surface);
  bench.now = std::make_shared<const ControlLattice>(grid_lattice(bench.surface->rest, 8, plane));
  const std::vector<int> partner = mirror_partners(*bench.now, plane);
  int vertex = 0;  // the outermost on one side
  for (std::size_t v = 0; v < partner.size(); ++v)
    if (bench.now->positions[v].x > bench.now->positions[static_cast<std::size_t>(vertex)].x)
      vertex = static_cast<int>(v);
  command::EditLattice snap;
  snap.action = "snap";
  snap.vertices = {vertex};
  snap.bone = "hand_l";
  snap.how = "follow";
  snap.mirror = true;
  edit(bench, snap, 1);
  const auto at = [&](int v) { return bench.now->positions[static_cast<std::size_t>(v)]; };
  const int image = partner[static_cast<std::size_t>(vertex)];
  EXPECT_LT(distance(mirrored(at(vertex), plane), at(image)), 1e-3);
  ASSERT_EQ(bench.now->bones.size(), 2u);
  EXPECT_EQ(bench.now->bones[0].name, "hand_l");
  EXPECT_EQ(bench.now->bones[1].name, "hand_r");
  EXPECT_EQ(bench.now->bones[1].vertices, std::vector<int>{image});

  // Without mirroring the other side stays.
  undo(bench);
  snap.mirror = false;
  edit(bench, snap, 1);
  EXPECT_EQ(bench.now->bones.size(), 1u);
}

TEST_F(StudioLattice, WhatMakesNoSenseIsASentence) {
  for (const char* verb : {"lattice_cells", "lattice_skin", "lattice_check"}) refused(verb, Json::object());
  for (const char* action : {"move", "split", "use", "dance"}) refused("lattice", {{"action", action}});
  refused("lattice", Json::object());
  refused("lattice", {{"action", "open"}});
  refused("lattice", {{"action", "open"}, {"from", "/etc/passwd"}});
  refused("lattice", {{"action", "open"}, {"from", "kept"}});
  refused("lattice", {{"action", "open"}, {"from", "grid"}, {"count", 41}});
  refused("lattice", {{"action", "open"}, {"from", "grid"}, {"count", -1}});
  refused("lattice", {{"action", "open"}, {"from", "grid"}, {"count", 1e300}});
  edit("open", {{"from", "grid"}, {"count", 5}});
  const Json before = cells();
  const Json nonsense[] = {
      {{"action", "move"}},
      {{"action", "move"}, {"vertices", {1'000'000}}, {"by", {0, 0, 1}}},
      {{"action", "move"}, {"vertices", {-1}}, {"by", {0, 0, 1}}},
      {{"action", "move"}, {"vertices", {0.5}}, {"by", {0, 0, 1}}},
      {{"action", "move"}, {"vertices", "all"}, {"by", {0, 0, 1}}},
      {{"action", "move"}, {"vertices", {0}}, {"by", {0, nullptr, 1}}},
      {{"action", "move"}, {"vertices", {0}}, {"by", {0, std::nan(""), 1}}},
      {{"action", "move"}, {"vertices", {0}}, {"by", {0, 1e300, 1}}},
      {{"action", "move"}, {"vertices", {0}}, {"by", {0, 1e5, 1e5}}},
      {{"action", "move"}, {"vertices", {0}}, {"by", {0, 1}}},
      {{"action", "move"}, {"vertices", {0}}, {"by", {0, 0, 1}}, {"falloff", -1}},
      {{"action", "move"}, {"vertices", {0}}, {"by", {0, 0, 1}}, {"falloff", 1e300}},
      {{"action", "move"}, {"vertices", {0}}, {"by", {0, 0, 1}}, {"mirror", 1}},
      {{"action", "move"}, {"vertices", {0}}, {"by", {0, 0, 1}}, {"colour", "blue"}},
      {{"action", "split"}},
      {{"action", "split"}, {"edges", {{0}}}},
      {{"action", "split"}, {"edges", {{0, 0}}}},
      {{"action", "split"}, {"edges", {{0, 1, 2}}}},
      {{"action", "split"}, {"edges", {{0, 999'999}}}},
      {{"action", "split"}, {"cells", {999'999}}},
      {{"action", "collapse"}, {"edges", {{-1, 1}}}},
      {{"action", "merge"}, {"cells", {0}}},
      {{"action", "merge"}, {"cells", {0, 0}}},
      {{"action", "merge"}, {"cells", {0, 999'999}}},
      {{"action", "add"}},
      {{"action", "add"}, {"faces", {{0, 1}}}},
      {{"action", "add"}, {"faces", {{0, 999'999, 1}}}},
      {{"action", "add"}, {"faces", {Json::array()}}},
      {{"action", "add"}, {"faces", 7}},
      {{"action", "add"}, {"faces", {{0, 1, 2, 3}}}, {"height", -1}},
      {{"action", "fill"}, {"faces", {{0, 1, 2, 3}}}},
      {{"action", "delete"}},
      {{"action", "delete"}, {"cells", {50'000'000}}},
      {{"action", "delete"}, {"cells", {nullptr}}},
      {{"action", "sharp"}},
      {{"action", "sharp"}, {"edges", {{0, 999'999}}}},
      {{"action", "sharp"}, {"vertices", {999'999}}, {"on", "yes"}},
      {{"action", "sharp"}, {"vertices", {999'999}}, {"mirror", true}},
      {{"action", "snap"}, {"vertices", {999'999}}, {"bone", "x"}},
      {{"action", "free"}, {"vertices", {999'999}}},
  };
  for (const Json& message : nonsense) refused("lattice", message);
  Json all = Json::array();
  for (int c = 0; c < state()["lattice"]["cells"]; ++c) all.push_back(c);
  refused("lattice", {{"action", "delete"}, {"cells", all}});
  EXPECT_TRUE(cells() == before) << "what is refused changes nothing";
  EXPECT_EQ(state()["lattice"]["undo"], 0);
}

}  // namespace
