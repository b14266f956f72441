// sinew lattice: builds a lattice, checks it, and names what is wrong with one that was edited.
#include "program.h"

namespace sinew::test {
namespace {

class LatticeVerb : public ProgramTest {};

TEST_F(LatticeVerb, BuildsAndChecks) {
  const Outcome built = sinew({"lattice", sample_file("tube.glb"), "-o", file("tube.json"), "--cells", "60",
                               "--preview", file("tube.png"), "--quiet"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_EQ(built.out, "");
  EXPECT_GT(std::filesystem::file_size(file("tube.png")), 2000u);
  const Outcome checked = sinew({"lattice", "--check", file("tube.json"), "--character", sample_file("tube.glb")});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_NE(checked.out.find("encloses"), std::string::npos) << checked.out;
  const Outcome alone = sinew({"lattice", "--check", file("tube.json")});
  EXPECT_EQ(alone.exit_code, 0) << alone.err;

  // Around another character it is of no use: cells and bones are named, and the exit code says so.
  const Outcome wrong = sinew({"lattice", "--check", file("tube.json"), "--character", sample_file("sumo.glb")});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_NE(wrong.out.find("cell "), std::string::npos) << wrong.out;
  EXPECT_NE(wrong.out.find("bone "), std::string::npos) << wrong.out;
  EXPECT_NE(wrong.err.find("does not fit"), std::string::npos) << wrong.err;
}

TEST_F(LatticeVerb, Failures) {
  expect_failure({"lattice"}, 2, "name the character");
  expect_failure({"lattice", sample_file("tube.glb")}, 2, "-o");
  expect_failure({"lattice", sample_file("tube.glb"), "-o", file("tube.stl")}, 2, ".json");
  expect_failure({"lattice", sample_file("tube.glb"), "-o", file("tube.json"), "--cells", "2"}, 2, "cells");
  expect_failure({"lattice", file("nothing.glb"), "-o", file("tube.json")}, 3, "nothing.glb");
  expect_failure({"lattice", "--check", file("nothing.json")}, 3, "nothing.json");
  write_text(file("broken.json"), "{\"vertices\": 7}");
  expect_failure({"lattice", "--check", file("broken.json")}, 3, "broken.json");
}

}  // namespace
}  // namespace sinew::test
