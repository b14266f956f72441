// sinew animate --lattice: from a lattice that `sinew lattice` wrote to moving flesh, and the sentences where it
// cannot.
#include <functional>
#include <nlohmann/json.hpp>

#include "program.h"

namespace sinew::test {
namespace {

class AnimateInLattice : public ProgramTest {
 protected:
  // A lattice of the sample, as the verb writes it.
  std::string lattice_of(const std::string& name, int cells) const {
    const std::string path = file(name + ".json");
    const Outcome built =
        sinew({"lattice", sample_file(name + ".glb"), "-o", path, "--cells", std::to_string(cells), "--quiet"});
    EXPECT_EQ(built.exit_code, 0) << built.err;
    return path;
  }

  std::vector<std::string> short_run(const std::string& name, const std::string& output,
                                     const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{
        "animate", sample_file(name + ".glb"), "-o", output, "--range", "0", "0.2", "--tetrahedra", "1500", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  void expect_run(const std::vector<std::string>& arguments) const {
    const Outcome outcome = sinew(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
  }

  void edit(const std::string& path, const std::function<void(nlohmann::json&)>& change) const {
    nlohmann::json json = nlohmann::json::parse(contents(path));
    change(json);
    write_text(path, json.dump());
  }
};

TEST_F(AnimateInLattice, AutoIsTheFileOfTheVerb) {
  for (const char* name : {"tube", "sumo"}) {
    const std::string lattice = lattice_of(name, 150);
    expect_run(short_run(name, file("file.mdd"), {"--lattice", lattice, "--report", file("run.json")}));
    expect_run(short_run(name, file("auto.mdd"), {"--lattice", "auto", "--lattice-cells", "150"}));
    EXPECT_EQ(contents(file("file.mdd")), contents(file("auto.mdd"))) << name;
    const nlohmann::json report = nlohmann::json::parse(contents(file("run.json")));
    const int unknowns = report["counts"]["free_unknowns"];
    EXPECT_EQ(unknowns % 3, 0);
    EXPECT_GT(unknowns, 60);
    EXPECT_LT(unknowns, 600);
  }
}

// Tetrahedra cannot do it: then a lattice is built without being asked for, and that is said.
TEST_F(AnimateInLattice, WhatOnlyALatticeCanDoBringsOne) {
  const std::vector<std::string> asked{"--levels", "2", "--lattice-cells", "100"};
  std::vector<std::string> named = asked, unnamed = asked;
  named.insert(named.end(), {"--lattice", "auto"});
  unnamed.insert(unnamed.end(), {"--report", file("run.json")});
  ASSERT_EQ(sinew(short_run("tube", file("unnamed.mdd"), unnamed)).exit_code, 0);
  expect_run(short_run("tube", file("named.mdd"), named));
  EXPECT_EQ(contents(file("unnamed.mdd")), contents(file("named.mdd")));
  EXPECT_NE(contents(file("run.json")).find("which does better what `levels` asks for"), std::string::npos);
  expect_run(short_run("tube", file("usual.mdd"), {"--report", file("usual.json")}));
  EXPECT_EQ(contents(file("usual.json")).find("control lattice"), std::string::npos);
}

TEST_F(AnimateInLattice, ThreadsFramesAndMorphTargets) {
  const std::string lattice = lattice_of("tube", 100);
  const std::vector<std::string> adaptive{"--lattice", lattice, "--reference", "elastic",
                                          "--levels",  "2",     "--adapt",     "0.05"};
  std::string first;
  for (const char* threads : {"1", "2", "4"}) {
    std::vector<std::string> more = adaptive;
    more.insert(more.end(), {"--threads", threads});
    expect_run(short_run("tube", file("threads.mdd"), more));
    if (first.empty()) first = contents(file("threads.mdd"));
    EXPECT_EQ(contents(file("threads.mdd")), first) << threads;
  }
  // Frames of one motion: a finer rate meets the coarser one's frames.
  std::vector<std::string> film = adaptive, smooth = adaptive;
  film.insert(film.end(), {"--fps", "20"});
  smooth.insert(smooth.end(), {"--fps", "60"});
  expect_run(short_run("tube", file("film.mdd"), film));
  expect_run(short_run("tube", file("smooth.mdd"), smooth));
  const Outcome compared = sinew({"compare", file("film.mdd"), file("smooth.mdd"), "--json"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  const nlohmann::json difference = nlohmann::json::parse(compared.out);
  EXPECT_GE(difference["frames"].size(), 5u);
  EXPECT_EQ(difference["max_metres"], 0);
  // Lumped mass is another motion.
  expect_run(short_run("tube", file("lumped.mdd"), {"--lattice", lattice, "--levels", "2", "--mass", "lumped"}));
  expect_run(short_run("tube", file("consistent.mdd"), {"--lattice", lattice, "--levels", "2"}));
  EXPECT_NE(contents(file("lumped.mdd")), contents(file("consistent.mdd")));
  // The default form, whose targets every viewer plays.
  expect_run(short_run("tube", file("flesh.glb"), {"--lattice", lattice, "--basis", "mlca"}));
  EXPECT_EQ(sinew({"check", file("flesh.glb")}).exit_code, 0);
}

TEST_F(AnimateInLattice, RealTime) {
  const std::string lattice = lattice_of("tube", 100);
  expect_run(short_run("tube", file("played.mdd"),
                       {"--lattice", lattice, "--real-time", "0.5", "--report", file("run.json")}));
  expect_run(short_run("tube", file("whole.mdd"), {"--lattice", lattice, "--real-time"}));
  const nlohmann::json report = nlohmann::json::parse(contents(file("run.json"))),
                       &played = report["clips"][0]["real_time"];
  EXPECT_EQ(played["speed"], 0.5);
  // However busy the machine is: simulated time never leads the clock.
  const double seconds = played["seconds"], simulated = played["simulated_seconds"], behind = played["seconds_behind"];
  EXPECT_GE(seconds, 0.39);
  EXPECT_LE(simulated + behind, 0.5 * seconds + 1e-6);
  EXPECT_GE(simulated, 0.2 - 1e-6);
  EXPECT_EQ(report["clips"][0]["frames"].size(), 7u);
  double covered = 0;
  for (const nlohmann::json& steps : played["steps"])
    covered += steps["step"].get<double>() * steps["count"].get<int>();
  EXPECT_NEAR(covered, simulated, 1e-9);

  const auto expect = [&](const std::string& words, const std::vector<std::string>& more) {
    expect_failure(short_run("tube", file("out.mdd"), more), 2, words);
  };
  expect("'fast' is not a speed", {"--real-time", "fast", "--lattice", lattice});
  expect("speed", {"--real-time", "0", "--lattice", lattice});
  expect("--loop", {"--real-time", "--lattice", lattice, "--loop"});
  expect("checkpoint", {"--real-time", "--lattice", lattice, "--checkpoint", file("state.bin")});
  expect_run(short_run("tube", file("any.mdd"), {"--real-time", "--method", "mixed", "--report", file("any.json")}));
  EXPECT_EQ(nlohmann::json::parse(contents(file("any.json")))["clips"][0]["real_time"]["steps"].size(), 1u);
}

// What a take does acts at its times at the clock's pace too: with steps of one length, in the same bytes.
TEST_F(AnimateInLattice, ATakeInRealTimeIsTheTake) {
  write_text(file("take.json"), R"({"take": 1, "actions": [
    {"elapsed": 0.05, "do": "gravity", "gravity": [9, -9.81, 0]},
    {"elapsed": 0.15, "do": "gravity", "gravity": [-9, -9.81, 0]}]})");
  const auto run = [&](const std::string& output, std::vector<std::string> more) {
    more.insert(more.begin(), {"animate", sample_file("tube.glb"), "-o", file(output), "--range", "0", "0.3",
                               "--method", "springs", "--swing", "upper", "--fall", "1", "--quiet"});
    expect_run(more);
    return contents(file(output));
  };
  const std::string calm = run("calm.mdd", {}), taken = run("taken.mdd", {"--take", file("take.json")});
  EXPECT_NE(calm, taken);
  EXPECT_EQ(run("played.mdd", {"--take", file("take.json"), "--real-time", "2"}), taken);
  // Flesh in a lattice, with steps as long as the machine needs.
  write_text(file("grab.json"), R"({"take": 1, "actions": [
    {"elapsed": 0.05, "do": "grab", "name": "hand", "point": [0.12, 0.8, 0], "target": [0.3, 0.8, 0]}]})");
  const std::vector<std::string> live{"--lattice", lattice_of("tube", 100), "--real-time"};
  std::vector<std::string> held = live;
  held.insert(held.end(), {"--take", file("grab.json")});
  expect_run(short_run("tube", file("held.mdd"), held));
  expect_run(short_run("tube", file("free.mdd"), live));
  const Outcome compared = sinew({"compare", file("held.mdd"), file("free.mdd"), "--json"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_GT(nlohmann::json::parse(compared.out)["max_metres"], 0.1);
}

TEST_F(AnimateInLattice, Failures) {
  const std::string lattice = lattice_of("tube", 100), good = contents(lattice), output = file("out.mdd");
  const auto expect = [&](int exit_code, const std::string& words, const std::vector<std::string>& more) {
    expect_failure(short_run("tube", output, more), exit_code, words);
  };
  const auto expect_bad = [&](const std::string& words, const std::function<void(nlohmann::json&)>& change) {
    write_text(lattice, good);
    edit(lattice, change);
    expect(3, words, {"--lattice", lattice});
  };
  expect_bad("vertex ", [](nlohmann::json& json) {
    for (auto& p : json["positions"])
      for (auto& x : p) x = 0.7 * x.get<double>();
  });
  expect_bad("cell ", [](nlohmann::json& json) {
    for (auto& x : json["positions"][0]) x = x.get<double>() + 0.5;
  });
  expect_bad("no edge", [](nlohmann::json& json) {
    auto& chain = json["bones"][0]["vertices"];
    chain = {chain.front(), chain.back()};
  });
  expect_bad("antenna", [](nlohmann::json& json) { json["bones"][1]["name"] = "antenna"; });
  write_text(lattice, good.substr(0, good.size() / 2));
  expect(3, "tube.json", {"--lattice", lattice});
  expect(3, "nothing.json", {"--lattice", file("nothing.json")});
  write_text(lattice, good);
  expect(2, "basis", {"--lattice", lattice, "--basis", "cubic"});
  expect(2, "linearization", {"--lattice", lattice, "--linearization", "cubic"});
  expect(2, "levels", {"--lattice", lattice, "--levels", "5"});
  expect(2, "mass", {"--lattice", lattice, "--mass", "heavy"});
  expect(2, "mlca", {"--lattice", lattice, "--mass", "lumped", "--basis", "mlca", "--smooth-dynamics"});
  expect(2, "maccracken-joy", {"--lattice", lattice, "--mass", "lumped", "--basis", "maccracken-joy", "--levels", "2"});
  expect(2, "--reference elastic", {"--lattice", lattice, "--linearization", "linear", "--reference", "rig"});
  expect(2, "adapt", {"--lattice", lattice, "--levels", "2", "--adapt", "-1"});
  expect(2, "levels", {"--lattice", lattice, "--adapt", "0.02"});
  expect(2, "levels", {"--lattice", lattice, "--budget", "4ms"});
}

}  // namespace
}  // namespace sinew::test
