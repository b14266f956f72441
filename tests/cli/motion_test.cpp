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
}

}  // namespace
}  // namespace sinew::test
