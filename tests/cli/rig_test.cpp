// sinew rig: from a mesh and joints to a character, and what is said where that cannot be.
#include "program.h"
#include "tests/jobs/strip_weights.h"

namespace sinew::test {
namespace {

class RigVerb : public ProgramTest {};

TEST_F(RigVerb, RigsWhatCanThenBeAnimated) {
  strip_skin_weights(sample_file("tube.glb"), file("bare.glb"), Stripped::skins);
  write_text(file("joints.json"), R"({"version": 1, "joints": [
    {"name": "foot", "position": [0, 0.1, 0]}, {"name": "tip", "parent": "foot", "position": [0, 0.5, 0]}]})");
  const Outcome rig = sinew({"rig", file("bare.glb"), "--joints", file("joints.json"), "-o", file("rigged.glb")});
  ASSERT_EQ(rig.exit_code, 0) << rig.err;
  EXPECT_NE(rig.out.find("2 joints"), std::string::npos) << rig.out;
  const Outcome animate = sinew(
      {"animate", file("rigged.glb"), "-o", file("out.glb"), "--tetrahedra", "500", "--range", "0", "0.1", "--quiet"});
  EXPECT_EQ(animate.exit_code, 0) << animate.err;
  expect_failure({"rig", file("rigged.glb"), "--joints", file("joints.json"), "-o", file("again.glb")}, 3,
                 "is rigged already");
  expect_failure({"rig", file("bare.glb"), "--joints", file("joints.json"), "-o", file("bare.glb")}, 2, "bare.glb");
  expect_failure({"rig", file("bare.glb"), "--joints", file("nothing.json"), "-o", file("again.glb")}, 3,
                 "nothing.json");
  expect_failure({"rig", file("bare.glb"), "--joints", file("joints.json"), "-o", file("again.glb"), "--mirror", "up"},
                 2, "up");
  expect_failure({"rig", file("bare.glb"), "-o", file("again.glb")}, 2, "--joints");
  expect_failure({"rig", file("bare.glb"), "--joints", file("rigged.glb"), "-o", file("again.glb")}, 3,
                 "--joints takes a .json file");
  write_text(
      file("twice.json"),
      R"({"version": 1, "joints": [{"name": "a", "position": [0, 0, 0]}, {"name": "a", "position": [0, 1, 0]}]})");
  expect_failure({"rig", file("bare.glb"), "--joints", file("twice.json"), "-o", file("again.glb")}, 3,
                 "two joints called 'a'");
}

// A mesh without a skeleton is told of `rig`, and not of a method that needs a skeleton as well.
TEST_F(RigVerb, IsNamedWhereAMeshHasNoSkeleton) {
  write_text(file("bare.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Outcome animate = sinew({"animate", file("bare.obj"), "-o", file("out.glb")});
  EXPECT_EQ(animate.exit_code, 3);
  EXPECT_NE(animate.err.find("`sinew rig`"), std::string::npos) << animate.err;
  EXPECT_EQ(animate.err.find("mixed"), std::string::npos) << animate.err;
}

}  // namespace
}  // namespace sinew::test
