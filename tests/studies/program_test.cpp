// `sinew-study` as a user runs it.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sinew/files/rig_file.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/rig/outside/pipe_rig.h"
#include "tests/cli/runs_a_program.h"

namespace sinew::test {
namespace {

class StudyProgram : public RunsAProgram {
 protected:
  StudyProgram() : RunsAProgram(SINEW_STUDY_PROGRAM) {}
};

TEST_F(StudyProgram, WritesWhatItPrints) {
  const Outcome run =
      run_program({"mixed", sample_file("tube.glb"), "--only", "twist", "-o", file("made/here"), "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_NE(run.out.find("| ARAP"), std::string::npos);
  const auto tables = nlohmann::json::parse(contents(file("made/here/mixed.json")));
  ASSERT_EQ(tables.size(), 1u);
  const auto& rows = tables.at("twist").at("rows");
  ASSERT_EQ(rows.size(), 36u);
  EXPECT_EQ(rows[0].at("material"), "ARAP");
  EXPECT_GT(rows[0].at("least section").get<double>(), 0.5);
  EXPECT_TRUE(contents(file("made/here/mixed_twist.png")).starts_with("\x89PNG"));
}

TEST_F(StudyProgram, FittedLatticesBeatRegularGridsOfMoreUnknowns) {
  const Outcome run = run_program({"capell", "--only", "mouth", "-o", file("made"), "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto tables = nlohmann::json::parse(contents(file("made/capell.json")));
  const auto& rows = tables.at("mouth").at("rows");
  const auto& grid = rows.at(0);
  const auto& fitted = rows.at(3);
  EXPECT_EQ(grid.at("unknowns"), 375);
  EXPECT_LT(fitted.at("unknowns").get<double>(), grid.at("unknowns").get<double>());
  EXPECT_LT(fitted.at("RMS error, %").get<double>(), 0.3 * grid.at("RMS error, %").get<double>());
}

TEST_F(StudyProgram, FleshIsLearnedWithoutAnyFile) {
  const Outcome run = run_program({"shi", "--only", "learning,fall", "-o", file("made"), "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto tables = nlohmann::json::parse(contents(file("made/shi.json")));
  const auto& rows = tables.at("learning").at("rows");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_GT(rows.at(0).at("removed, %"), 70);
  EXPECT_GT(rows.at(1).at("removed, %"), 50);
  for (const char* picture : {"shi_fall", "shi_learning_tube", "shi_parameters_tube"})
    EXPECT_TRUE(contents(file(std::string("made/") + picture + ".png")).starts_with("\x89PNG")) << picture;
}

TEST_F(StudyProgram, ClipsAreNamedBehindTheFile) {
  const Outcome run =
      run_program({"shi", "--only", "learning", sample_file("tube.glb") + ":bend_90:moonwalk", "--quiet"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("'moonwalk'"), std::string::npos) << run.err;
  EXPECT_EQ(run_program({"shi", "--only", "learning", file("missing.glb") + ":a:b", "--quiet"}).exit_code, 3);
}

TEST_F(StudyProgram, TruthNamesClipsAndExperiments) {
  const Outcome run = run_program({"truth", sample_file("tube.glb") + ":moonwalk:joint*,tip", "--quiet"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("'moonwalk'"), std::string::npos) << run.err;
  const Outcome other = run_program({"truth", "--only", "speed", "--quiet"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("flesh, parts, others, methods, learned"), std::string::npos) << other.err;
}

TEST_F(StudyProgram, RigSpaceRunsOnTheSampleRigs) {
  const Outcome run = run_program(
      {"rigspace", sample_file("rigs"), "--only", "deferral", "--steps", "4", "-o", file("made"), "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto tables = nlohmann::json::parse(contents(file("made/rigspace.json")));
  for (const char* name : {"deferral_trunk", "deferral_belly", "deferral_sumo"}) {
    const auto& rows = tables.at(name).at("rows");
    ASSERT_EQ(rows.size(), 12u) << name;
    EXPECT_LE(rows.at(0).at("Jacobians"), rows.at(10).at("Jacobians")) << name;
  }
}

// What the rows with a rig outside ask, asked here.
TEST_F(StudyProgram, ServesARigThatIsTheRigItself) {
  const std::string path = sample_file("rigs/elephant.glb"), layers = sample_file("rigs/elephant.rig.json");
  Character character = read_character(path);
  const SimulationSurface surface = simulation_surface(character, false);
  std::vector<int> some;  // not all, and not in their order
  for (auto v = static_cast<int>(surface.rest.positions.size()) - 1; v >= 0; v -= 3) some.push_back(v);
  PipeRig outside({SINEW_STUDY_PROGRAM, "rigspace", "--serve", "0.004", layers}, path,
                  file_vertices(character, surface, some));
  const RigFile file = read_rig_file(layers);
  const std::shared_ptr<Rig> inside = make_rig(&file, character, surface, some).rig;
  ASSERT_EQ(outside.parameters().size(), inside->parameters().size());
  std::vector<double> p;
  for (std::size_t i = 0; i < inside->parameters().size(); ++i) {
    const RigParameter &a = inside->parameters()[i], &b = outside.parameters()[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.unit, b.unit);
    EXPECT_EQ(a.lower, b.lower);
    p.push_back(a.rest + 0.1 * (a.upper - a.rest));
  }
  std::vector<Vec3> s(some.size()), t(some.size());
  const auto begin = std::chrono::steady_clock::now();
  outside.evaluate(p, s);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(4));
  inside->evaluate(p, t);
  for (std::size_t v = 0; v < some.size(); ++v) EXPECT_EQ(s[v], t[v]) << v;
}

TEST_F(StudyProgram, SaysItsOwnNameAndVerbs) {
  expect_failure({}, 2, "a verb is missing; `sinew-study mixed [FILES] -o FOLDER` has one, and `sinew-study --help`");
  expect_failure({"mixd"}, 2, "there is no verb 'mixd': did you mean mixed? `sinew-study --help`");
  expect_failure({"flesh"}, 2, "there is no verb 'flesh'; `sinew-study --help` lists all verbs.");
  expect_failure({sample_file("tube.glb")}, 2, "write `sinew-study mixed " + sample_file("tube.glb") + " -o FOLDER`");
  expect_failure({"capell", "--only", "twist"}, 2, "--only twist: capell has no such experiment; it has bend, ");
  expect_failure({"mixed", "--steps", "3"}, 2, "there is no option --steps");
}

TEST_F(StudyProgram, EveryOptionIsDocumented) {
  const std::string page = contents(std::string(SINEW_SOURCE_DIR) + "/docs/studies.md");
  std::string offered = run_program({"--help"}).out;
  for (const char* verb : {"mixed", "capell", "shi", "rigspace", "skinning"}) {
    EXPECT_NE(offered.find(std::string("\n  ") + verb + " "), std::string::npos) << offered;
    EXPECT_NE(page.find(std::string("## sinew-study ") + verb), std::string::npos) << verb;
    offered += run_program({verb, "--help-all"}).out;
  }
  const std::set<std::string> known = options_named_in(offered + "--help"), documented = options_named_in(page);
  EXPECT_TRUE(known.contains("--reference-steps"));
  for (const std::string& option : known)
    EXPECT_TRUE(documented.contains(option) || option.starts_with("--help") || option == "--version") << option;
  for (const std::string& option : documented) EXPECT_TRUE(known.contains(option)) << option;
}

TEST_F(StudyProgram, RefusesWhatItCannotDo) {
  EXPECT_EQ(run_program({"rigspace", file("nowhere"), "--only", "stops", "--quiet"}).exit_code, 2);
  EXPECT_EQ(run_program({"capell", "--only", "twist"}).exit_code, 2);
  EXPECT_EQ(run_program({"mixed", "--only", "twist,nothing"}).exit_code, 2);
  const Outcome nobody = run_program({"mixed", "--only", "joints"});
  EXPECT_EQ(nobody.exit_code, 2);
  EXPECT_NE(nobody.err.find("name some files"), std::string::npos);
  const Outcome no_limbs = run_program({"mixed", "--quiet", "--only", "joints", sample_file("tube.glb")});
  EXPECT_EQ(no_limbs.exit_code, 3);
  EXPECT_NE(no_limbs.err.find("thigh"), std::string::npos) << no_limbs.err;
  write_text(file("taken"), "");
  EXPECT_EQ(run_program({"mixed", "--only", "twist", "-o", file("taken")}).exit_code, 2);
}

}  // namespace
}  // namespace sinew::test
