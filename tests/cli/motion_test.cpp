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

}  // namespace
}  // namespace sinew::test
