// `sinew bench` as a user runs it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace sinew::test {
namespace {

class Bench : public ProgramTest {};

TEST_F(Bench, WritesWhatItPrints) {
  const Outcome run =
      sinew({"bench", "mixed", sample_file("tube.glb"), "--only", "twist", "-o", file("made/here"), "--quiet"});
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

TEST_F(Bench, FittedLatticesBeatRegularGridsOfMoreUnknowns) {
  const Outcome run = sinew({"bench", "capell", "--only", "mouth", "-o", file("made"), "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto tables = nlohmann::json::parse(contents(file("made/capell.json")));
  const auto& rows = tables.at("mouth").at("rows");
  const auto& grid = rows.at(0);
  const auto& fitted = rows.at(3);
  EXPECT_EQ(grid.at("unknowns"), 375);
  EXPECT_LT(fitted.at("unknowns").get<double>(), grid.at("unknowns").get<double>());
  EXPECT_LT(fitted.at("RMS error, %").get<double>(), 0.3 * grid.at("RMS error, %").get<double>());
}

TEST_F(Bench, FleshIsLearnedWithoutAnyFile) {
  const Outcome run = sinew({"bench", "shi", "--only", "learning,fall", "-o", file("made"), "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto tables = nlohmann::json::parse(contents(file("made/shi.json")));
  const auto& rows = tables.at("learning").at("rows");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_GT(rows.at(0).at("removed, %"), 70);
  EXPECT_GT(rows.at(1).at("removed, %"), 50);
  for (const char* picture : {"shi_fall", "shi_learning_tube", "shi_parameters_tube"})
    EXPECT_TRUE(contents(file(std::string("made/") + picture + ".png")).starts_with("\x89PNG")) << picture;
}

TEST_F(Bench, ClipsAreNamedBehindTheFile) {
  const Outcome run = sinew({"bench", "shi", "--only", "learning", sample_file("tube.glb") + ":bend_90:moonwalk", "--quiet"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find("'moonwalk'"), std::string::npos) << run.err;
  EXPECT_EQ(sinew({"bench", "shi", "--only", "learning", file("missing.glb") + ":a:b", "--quiet"}).exit_code, 3);
}

TEST_F(Bench, RefusesWhatItCannotDo) {
  EXPECT_EQ(sinew({"bench", "capell", "--only", "twist"}).exit_code, 2);
  EXPECT_EQ(sinew({"bench"}).exit_code, 2);
  EXPECT_EQ(sinew({"bench", "flesh"}).exit_code, 2);
  EXPECT_EQ(sinew({"bench", "mixed", "--only", "twist,nothing"}).exit_code, 2);
  const Outcome nobody = sinew({"bench", "mixed", "--only", "joints"});
  EXPECT_EQ(nobody.exit_code, 2);
  EXPECT_NE(nobody.err.find("name some files"), std::string::npos);
  const Outcome no_limbs = sinew({"bench", "mixed", "--quiet", "--only", "joints", sample_file("tube.glb")});
  EXPECT_EQ(no_limbs.exit_code, 3);
  EXPECT_NE(no_limbs.err.find("thigh"), std::string::npos) << no_limbs.err;
  write_text(file("taken"), "");
  EXPECT_EQ(sinew({"bench", "mixed", "--only", "twist", "-o", file("taken")}).exit_code, 2);
}

}  // namespace
}  // namespace sinew::test
