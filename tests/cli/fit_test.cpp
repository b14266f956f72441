// `sinew fit` and the method `surface` as a user meets them.
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "program.h"

namespace sinew::test {
namespace {

class Fit : public ProgramTest {
 protected:
  Outcome fit(const std::string& output, std::vector<std::string> more) const {
    std::vector<std::string> arguments{"fit", sample_file("tube.glb"), "-o", file(output), "--iterations", "5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return sinew(arguments);
  }
  Outcome animate(const std::string& output, std::vector<std::string> more) const {
    std::vector<std::string> arguments{"animate", sample_file("tube.glb"), "-o", file(output)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return sinew(arguments);
  }
  // RMS distance in percent of the height.
  double distance(const std::string& a, const std::string& b) const {
    const Outcome run = sinew({"compare", a, b, "--fps", "60", "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.exit_code == 0 ? nlohmann::json::parse(run.out)["rms_percent_of_height"].get<double>() : NAN;
  }
  void expect(int exit_code, const std::vector<std::string>& more, const std::string& words) const {
    const Outcome run = fit("out.sinew", more);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(file("out.sinew")));
  }
};

const std::vector<std::string> soft{"--tetrahedra", "400", "--look", "lively"};
// A model of half a second of motion: for tests of how a model is played, not of what it has learned.
const std::vector<std::string> briefly{"--tetrahedra", "400", "--look", "lively",       "--simulate",
                                       "--range",      "0",   "0.5",    "--no-exercise"};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST_F(Fit, TheCommandsOfTheManualRunAndTheModelIsNearerThanTheRig) {
  ASSERT_EQ(animate("flesh.pc2", soft + std::vector<std::string>{"--fps", "60"}).exit_code, 0);
  const Outcome learned =
      fit("tube.sinew", {"--example", file("flesh.pc2"), "--fps", "60", "--report", file("fit.json")});
  ASSERT_EQ(learned.exit_code, 0) << learned.err;
  const nlohmann::json report = nlohmann::json::parse(contents(file("fit.json")));
  EXPECT_GT(report["removed_percent"], 40);
  EXPECT_EQ(report["examples"].size(), 1u);

  const Outcome moved = animate("model.pc2", {"--method", "surface", "--model", file("tube.sinew"), "--fps", "60",
                                              "--preview", file("strip.png"), "--report", file("run.json")});
  ASSERT_EQ(moved.exit_code, 0) << moved.err;
  EXPECT_EQ(nlohmann::json::parse(contents(file("run.json")))["method"], "surface");
  // What was learned is what is played: the report's error is that of the file's frames.
  const double rig = distance(sample_file("tube.glb"), file("flesh.pc2"));
  const double model = distance(file("model.pc2"), file("flesh.pc2"));
  const std::vector<std::string> both{"compare", file("model.pc2"), file("flesh.pc2"), "--fps", "60"};
  const Outcome shown = sinew(both + std::vector<std::string>{"--preview", file("sides.png"), "--character",
                                                              sample_file("tube.glb"), "--times", "0.5", "1"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_TRUE(contents(file("sides.png")).starts_with("\x89PNG"));
  EXPECT_EQ(sinew(both + std::vector<std::string>{"--preview", file("no.png")}).exit_code, 2);
  EXPECT_EQ(sinew(both + std::vector<std::string>{"--times", "1"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(file("no.png")));
  EXPECT_LT(model, 0.6 * rig);
  EXPECT_NEAR(100 * (1 - model / rig), report["removed_percent"].get<double>(), 1);
}

TEST_F(Fit, AMaterialIsRefusedWhereItCannotBeEstimated) {
  const auto refused = [&](int exit_code, const std::vector<std::string>& more, const std::string& words) {
    const Outcome run = sinew(std::vector<std::string>{"fit", sample_file("tube.glb"), "--material"} + more);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(file("found.json")));
  };
  const std::vector<std::string> output{"-o", file("found.json")};
  std::ofstream(file("markers.csv")) << "name,time,x,y,z\nbelly,0,0,0.5,0.1\nbelly,0.1,0,0.5\n";
  refused(3, output + std::vector<std::string>{"--example", file("markers.csv")}, "line 3 must have five fields");
  refused(3, output + std::vector<std::string>{"--example", sample_file("tube.glb")}, "livelier clip");
  refused(2, output, "--example");
  refused(2, output + std::vector<std::string>{"--simulate"}, "--simulate: has no meaning with --material");
  refused(2, output + std::vector<std::string>{"--example", file("markers.csv"), "--modes", "3"}, "--modes");
  refused(2, {"-o", file("found.sinew"), "--example", file("markers.csv")}, ".json");
}

TEST_F(Fit, ChoosesItsSmoothnessByLeavingFramesOut) {
  ASSERT_EQ(
      fit("tube.sinew", soft + std::vector<std::string>{"--simulate", "--cross-validate", "--report", file("fit.json")})
          .exit_code,
      0);
  const nlohmann::json report = nlohmann::json::parse(contents(file("fit.json")));
  ASSERT_GT(report["cross_validation"].size(), 2u);
  double least = 1e9, chosen = -1;
  for (const nlohmann::json& trial : report["cross_validation"])
    if (trial["unseen_left_percent"] < least) {
      least = trial["unseen_left_percent"];
      chosen = trial["smoothness"];
    }
  EXPECT_EQ(report["smoothness"], chosen);
  EXPECT_LT(least, 100);
  expect(2, {"--simulate", "--cross-validate", "--scheme", "alternating"}, "--cross-validate");
  expect(2, {"--simulate", "--cross-validate", "--checkpoint", file("fit.check")}, "--cross-validate");
  expect(2, soft + std::vector<std::string>{"--simulate", "--cross-validate", "--range", "0", "0.3"}, "longer");
}

TEST_F(Fit, SaysOfExamplesThatHardlyMove) {
  const Outcome run = fit("still.sinew", soft + std::vector<std::string>{"--simulate", "--range", "0", "0.03"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("In 'bend_90' flesh is never farther than"), std::string::npos) << run.out;
}

TEST_F(Fit, SimulatesItsOwnExamples) {
  ASSERT_EQ(animate("flesh.pc2", soft + std::vector<std::string>{"--fps", "60"}).exit_code, 0);
  ASSERT_EQ(fit("cache.sinew", {"--example", file("flesh.pc2"), "--fps", "60"}).exit_code, 0);
  ASSERT_EQ(fit("simulated.sinew", soft + std::vector<std::string>{"--simulate", "--no-exercise"}).exit_code, 0);
  for (const std::string name : {"cache", "simulated"})
    ASSERT_EQ(
        animate(name + ".pc2", {"--method", "surface", "--model", file(name + ".sinew"), "--fps", "60"}).exit_code, 0);
  EXPECT_LT(distance(file("cache.pc2"), file("simulated.pc2")), 0.02);
}

TEST_F(Fit, OneMotionAtAnyFrameRate) {
  ASSERT_EQ(fit("tube.sinew", briefly).exit_code, 0);
  for (const std::string rate : {"30", "60"})
    ASSERT_EQ(animate(rate + ".mdd", {"--method", "surface", "--model", file("tube.sinew"), "--fps", rate}).exit_code,
              0);
  EXPECT_LT(distance(file("30.mdd"), file("60.mdd")), 1e-5);
}

TEST_F(Fit, OneMotionForOtherSteps) {
  ASSERT_EQ(fit("tube.sinew", briefly).exit_code, 0);
  const std::vector<std::string> play{"--method", "surface", "--model", file("tube.sinew"), "--fps", "60"};
  ASSERT_EQ(animate("own.pc2", play).exit_code, 0);
  const double flesh = distance(sample_file("tube.glb"), file("own.pc2"));
  for (const std::string steps : {"90", "120"}) {
    ASSERT_EQ(animate("other.pc2", play + std::vector<std::string>{"--steps", steps}).exit_code, 0);
    EXPECT_LT(distance(file("other.pc2"), file("own.pc2")), 0.2 * flesh) << steps;
  }
  const Outcome wrong = animate("wrong.pc2", play + std::vector<std::string>{"--steps", "5"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("--steps"), std::string::npos) << wrong.err;
}

TEST_F(Fit, TheSameModelForAnyNumberOfThreads) {
  ASSERT_EQ(fit("one.sinew", soft + std::vector<std::string>{"--simulate", "--threads", "1"}).exit_code, 0);
  ASSERT_EQ(fit("two.sinew", soft + std::vector<std::string>{"--simulate", "--threads", "2"}).exit_code, 0);
  EXPECT_EQ(contents(file("one.sinew")), contents(file("two.sinew")));
}

TEST_F(Fit, ParametersAreShownPaintedAndTakenBack) {
  ASSERT_EQ(
      fit("tube.sinew", briefly + std::vector<std::string>{"--isotropic", "--bound", "0", "--show",
                                                           file("parameters.png"), "--paint", file("painted.glb")})
          .exit_code,
      0);
  EXPECT_EQ(files(), (std::vector<std::string>{"painted.glb", "parameters.png", "tube.sinew"}));
  const Outcome again = sinew({"fit", file("painted.glb"), "-o", file("again.sinew")});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.out.find("painted"), std::string::npos);
  for (const std::string name : {"tube", "again"})
    ASSERT_EQ(
        animate(name + ".pc2", {"--method", "surface", "--model", file(name + ".sinew"), "--fps", "60"}).exit_code, 0);
  EXPECT_LT(distance(file("tube.pc2"), file("again.pc2")), 1e-4);
}

TEST_F(Fit, SaysWhatIsWrong) {
  expect(2, {}, "--simulate");
  expect(2, {"--simulate", "--example", "x.pc2"}, "--simulate");
  expect(2, {"--simulate", "--clip", "no such"}, "no such");
  expect(3, {"--example", file("nothing.pc2")}, "nothing.pc2");
  expect(2, {"--example", sample_file("sumo.glb")}, "vertices");
  expect(2, {"--simulate", "--scheme", "magic"}, "magic");
  expect(2, {"--simulate", "--steps", "1"}, "--steps");
  expect(2, {"--simulate", "--range", "1", "0"}, "range");
  EXPECT_EQ(fit("model.txt", {"--simulate"}).exit_code, 2);
}

TEST_F(Fit, AModelOfAnotherCharacterIsRefused) {
  ASSERT_EQ(fit("tube.sinew", briefly).exit_code, 0);
  const Outcome other = sinew({"animate", sample_file("elephant.glb"), "-o", file("out.glb"), "--method", "surface",
                               "--model", file("tube.sinew")});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_NE(other.err.find("another character"), std::string::npos) << other.err;
  EXPECT_EQ(animate("out.glb", {"--method", "surface"}).exit_code, 2);
  EXPECT_EQ(animate("out.glb", {"--method", "surface", "--model", sample_file("tube.glb")}).exit_code, 3);
  EXPECT_EQ(animate("out.glb", {"--method", "surface", "--model", file("tube.sinew"), "--young", "1e4"}).exit_code, 2);
  EXPECT_EQ(animate("out.glb", {"--model", file("tube.sinew")}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(file("out.glb")));
}

}  // namespace
}  // namespace sinew::test
