// What the program does when all is well.
#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <set>

#include "program.h"

namespace sinew::test {
namespace {

class Verbs : public ProgramTest {};

// A clip that takes a second or more, for interruptions.
const std::vector<std::string> long_run{"--range", "0", "30", "--clip", "shake", "--tetrahedra", "3000", "--fps", "24"};

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST_F(Verbs, HelpAndVersion) {
  const Outcome version = sinew({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("sinew ")) << version.out;
  const Outcome help = sinew({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* verb : {"animate", "settings", "info", "check", "flesh", "volume", "lattice", "learn", "fit",
                           "compare", "anatomy", "motion", "rig", "shape", "studio"}) {
    EXPECT_NE(help.out.find(verb), std::string::npos) << verb;
    const Outcome own = sinew({verb, "--help"});
    EXPECT_EQ(own.exit_code, 0) << verb;
    EXPECT_NE(own.out.find(std::string("Usage: sinew ") + verb), std::string::npos) << own.out;
  }
}

// docs/command_line.md lists every verb, and with the tables of docs/settings.md every option that the program has, and
// none that it has not.
TEST_F(Verbs, EveryOptionIsDocumented) {
  const std::string page = contents(std::string(SINEW_SOURCE_DIR) + "/docs/command_line.md");
  ASSERT_FALSE(page.empty());
  const std::set<std::string> documented =
      options_named_in(page + contents(std::string(SINEW_SOURCE_DIR) + "/docs/settings.md"));
  std::set<std::string> known = options_named_in(sinew({"--help"}).out + "--help");
  for (const char* verb : {"animate", "settings", "info", "check", "flesh", "volume", "lattice", "learn", "fit",
                           "compare", "anatomy", "motion", "rig", "shape", "studio"}) {
    EXPECT_NE(page.find(std::string("## sinew ") + verb), std::string::npos) << verb;
    for (const std::string& option : options_named_in(sinew({verb, "--help-all"}).out)) {
      EXPECT_TRUE(documented.count(option)) << verb << ' ' << option;
      known.insert(option);
    }
  }
  for (const std::string& option : documented) EXPECT_TRUE(known.count(option)) << option;
}

TEST_F(Verbs, AnimateWritesWhatIsAskedForAndTellsHowFarItIs) {
  const Outcome run = sinew({"animate", sample_file("tube.glb"), "-o", file("out.glb"), "--preview", file("strip.png"),
                             "--report", file("run.json"), "--tetrahedra", "1000"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(files(), (std::vector<std::string>{"out.glb", "run.json", "strip.png"}));
  const std::vector<std::string> progress = lines(run.err);
  ASSERT_GT(progress.size(), 5u);
  EXPECT_EQ(progress.front(), "  0 %  reading tube.glb");
  EXPECT_EQ(progress.back(), "100 %  done");
  int last = 0;
  for (const std::string& line : progress) {
    const int percent = std::stoi(line);
    EXPECT_GE(percent, last) << run.err;
    last = percent;
  }
  EXPECT_NE(run.out.find("tetrahedra"), std::string::npos);
  const nlohmann::json report = nlohmann::json::parse(contents(file("run.json")));
  EXPECT_EQ(report["clips"][0]["name"], "bend_90");
  EXPECT_EQ(report["clips"][0]["frames"].size(), 64u);  // 2.1 s at 30 frames per second, both ends
}

TEST_F(Verbs, AnimateDrawsAnAnimation) {
  const Outcome run =
      sinew({"animate", sample_file("tube.glb"), "-o", file("out.glb"), "--preview", file("tube.webp"),
             "--preview-view", "side", "--heat", "--range", "0", "0.3", "--tetrahedra", "500", "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(files(), (std::vector<std::string>{"out.glb", "tube.webp"}));
  const std::string animation = contents(file("tube.webp"));
  EXPECT_EQ(animation.substr(0, 4) + animation.substr(8, 4), "RIFFWEBP");
  EXPECT_NE(animation.find("ANMF"), std::string::npos);
}

TEST_F(Verbs, QuietSaysNothing) {
  const Outcome run = sinew({"animate", sample_file("tube.glb"), "-o", file("out.pc2"), "--range", "0", "0.2",
                             "--tetrahedra", "500", "--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out + run.err, "");
  EXPECT_EQ(files(), std::vector<std::string>{"out.pc2"});
}

TEST_F(Verbs, ASettingsFileIsTheSameAsItsOptions) {
  const std::vector<std::string> flesh{"--look",    "lively", "--reference", "elastic", "--tetrahedra", "700",
                                       "--poisson", "0.4",    "--density",   "950",     "--damping",    "0.07",
                                       "--core",    "0.43",   "--step",      "0.003",   "--ground",     "-0.1",
                                       "--preroll", "0.1",    "--limit",     "0.31",    "--warping",    "vertex"};
  ASSERT_EQ(sinew(joined({"settings", file("flesh.json")}, flesh)).exit_code, 0);
  const std::vector<std::string> range{"--clip", "shake", "--range", "0", "0.4"};
  ASSERT_EQ(
      sinew(joined(joined({"animate", sample_file("tube.glb"), "-o", file("options.glb")}, range), flesh)).exit_code,
      0);
  ASSERT_EQ(sinew(joined({"animate", sample_file("tube.glb"), "-o", file("file.glb"), "--settings", file("flesh.json")},
                         range))
                .exit_code,
            0);
  ASSERT_EQ(sinew(joined({"animate", sample_file("tube.glb"), "-o", file("default.glb")}, range)).exit_code, 0);
  EXPECT_EQ(contents(file("options.glb")), contents(file("file.glb")));
  EXPECT_NE(contents(file("options.glb")), contents(file("default.glb")));
  // A single option goes over the file, and what comes out reads in again unchanged.
  ASSERT_EQ(sinew({"settings", file("again.json"), "--settings", file("flesh.json")}).exit_code, 0);
  EXPECT_EQ(contents(file("flesh.json")), contents(file("again.json")));
  const Outcome over = sinew({"settings", "-", "--settings", file("flesh.json"), "--look", "subtle"});
  EXPECT_EQ(nlohmann::json::parse(over.out)["look"], "subtle");
  EXPECT_EQ(nlohmann::json::parse(over.out)["poisson"], 0.4);
}

TEST_F(Verbs, InterruptedRunsLeaveNothing) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Outcome run = sinew(
        joined({"animate", sample_file("tube.glb"), "-o", file("out.glb"), "--preview", file("strip.png")}, long_run),
        "simulating", signal);
    EXPECT_EQ(run.exit_code, 128 + signal) << run.err;
    EXPECT_TRUE(files().empty());
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lines(run.err).back(), "sinew: stopped on request; no result was written.");
  }
}

TEST_F(Verbs, PreparationIsInterruptedToo) {
  const std::vector<std::string> large{sample_file("sumo.glb"), "--tetrahedra", "60000"};
  const std::vector<std::pair<std::vector<std::string>, std::string>> runs{
      {{"animate", "-o", file("out.glb"), "--checkpoint", file("checkpoint")}, "filling"},
      {{"animate", "-o", file("out.glb"), "--checkpoint", file("checkpoint")}, "binding"},
      {{"flesh", "-o", file("depth.csv")}, "binding"},
      {{"volume", "-o", file("body.vtu")}, "filling"},
  };
  for (const auto& [command, stage] : runs) {
    const Outcome run = sinew(joined(command, large), stage);
    EXPECT_EQ(run.exit_code, 130) << command[0] << ": " << run.err;
    EXPECT_TRUE(files().empty()) << command[0];
    EXPECT_EQ(run.out, "") << command[0];
    EXPECT_EQ(lines(run.err).back(), "sinew: stopped on request; no result was written.");
    EXPECT_EQ(run.err.find("cooking"), std::string::npos) << command[0] << " went on: " << run.err;
  }
}

TEST_F(Verbs, ResumedRunsAreTheSame) {
  const std::vector<std::string> command = joined({"animate", sample_file("tube.glb")}, long_run);
  const std::vector<std::string> resumable =
      joined(command, {"-o", file("resumed.glb"), "--checkpoint", file("checkpoint"), "--resume"});
  ASSERT_EQ(sinew(joined(command, {"-o", file("whole.glb")})).exit_code, 0);
  const Outcome stopped = sinew(resumable, " 20 %  simulating");
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_EQ(files(), (std::vector<std::string>{"checkpoint", "whole.glb"}));
  const Outcome resumed = sinew(resumable);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.err.find(" 10 %  simulating"), std::string::npos) << "it began anew";
  EXPECT_TRUE(contents(file("resumed.glb")) == contents(file("whole.glb")));
  // The checkpoint of one run is refused by another.
  const Outcome other = sinew(joined(resumable, {"--damping", "0.3"}));
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_NE(other.err.find("another character, clip or settings"), std::string::npos) << other.err;
}

TEST_F(Verbs, FleshShowsDepthAndBody) {
  for (const char* name : {"depth.png", "depth.csv", "body.vtu", "body.msh", "body.mesh"}) {
    const Outcome run = sinew({"flesh", sample_file("sumo.glb"), "-o", file(name), "--tetrahedra", "3000"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_GT(std::filesystem::file_size(file(name)), 10'000u) << name;
  }
  const std::string body = contents(file("body.vtu"));
  for (const char* array : {"component", "core", "bone_proximity", "thickness", "young", "inside_fraction"})
    EXPECT_NE(body.find("Name=\"" + std::string(array) + "\""), std::string::npos) << array;
  // One line per skinned vertex of the file, with depths that a body of this height can have.
  const nlohmann::json info = nlohmann::json::parse(sinew({"info", sample_file("sumo.glb"), "--json"}).out);
  std::size_t vertices = 0;
  for (const auto& part : info["parts"])
    if (!part["skin"].is_null()) vertices += part["vertices"].get<std::size_t>();
  const std::vector<std::string> table = lines(contents(file("depth.csv")));
  ASSERT_EQ(table.size(), vertices + 1);
  EXPECT_EQ(table[0], "node,mesh,primitive,vertex,x,y,z,depth");
  double deepest = 0;
  for (std::size_t i = 1; i < table.size(); ++i) {
    const double depth = std::stod(table[i].substr(table[i].rfind(',') + 1));
    ASSERT_GE(depth, 0);
    deepest = std::max(deepest, depth);
  }
  EXPECT_GT(deepest, 0.05);
  EXPECT_LT(deepest, 1.0);
}

TEST_F(Verbs, CheckAndInfoSpeakJson) {
  for (const char* sample : {"tube.glb", "sumo.glb", "elephant.glb"}) {
    const Outcome check = sinew({"check", sample_file(sample), "--json"});
    EXPECT_EQ(check.exit_code, 0);
    const nlohmann::json json = nlohmann::json::parse(check.out);
    EXPECT_TRUE(json["usable"]) << sample;
    for (const char* about : {"size", "anatomy", "loops", "amount"})
      EXPECT_TRUE(json["decisions"].contains(about)) << sample;
  }
  write_text(file("text.glb"), "no character");
  const Outcome broken = sinew({"check", file("text.glb"), "--json"});
  EXPECT_EQ(broken.exit_code, 3);
  EXPECT_FALSE(nlohmann::json::parse(broken.out)["usable"]);
}

TEST_F(Verbs, CompareFindsTheMorphTargetsWithinTheirError) {
  const std::vector<std::string> run{"animate", sample_file("tube.glb"), "--clip", "shake", "--tetrahedra", "1000"};
  ASSERT_EQ(sinew(joined(run, {"-o", file("flesh.glb"), "--report", file("run.json")})).exit_code, 0);
  ASSERT_EQ(sinew(joined(run, {"-o", file("flesh.mdd")})).exit_code, 0);
  const double promised =
      nlohmann::json::parse(contents(file("run.json")))["morph_fit"]["max_percent_of_height"].get<double>();
  const Outcome compare = sinew({"compare", file("flesh.glb"), file("flesh.mdd"), "--clip", "shake", "--json"});
  ASSERT_EQ(compare.exit_code, 0) << compare.err;
  const nlohmann::json difference = nlohmann::json::parse(compare.out);
  EXPECT_GT(difference["frames"].size(), 10u);
  EXPECT_LE(difference["max_percent_of_height"].get<double>(), promised + 1e-3);
}

TEST_F(Verbs, CompareAnswersFirst) {
  const std::vector<std::string> run{"animate", sample_file("tube.glb"), "--clip", "SHAKE", "--tetrahedra", "500",
                                     "--quiet"};
  ASSERT_EQ(sinew(joined(run, {"-o", file("flesh.mdd")})).exit_code, 0);
  const Outcome same = sinew({"compare", file("flesh.mdd"), file("flesh.mdd")});
  EXPECT_TRUE(same.out.starts_with("A and B are the same in all 109 frames.")) << same.out;
  const std::vector<std::string> compare{"compare", sample_file("tube.glb"), file("flesh.mdd"), "--clip", "Shake"};
  const Outcome answer = sinew(compare);
  EXPECT_TRUE(answer.out.starts_with("A and B are apart by ")) << answer.out;
  EXPECT_EQ(lines(answer.out).size(), 2u) << answer.out;
  EXPECT_EQ(lines(sinew(joined(compare, {"--frames"})).out).size(), 2u + 1 + 109);
}

TEST_F(Verbs, FleshIsQuietAndNoDeeperThanTheBody) {
  const Outcome quiet =
      sinew({"flesh", sample_file("tube.glb"), "-o", file("depth.csv"), "--tetrahedra", "500", "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_EQ(files(), std::vector<std::string>{"depth.csv"});
}

TEST_F(Verbs, InfoListsJointsWithTheirKeys) {
  const Outcome info = sinew({"info", sample_file("sumo.glb")});
  EXPECT_NE(info.out.find("  belly: no keys\n"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("  spine: keys of rotation in all clips\n"), std::string::npos) << info.out;
  const nlohmann::json json = nlohmann::json::parse(sinew({"info", sample_file("sumo.glb"), "--json"}).out);
  const auto spine = std::find_if(json["joints"].begin(), json["joints"].end(),
                                  [](const nlohmann::json& joint) { return joint["name"] == "spine"; });
  ASSERT_NE(spine, json["joints"].end());
  EXPECT_EQ((*spine)["keys"]["rotation"], nlohmann::json({"stomp", "run_jump", "head_shake"}));
}

// What `check` accepts, `animate` animates; what one refuses, so does the other.
TEST_F(Verbs, CheckRanksAndAgreesWithAnimate) {
  const Outcome good = sinew({"check", sample_file("elephant.glb")});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_NE(good.out.find("Fine:\n- part without skin"), std::string::npos) << good.out;
  EXPECT_NE(good.out.find("Must be mended: nothing.\nWas decided:\n- size: The character is 2.56 m high.\n- anatomy: "),
            std::string::npos)
      << good.out;
  for (const char* about : {"\n- loops: ", "\n- amount: the flesh swings at "})
    EXPECT_NE(good.out.find(about), std::string::npos) << good.out;
  EXPECT_NE(good.out.find("Sinew can animate this file."), std::string::npos) << good.out;
  write_text(file("mesh.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  const Outcome bare = sinew({"check", file("mesh.obj")});
  EXPECT_EQ(bare.exit_code, 3) << bare.out;
  EXPECT_NE(bare.out.find("Must be mended:\n- not to be animated"), std::string::npos) << bare.out;
  EXPECT_EQ(sinew({"animate", file("mesh.obj"), "-o", file("out.glb")}).exit_code, 3);
  const nlohmann::json json = nlohmann::json::parse(sinew({"check", file("mesh.obj"), "--json"}).out);
  EXPECT_FALSE(json["usable"]);
  EXPECT_EQ(json["defects"][0]["rank"], "must be mended");
}

TEST_F(Verbs, ALatticeIsCountedInCells) {
  const Outcome run = sinew({"animate", sample_file("tube.glb"), "-o", file("out.pc2"), "--range", "0", "0.1",
                             "--lattice", "auto", "--lattice-cells", "60", "--tetrahedra", "1000"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find(" cells"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find(" tetrahedra,"), std::string::npos) << run.out;
}

TEST_F(Verbs, StillnessIsExplainedWithWhatCanBeTried) {
  const Outcome run = sinew({"animate", sample_file("tube.glb"), "-o", file("out.glb"), "--clip", "shake", "--range",
                             "0", "0", "--tetrahedra", "500"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("The character does not move in the played part of clip 'shake', so its flesh does not move "
                         "either; choose another with --clip (bend_90, bend_135)."),
            std::string::npos)
      << run.out;
}

}  // namespace
}  // namespace sinew::test
