// Where the project's flesh moves in a control lattice, forces are found in that lattice, as on the command line.
#include "sinew/base/file.h"
#include "sinew/jobs/shape/fit_shape_file.h"
#include "sinew/jobs/shape/shape_work.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;

TEST_F(StudioSession, ForcesForATargetAreFoundInTheLatticeThatPlays) {
  ask("set", {{"path", "tetrahedra"}, {"value", 1000}});
  ask("set", {{"path", "lattice"}, {"value", "auto"}});
  ask("set", {{"path", "lattice_cells"}, {"value", 60}});
  ask("play", {{"clip", ""}});
  const SimulationSurface surface = simulation_surface(open_rigged_character(folder_ / "tube.glb").character);
  std::string swollen;
  for (const Vec3& x : surface.rest.positions)
    swollen += "v " + std::to_string(1.02 * x.x) + " " + std::to_string(x.y) + " " + std::to_string(1.02 * x.z) + "\n";
  for (const Triangle& t : surface.rest.triangles)
    swollen += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " + std::to_string(t[2] + 1) + "\n";
  write_file(folder_ / "swollen.obj", std::as_bytes(std::span(swollen)));
  ask("fit_shape", {{"name", "swell"}, {"target", "swollen.obj"}});

  FitShapeJob job;
  job.input = folder_ / "tube.glb";
  job.rigs = folder_ / "rigs.json";
  job.flesh.tetrahedra = 1000;
  job.flesh.lattice.file = "auto";
  job.flesh.lattice.cells = 60;
  job.name = "swell";
  job.target = (folder_ / "swollen.obj").string();
  fit_shape(job);
  const Json written = Json::parse(read_text_file(job.rigs))["rigs"][0]["samples"][1];
  EXPECT_EQ(state()["rigs"][0]["samples"][1]["reach"], written["reach"]);
  const Json saved = Json::parse(saved_project())["settings"]["flesh"]["shapes"]["rigs"][0]["samples"][1];
  EXPECT_TRUE(saved["forces"] == written["forces"]);

  job.flesh.lattice = {};
  job.rigs = folder_ / "in_tetrahedra.json";
  fit_shape(job);
  EXPECT_TRUE(written["forces"] != Json::parse(read_text_file(job.rigs))["rigs"][0]["samples"][1]["forces"]);
}

}  // namespace
