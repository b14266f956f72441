// What the program says when it cannot do what it is asked: one sentence, the right exit code, nothing left
// behind (contract, clauses 2 and 7).
#include "program.h"

namespace sinew::test {
namespace {

constexpr int usage = 2, input = 3, simulation = 4;

class Failures : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    std::filesystem::copy_file(sample_file("tube.glb"), file("tube.glb"));
    tube_ = contents(file("tube.glb"));
  }
  void TearDown() override { EXPECT_EQ(contents(file("tube.glb")), tube_) << "the input was harmed"; }

  void expect_animate(const std::vector<std::string>& options, const std::string& words) const {
    std::vector<std::string> arguments{"animate", file("tube.glb"), "-o", file("out.glb")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_failure(arguments, usage, words);
  }

 private:
  std::string tube_;
};

TEST_F(Failures, CommandLine) {
  expect_failure({}, usage, "animate");
  expect_failure({"dance"}, usage, "'dance'");
  expect_failure({"animate"}, usage, "FILE");
  expect_failure({"animate", file("tube.glb")}, usage, "--output");
  expect_animate({"--nonsense"}, "--nonsense");
  expect_animate({"--tetrahedra", "many"}, "--tetrahedra");
  expect_animate({"--range", "0"}, "--range");
}

TEST_F(Failures, Inputs) {
  write_text(file("empty.glb"), "");
  write_text(file("text.glb"), "Once upon a time\n");
  write_text(file("mesh.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  std::filesystem::create_directory(file("folder.glb"));
  for (const char* name : {"empty.glb", "text.glb", "mesh.obj", "folder.glb", "missing.glb"})
    expect_failure({"animate", file(name), "-o", file("out.glb")}, input, file(name));
  for (const char* verb : {"info", "check"}) expect_failure({verb, file("missing.glb")}, input, file("missing.glb"));
  for (const char* verb : {"volume", "flesh"})
    expect_failure({verb, file("text.glb"), "-o", file("body.vtu")}, input, file("text.glb"));
  expect_failure({"compare", file("tube.glb"), file("missing.pc2")}, input, file("missing.pc2"));
  expect_failure({"flesh", file("mesh.obj"), "-o", file("depth.png")}, input, "skin");
}

TEST_F(Failures, Outputs) {
  std::filesystem::create_directory(file("folder.glb"));
  const auto animate_to = [&](const std::string& output) {
    return std::vector<std::string>{"animate", file("tube.glb"), "-o", output};
  };
  expect_failure(animate_to(file("tube.glb")), usage, "input itself");
  expect_failure(animate_to(file("nowhere/out.glb")), usage, "folder does not exist");
  expect_failure(animate_to(file("out.txt")), usage, ".glb");
  expect_failure(animate_to(file("folder.glb")), usage, "is a folder");
  expect_failure(animate_to("/dev/null/out.glb"), usage, "folder does not exist");
  expect_failure(animate_to("/proc/out.glb"), usage, "cannot be written");
  expect_animate({"--report", file("out.glb")}, "two outputs");
  expect_animate({"--preview", file("strip.jpg")}, ".png (a filmstrip) or .webp (an animation)");
  expect_animate({"--preview", file("strip.png"), "--preview-view", "top"}, "three-quarter, front or side");
  expect_animate({"--preview-view", "front"}, "--preview");
  expect_animate({"--heat"}, "--preview");
  expect_animate({"--report", file("nowhere/run.json")}, "folder does not exist");
  expect_failure({"volume", file("tube.glb"), "-o", file("body.stl")}, usage, ".vtu");
  expect_failure({"flesh", file("tube.glb"), "-o", file("depth.gif")}, usage, ".png");
  expect_failure({"settings", file("nowhere/settings.json")}, usage, "cannot be written");
}

TEST_F(Failures, Values) {
  expect_animate({"--fps", "-24"}, "--fps");
  expect_animate({"--fps", "0"}, "--fps");
  expect_animate({"--fps", "nan"}, "--fps");
  expect_animate({"--range", "0.5", "0.1"}, "--range");
  expect_animate({"--range", "0", "nan"}, "--range");
  expect_animate({"--range", "50", "51"}, "2.1 s");
  expect_animate({"--range", "0", "1e9"}, "a day");
  expect_animate({"--tetrahedra", "0"}, "tetrahedra");
  expect_animate({"--young", "-1"}, "young");
  expect_animate({"--poisson", "0.5"}, "poisson");
  expect_animate({"--step", "0"}, "step");
  expect_animate({"--morphs", "-1"}, "--morphs");
  expect_animate({"--morph-error", "-1"}, "--morph-error");
  expect_animate({"--height", "0"}, "--height");
  expect_animate({"--unit", "parsec"}, "parsec");
  expect_animate({"--height", "2", "--unit", "cm"}, "one of them");
  expect_animate({"--threads", "-1"}, "--threads");
}

TEST_F(Failures, SimulationsSayFileClipTimeAndRemedy) {
  const std::vector<std::string> animate{"animate", file("tube.glb"), "-o", file("out.glb"), "--tetrahedra", "300"};
  const auto with = [&](std::vector<std::string> options) {
    options.insert(options.begin(), animate.begin(), animate.end());
    return options;
  };
  expect_failure(with({"--density", "1e-300", "--young", "1e-200"}), simulation,
                 file("tube.glb") + ": the matrix is not positive definite");
  expect_failure(with({"--density", "1e-300", "--young", "1e-200"}), simulation, "; look at --young and --density, ");
  expect_failure(with({"--method", "mixed", "--material", "neo-hookean", "--poisson", "0.49", "--gravity", "--young",
                       "1", "--clip", "bend_135"}),
                 simulation, file("tube.glb") + ": clip 'bend_135': at 0 s: the body found no equilibrium");
}

TEST_F(Failures, Names) {
  expect_animate({"--method", "magic"}, "'magic'");
  expect_animate({"--look", "wobbly"}, "subtle, natural, lively");
  expect_animate({"--reference", "none"}, "rig, elastic");
  expect_animate({"--element", "cube"}, "patch, linear");
  expect_animate({"--gravity-in-rest", "on"}, "pose, bind, off");
  expect_animate({"--clip", "moonwalk"}, "bend_90, bend_135, shake");
  expect_failure({"compare", file("tube.glb"), file("tube.glb"), "--clip", "moonwalk"}, usage,
                 "--clip 'moonwalk': " + file("tube.glb") + " has no such clip; it has bend_90, bend_135, shake.");
}

TEST_F(Failures, SettingsAndCheckpoints) {
  write_text(file("broken.json"), "{");
  write_text(file("unknown.json"), "{\"softness\": 2}");
  write_text(file("wrong.json"), "{\"young\": \"soft\"}");
  write_text(file("checkpoint"), "not one");
  const auto with = [&](const std::string& option, const std::string& name) {
    return std::vector<std::string>{"animate", file("tube.glb"), "-o", file("out.glb"), option, file(name)};
  };
  expect_failure(with("--settings", "missing.json"), input, "missing.json");
  expect_failure(with("--settings", "broken.json"), input, "JSON");
  expect_failure(with("--settings", "unknown.json"), input, "'softness'");
  expect_failure(with("--settings", "wrong.json"), input, "'young'");
  expect_animate({"--resume"}, "--checkpoint");
  expect_failure({"animate", file("tube.glb"), "-o", file("out.glb"), "--checkpoint", file("checkpoint"), "--resume"},
                 input, "checkpoint");
}

TEST_F(Failures, NamesFromFilesCannotDriveTheTerminal) {
  std::string glb = contents(sample_file("tube.glb"));
  const std::size_t at = glb.find("\"bend_90\"");
  ASSERT_NE(at, std::string::npos);
  // In JSON, six characters stand for the one that begins an escape sequence.
  glb.replace(at, 9, "\"\\u001b[A\"");
  // The JSON chunk grew by one byte; take one from another name.
  const std::size_t other = glb.find("\"bend_135\"");
  glb.replace(other, 10, "\"bend_13\"");
  write_text(file("escape.glb"), glb);
  const Outcome info = sinew({"info", file("escape.glb")});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_EQ(info.out.find('\x1b'), std::string::npos);
  EXPECT_NE(info.out.find("\\x1b[A"), std::string::npos) << info.out;
  expect_failure({"animate", file("escape.glb"), "-o", file("out.glb"), "--clip", "none"}, usage, "\\x1b[A, bend_13");
}

}  // namespace
}  // namespace sinew::test
