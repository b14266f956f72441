// Flesh in a control lattice from file to file: lattices as files and built on the way, every basis and linearisation,
// what the report says, interruption, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/files/lattice_files.h"
#include "sinew/jobs/animate/track.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

ControlLattice lattice_for(const fs::path& path, int cells) {
  const Character character = open_character(path).character;
  return build_lattice(character, simulation_surface(character), {cells}).lattice;
}

// A quarter of a second of the sample's first clip in a lattice of few cells.
struct Case {
  fs::path folder = test::scratch_files();
  AnimateJob job;
  ControlLattice lattice;

  explicit Case(const std::string& name, int cells) {
    job.input = test::sample_file(name + ".glb");
    job.output = folder / "flesh.mdd";
    job.begin = 0;
    job.end = 0.25;
    test::flesh(job.method).tetrahedra = 1500;
    test::flesh(job.method).lattice.cells = cells;
    lattice = lattice_for(job.input, cells);
    in(lattice);
  }

  void in(const ControlLattice& other) {
    test::flesh(job.method).lattice.file = (folder / "lattice.json").string();
    write_lattice(test::flesh(job.method).lattice.file, other);
  }

  // Largest distance from the rig's surface, as a share of the height.
  double moved() const {
    const Track rig = read_track(job.input, {}), flesh = read_track(job.output, {});
    const TrackDifference difference = compare(rig, flesh, common_times(rig, flesh, 30));
    return difference.max / difference.height;
  }
};

TEST(AnimateLattice, ALatticeFromAFileIsTheOneBuiltOnTheWay) {
  Case c("tube", 80);
  ASSERT_TRUE(animate_file(c.job).complete);
  const std::string from_json = test::bytes_of(c.job.output);
  ASSERT_GT(from_json.size(), 10000u);
  test::flesh(c.job.method).lattice.file = (c.folder / "lattice.vtu").string();
  write_lattice(test::flesh(c.job.method).lattice.file, c.lattice);
  ASSERT_TRUE(animate_file(c.job).complete);
  EXPECT_EQ(test::bytes_of(c.job.output), from_json);
  test::flesh(c.job.method).lattice.file = auto_lattice;
  ASSERT_TRUE(animate_file(c.job).complete);
  EXPECT_EQ(test::bytes_of(c.job.output), from_json);
  EXPECT_GT(c.moved(), 1e-4);
}

TEST(AnimateLattice, TheReportSaysWhatIsSolvedFor) {
  Case c("tube", 80);
  c.job.report = c.folder / "run.json";
  std::size_t coarse = 0;
  for (const int levels : {1, 2}) {
    test::flesh(c.job.method).lattice.levels = levels;
    ASSERT_TRUE(animate_file(c.job).complete);
    const auto report = nlohmann::json::parse(test::bytes_of(c.job.report));
    EXPECT_EQ(report["method"], "flesh");
    EXPECT_EQ(report["settings"]["settings"]["lattice"], test::flesh(c.job.method).lattice.file);
    EXPECT_EQ(report["settings"]["settings"]["levels"], levels);
    const auto unknowns = report["counts"]["free_unknowns"].get<std::size_t>();
    if (levels == 1) {
      // Three for each vertex that is not on a bone, but for those of cells without flesh.
      std::vector<char> on_bone(c.lattice.positions.size(), 0);
      for (const LatticeBone& bone : c.lattice.bones)
        for (int v : bone.vertices) on_bone[static_cast<std::size_t>(v)] = 1;
      const auto off = static_cast<std::size_t>(std::count(on_bone.begin(), on_bone.end(), 0));
      EXPECT_LE(unknowns, 3 * off);
      EXPECT_GT(unknowns, 3 * off * 9 / 10);
      coarse = unknowns;
    } else {
      EXPECT_GT(unknowns, 5 * coarse);
    }
    for (const char* stage : {"lattice", "cook lattice"})
      EXPECT_NE(report["stages"].dump().find(stage), std::string::npos);
    for (const auto& frame : report["clips"][0]["frames"]) EXPECT_GT(frame["volume_ratio"], 0.8);
  }
}

TEST(AnimateLattice, EveryLinearizationAndBasisMovesTheFlesh) {
  Case c("tube", 80);
  c.job.end = 0.15;
  const auto expect_motion = [&](const char* what, double most) {
    SCOPED_TRACE(what);
    ASSERT_NO_THROW(animate_file(c.job));
    const double moved = c.moved();
    EXPECT_GT(moved, 1e-4);
    EXPECT_LT(moved, most);
  };
  expect_motion("rig", 0.1);
  test::flesh(c.job.method).lattice.levels = 2;
  test::flesh(c.job.method).lattice.adapt = 0.05;
  expect_motion("rig, adaptive", 0.1);
  test::flesh(c.job.method).reference = Reference::elastic;
  expect_motion("elastic, adaptive", 0.1);
  test::flesh(c.job.method).lattice.levels = 1;
  test::flesh(c.job.method).lattice.adapt.reset();
  expect_motion("elastic", 0.1);
  test::flesh(c.job.method).warping = Warping::vertex;
  expect_motion("equation 5.10", 0.1);
  test::flesh(c.job.method).warping = Warping::element;
  for (const Linearization linearization :
       {Linearization::linear, Linearization::quasi, Linearization::blended, Linearization::none}) {
    test::flesh(c.job.method).lattice.linearization = linearization;
    expect_motion(std::to_string(static_cast<int>(linearization)).c_str(), 0.3);
  }
  test::flesh(c.job.method).lattice.linearization = Linearization::warped;
  test::flesh(c.job.method).lattice.basis = SubdivisionScheme::mlca;
  expect_motion("mlca shows", 0.1);
  test::flesh(c.job.method).lattice.smooth_dynamics = true;
  expect_motion("mlca moves", 0.1);
}

// Smooth functions show the same motion, up to what creases are worth.
TEST(AnimateLattice, TheSmoothSurfaceIsNearTheOther) {
  Case c("sumo", 200);
  ASSERT_TRUE(animate_file(c.job).complete);
  const Track creased = read_track(c.job.output, {});
  test::flesh(c.job.method).lattice.basis = SubdivisionScheme::mlca;
  c.job.output = c.folder / "smooth.mdd";
  ASSERT_TRUE(animate_file(c.job).complete);
  const Track smooth = read_track(c.job.output, {});
  const TrackDifference difference = compare(creased, smooth, common_times(creased, smooth, 30));
  EXPECT_GT(difference.rms, 0);
  EXPECT_LT(difference.rms, 0.2 * c.moved() * difference.height);
}

TEST(AnimateLattice, StopsAndGoesOnWithTheSameBytes) {
  for (const bool adapt : {false, true}) {
    Case c("tube", 80);
    test::flesh(c.job.method).reference = Reference::elastic;
    test::flesh(c.job.method).lattice.levels = adapt ? 2 : 1;
    if (adapt) test::flesh(c.job.method).lattice.adapt = 0.05;
    ASSERT_TRUE(animate_file(c.job).complete);
    const std::string whole = test::bytes_of(c.job.output);
    c.job.output = c.folder / "resumed.mdd";
    c.job.checkpoint = c.folder / "state";
    c.job.resume = true;
    int frames = 0;
    ASSERT_FALSE(animate_file(c.job, [&](const ProgressReport& report) {
                   return !report.activity.starts_with("simulating") || ++frames < 4;
                 }).complete);
    EXPECT_FALSE(fs::exists(c.job.output));
    ASSERT_TRUE(fs::exists(c.job.checkpoint));
    ASSERT_TRUE(animate_file(c.job).complete);
    EXPECT_EQ(test::bytes_of(c.job.output), whole);
  }
}

std::string refused(ErrorKind kind, const AnimateJob& job) {
  const std::string sentence = test::refusal(kind, [&] { animate_file(job); });
  EXPECT_FALSE(fs::exists(job.output));
  return sentence;
}

TEST(AnimateLatticeErrors, LatticesOfNoUseAreRefused) {
  Case c("tube", 80);
  const auto expect = [&](const ControlLattice& lattice, const char* words) {
    c.in(lattice);
    const std::string sentence = refused(ErrorKind::input, c.job);
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("lattice.json"), std::string::npos) << sentence;
  };
  ControlLattice lattice = c.lattice;
  for (Vec3& p : lattice.positions) p = p * 0.7;
  expect(lattice, "vertex ");
  lattice = c.lattice;
  lattice.positions[0] += 3.0 * (lattice.positions[30] - lattice.positions[0]);
  expect(lattice, "cell ");
  lattice = c.lattice;
  lattice.bones[0].vertices = {lattice.bones[0].vertices.front(), lattice.bones[0].vertices.back()};
  expect(lattice, "no edge");
  lattice = c.lattice;
  lattice.bones[1].name = "antenna";
  expect(lattice, "antenna");
}

TEST(AnimateLatticeErrors, ImpossibleSettingsAreRefused) {
  Case c("tube", 80);
  AnimateJob job = c.job;
  test::flesh(job.method).lattice.levels = 5;
  EXPECT_NE(refused(ErrorKind::usage, job).find("levels"), std::string::npos);
  job = c.job;
  test::flesh(job.method).lattice.linearization = Linearization::quasi;  // the rig's shape cannot be held by it
  EXPECT_NE(refused(ErrorKind::usage, job).find("--reference elastic"), std::string::npos);
  job = c.job;
  test::flesh(job.method).lattice.adapt = -0.1;
  EXPECT_NE(refused(ErrorKind::usage, job).find("adapt"), std::string::npos);
  job = c.job;
  test::flesh(job.method).lattice.file = (c.folder / "nothing.json").string();
  EXPECT_NE(refused(ErrorKind::input, job).find("nothing.json"), std::string::npos);
}

}  // namespace
}  // namespace sinew
