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

TEST_F(MotionVerb, ReactPushesAndFalls) {
  const Outcome pushed = sinew({"motion", "react", sample_file("sumo.glb"), "--clip", "head_shake", "--push",
                                "0.3:fingers_1_l:20,0,0", "--seconds", "1", "-o", file("pushed.glb")});
  EXPECT_EQ(pushed.exit_code, 0) << pushed.err;
  EXPECT_NE(pushed.out.find("clip 'head_shake, pushed', 1.00 s"), std::string::npos) << pushed.out;
  EXPECT_NE(pushed.out.find("stayed on its feet"), std::string::npos) << pushed.out;
  const Outcome again = sinew({"motion", "react", sample_file("sumo.glb"), "--clip", "head_shake", "--push",
                               "0.3:fingers_1_l:20,0,0", "--seconds", "1", "-o", file("again.glb")});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(contents(file("pushed.glb")), contents(file("again.glb")));
  const Outcome shown = sinew(
      {"animate", file("pushed.glb"), "--clip", "head_shake, pushed", "--method", "linear", "-o", file("out.glb")});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;

  const auto refuses = [&](std::vector<std::string> words, int code, const char* says) {
    std::vector<std::string> all{"motion", "react", sample_file("sumo.glb"), "-o", file("no.glb")};
    all.insert(all.end(), words.begin(), words.end());
    expect_failure(all, code, says);
  };
  refuses({"--push", "0.3:tail:20,0,0"}, 2, "no joint 'tail'");
  refuses({"--push", "0.3:spine:20,0"}, 2, "1.2:spine:300,0,0");
  refuses({"--push", "0.3:spine:20,0,nan"}, 2, "--push");
  refuses({"--push", "soon:spine:20,0,0"}, 2, "--push");
  refuses({"--push", "9:spine:20,0,0", "--seconds", "2"}, 2, "outside of the reaction");
  refuses({"--throw", "-1:spine:20,0,0"}, 2, "outside of the reaction");
  refuses({"--limp", "7", "--seconds", "2"}, 2, "--limp");
  refuses({"--clip", "walk"}, 2, "walk");
  refuses({"--walk", "1", "--repeat"}, 2, "--repeat");
  refuses({"--walk", "-1"}, 2, "--walk");
  refuses({"--tries", "50"}, 2, "--tries");
  refuses({"--walk", "1", "--tries", "20"}, 2, "--tries");
  refuses({"--walk", "1", "--support", "0.5"}, 2, "--support");
  refuses({"--save-gait", file("gait.json")}, 2, "--save-gait");
  const Outcome walk = sinew({"motion", "react", sample_file("sumo.glb"), "--walk", "1", "--tries", "0", "--seconds",
                              "0.5", "--save-gait", file("gait.json"), "-o", file("walk.glb")});
  EXPECT_EQ(walk.exit_code, 0) << walk.err;
  EXPECT_NE(walk.out.find("clip 'own walk', 0.50 s"), std::string::npos) << walk.out;
  EXPECT_EQ(contents(file("gait.json")).find("\"speed\":"), std::string::npos);  // nothing was measured
}

TEST(Motion, HopsOnOneLeg) {
  const Outcome hop =
      sinew({"motion", "hop", sample_file("sumo.glb"), "--seconds", "1", "--name", "leap", "-o", file("hop.glb")});
  ASSERT_EQ(hop.exit_code, 0) << hop.err;
  EXPECT_NE(hop.out.find("clip 'leap', 1.00 s"), std::string::npos) << hop.out;
  const Outcome shown =
      sinew({"animate", file("hop.glb"), "--clip", "leap", "--method", "linear", "-o", file("o.glb")});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  expect_failure({"motion", "hop", sample_file("tube.glb"), "-o", file("no.glb")}, 2, "has 0 legs with feet");
  expect_failure({"motion", "hop", sample_file("sumo.glb"), "--speed", "50", "-o", file("no.glb")}, 2, "--speed");
  expect_failure({"motion", "hop", sample_file("sumo.glb"), "--push", "1:spine:1,0,0", "-o", file("no.glb")}, 2,
                 "--push");
}

}  // namespace
}  // namespace sinew::test
