// sinew motion: new clips of those that a character has.
#include "program.h"

namespace sinew::test {
namespace {

class MotionVerb : public ProgramTest {};

TEST_F(MotionVerb, BlendsClipsThatAreThenAnimated) {
  const Outcome blend = sinew({"motion", "blend", sample_file("sumo.glb"), "--clips", "stomp,head_shake", "--weight",
                               "0:0,1:1", "-o", file("blend.glb"), "--name", "turns"});
  EXPECT_EQ(blend.exit_code, 0) << blend.err;
  EXPECT_NE(blend.out.find("clip 'turns', 1.00 s"), std::string::npos) << blend.out;
  EXPECT_NE(blend.out.find("'stomp' does not repeat"), std::string::npos) << blend.out;
  const Outcome flesh =
      sinew({"animate", file("blend.glb"), "--clip", "turns", "--method", "linear", "-o", file("out.glb")});
  EXPECT_EQ(flesh.exit_code, 0) << flesh.err;
}

TEST_F(MotionVerb, MakesAGraphAndWalksIt) {
  const Outcome graph = sinew({"motion", "graph", sample_file("sumo.glb"), "--threshold", "0.6", "-o",
                               file("graph.json"), "--picture", file("graph.png")});
  EXPECT_EQ(graph.exit_code, 0) << graph.err;
  EXPECT_NE(graph.out.find("transitions of at most"), std::string::npos) << graph.out;
  EXPECT_EQ(files(), (std::vector<std::string>{"graph.json", "graph.png"}));
  const Outcome walk =
      sinew({"motion", "walk", file("graph.json"), "--random", "2", "--seconds", "6", "-o", file("walk.glb")});
  EXPECT_EQ(walk.exit_code, 0) << walk.err;
  EXPECT_NE(walk.out.find("clip 'walk', 6."), std::string::npos) << walk.out;
  EXPECT_NE(walk.out.find("largest jerk"), std::string::npos) << walk.out;
  expect_failure({"motion", "walk", file("graph.json"), "-o", file("no.glb")}, 2, "--path");
  expect_failure({"motion", "walk", file("graph.json"), "--random", "2", "--mask", "neck", "-o", file("no.glb")}, 2,
                 "--mask: is for motion blend, not for walk");
  expect_failure({"motion", "graph", sample_file("sumo.glb"), "--steer", "10", "-o", file("no.json")}, 2, "--steer");
  expect_failure({"motion", "walk", file("none.json"), "--random", "2", "-o", file("no.glb")}, 3, "none.json");
}

TEST_F(MotionVerb, SaysWhatIsWrong) {
  expect_failure({"motion", "blend", sample_file("sumo.glb"), "--clips", "stomp,head_shake", "--weight", "half", "-o",
                  file("no.glb")},
                 2, "--weight");
  expect_failure({"motion", "mix", sample_file("sumo.glb"), "--clips", "stomp,head_shake", "-o", file("no.glb")}, 2,
                 "blend");
  expect_failure({"motion", "blend", sample_file("sumo.glb"), "--clips", "stomp", "-o", file("no.glb")}, 2,
                 "two clips");
}

}  // namespace
}  // namespace sinew::test
