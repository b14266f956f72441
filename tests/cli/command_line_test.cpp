// What the program says about words that it cannot make sense of, and what --help shows.
#include "program.h"

namespace sinew::test {
namespace {

constexpr int exit_of_usage = 2;

class Words : public ProgramTest {
 protected:
  void expect_sentence(const std::vector<std::string>& arguments, const std::string& words) const {
    expect_failure(arguments, exit_of_usage, words);
  }
  // The same behind `animate` and what it needs.
  void expect_animate(std::vector<std::string> options, const std::string& words) const {
    options.insert(options.begin(), {"animate", "character.glb", "-o", "out.glb"});
    expect_sentence(options, words);
  }
};

TEST_F(Words, VerbsThatThereAreNone) {
  expect_sentence({"animte"}, "there is no verb 'animte': did you mean animate?");
  expect_sentence({"anim", "character.glb"}, "did you mean animate?");
  expect_sentence({"cehck", "character.glb"}, "did you mean check?");
  expect_sentence({"bench", "mixed"}, "there is no verb 'bench': the program sinew-study compares methods");
  expect_sentence({"dance"}, "there is no verb 'dance'; `sinew --help` lists all verbs.");
  expect_sentence({}, "a verb is missing; `sinew animate FILE -o OUTPUT`");
  expect_sentence({"--quiet", "animate"}, "'--quiet' stands before the verb");
  expect_sentence({sample_file("tube.glb")}, "write `sinew animate " + sample_file("tube.glb") + " -o OUTPUT`");
}

TEST_F(Words, OptionsThatThereAreNone) {
  expect_animate({"--looks", "lively"}, "there is no option --looks: did you mean --look?");
  expect_animate({"lively", "--looks"}, "did you mean --look?");
  expect_animate({"--tetrahedrons=100"}, "there is no option --tetrahedrons: did you mean --tetrahedra?");
  expect_animate({"--prev", "strip.png"}, "did you mean --preview?");
  expect_animate({"--nonsense"}, "there is no option --nonsense; `sinew animate --help-all` lists the options.");
  expect_sentence({"info", "a.glb", "b.glb"}, "'b.glb' is one word too many for `sinew info FILE`");
}

TEST_F(Words, ValuesThatAreMissingOrTooMany) {
  expect_sentence({"animate"}, "FILE is missing: write `sinew animate FILE -o OUTPUT`.");
  expect_sentence({"animate", "character.glb"}, "--output is missing: write `sinew animate FILE -o OUTPUT`.");
  expect_animate({"--young"}, "--young: its value is missing; write --young and, for example, 2e5.");
  expect_animate({"--preview", "--report", "run.json"}, "--preview: its value is missing; write --preview FILE.");
  expect_animate({"--range", "0"}, "--range: its value is missing; write --range BEGIN END.");
  expect_animate({"--look", "lively", "--look", "subtle"}, "--look: is given more than once");
  expect_animate({"--loop=often"}, "--loop: 'often' is none of on, off, auto.");
  expect_animate({"--loop", "often"}, "'often' is one word too many");
}

TEST_F(Words, NumbersThatAreNone) {
  expect_animate({"--young", "soft"}, "--young: 'soft' is not a number of pascals; write, for example, 2e5.");
  expect_animate({"--tetrahedra", "many"}, "--tetrahedra: 'many' is not a whole number; write, for example, 8000.");
  expect_animate({"--tetrahedra", "8e3"}, "'8e3' is not a whole number");
  expect_animate({"--height", "1,8"}, "--height: '1,8' is not a number of metres");
  expect_animate({"--height", "1.8m"}, "'1.8m' is not a number of metres");
  expect_animate({"--fps", "nan"}, "--fps: 'nan' is not a number");
  expect_animate({"--density", "inf"}, "--density: 'inf' is not a number");
  expect_animate({"--tetrahedra", "99999999999"}, "--tetrahedra: 99999999999 is beyond the numbers");
  expect_animate({"--range", "0", "later"}, "--range: 'later' is not a number");
  expect_animate({"--threads", "-1"}, "--threads: -1 is out of range; give 0 to 1024.");
}

TEST_F(Words, OptionsThatDoNotGoTogether) {
  expect_sentence({"volume", "a.glb", "-o", "a.vtu", "--tetrahedra", "10", "--cell-size", "1"},
                  "--cell-size: does not go with --tetrahedra");
}

TEST_F(Words, NumbersAreReadAsTheyAreWritten) {
  const Outcome run =
      sinew({"settings", "-", "--young=2e5", "--ground", "-0.25", "--density", "+950", "--tetrahedra", "700"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const char* line : {"\"young\": 200000", "\"ground\": -0.25", "\"density\": 950", "\"tetrahedra\": 700"})
    EXPECT_NE(run.out.find(line), std::string::npos) << line << '\n' << run.out;
}

// A first user reads a screen; who looks for more is told where it is.
TEST_F(Words, HelpIsAScreenAndHelpAllTheRest) {
  for (const char* verb :
       {"animate", "settings", "info", "check", "flesh", "volume", "lattice", "learn", "fit", "compare", "studio"}) {
    const Outcome help = sinew({verb, "--help"}), all = sinew({verb, "--help-all"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_LE(lines(help.out).size(), 40u) << help.out;
    for (const std::string& line : lines(all.out)) EXPECT_LE(line.size(), 110u) << line;
    EXPECT_EQ(all.out.find("--help-all"), std::string::npos) << all.out;
  }
  const std::string help = sinew({"animate", "-h"}).out, all = sinew({"animate", "--help-all"}).out;
  for (const char* common : {"--look NAME", "--clip NAME", "-o, --output FILE", "--preview FILE", "--height METRES"})
    EXPECT_NE(help.find(common), std::string::npos) << common;
  for (const char* rare : {"--poisson NU", "--linearization NAME", "--checkpoint FILE", "--key-error E"}) {
    EXPECT_EQ(help.find(rare), std::string::npos) << rare;
    EXPECT_NE(all.find(rare), std::string::npos) << rare;
  }
  EXPECT_NE(help.find("`sinew animate --help-all` lists"), std::string::npos) << help;
}

}  // namespace
}  // namespace sinew::test
