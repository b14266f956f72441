// The method `rigspace` as a user meets it: from a character and controls to curves on these controls.
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "program.h"
#include "sinew/bake/output/compare.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate/track.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

class RigSpace : public ProgramTest {
 protected:
  const std::string sumo = sample_file("rigs/sumo.glb"), elephant = sample_file("rigs/elephant.glb");

  // Few controls, few elements, a third of a second of stomping.
  std::vector<std::string> run(const std::string& output, const std::vector<std::string>& more = {},
                               const std::string& free = "belly_upper*") const {
    std::vector<std::string> arguments{"animate", sumo,      "--method", "rigspace",  "--free", free,
                                       "--clip",  "stomp",   "--range",  "0.8",       "1.2",    "--tetrahedra",
                                       "600",     "--quiet", "-o",       file(output)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  void expect_run(const std::vector<std::string>& arguments) const {
    const Outcome outcome = sinew(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
  }
  // A rig outside, of the boundary as it stands moved by two controls; `body` of the function that answers with `s`.
  std::string outside(const std::string& parameters, const std::string& body) const {
    write_text(file("rig.py"), R"(
import json, math, sys
hello = json.loads(sys.stdin.buffer.readline())
rest = hello["positions"]
def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
send({"protocol": "sinew-rig", "version": 1, "name": "clay", "vertices": len(rest), "parameters": )" +
                                   parameters + R"(})
asked = 0
def surface(p):
    global asked
    asked += 1
    s = []
    for x, y, z in rest:
)" + body + R"(
    return s
for line in sys.stdin:
    message = json.loads(line)
    answer = [surface(p) for p in message["evaluate"]]
    failed = [a for a in answer if isinstance(a, str)]
    send({"error": failed[0]} if failed else {"id": message["id"], "surfaces": answer})
)");
    write_text(file("rig.json"), R"({"command": ["python3", "rig.py"]})");
    return file("rig.json");
  }
  void expect_bad_rig(const std::string& parameters, const std::string& body, const std::string& words) const {
    const std::string rig = outside(parameters, body);
    expect_failure(run("out.mdd", {"--rig", rig}, "*"), 3, words);
  }
};

constexpr const char* two_parameters = R"([{"name": "lean"}, {"name": "grow"}])";

Json json_of(const std::string& path) { return *read_gltf_document(path).json; }

std::string binary_of(const std::string& glb) {
  const auto word = [&](std::size_t at) {
    std::size_t value = 0;
    for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(glb[at + k]);
    return value;
  };
  const std::size_t text = word(12);
  return glb.substr(20 + text + 8, word(20 + text));
}

bool begins_with(const Json& whole, const Json& begin) {
  return whole.size() >= begin.size() && std::equal(begin.begin(), begin.end(), whole.begin());
}

// The channels of both clips: new ones in place of old ones on the same.
Clip together(const Clip& keyed, const Clip& flesh) {
  Clip both = flesh;
  for (const Channel& channel : keyed.channels)
    if (std::none_of(flesh.channels.begin(), flesh.channels.end(),
                     [&](const Channel& other) { return other.joint == channel.joint && other.path == channel.path; }))
      both.channels.push_back(channel);
  return both;
}

const Clip& clip_named(const Character& character, const std::string& name) {
  for (const Clip& clip : character.clips)
    if (clip.name == name) return clip;
  ADD_FAILURE() << "no clip " << name;
  return character.clips.front();
}

// Root mean square and largest distance, as shares of the height, of both clips played together from the point cache of
// the same run.
TrackDifference against_cache(const std::string& glb, const std::string& cache, const std::string& clip) {
  const Character character = read_character(glb);
  const Clip both = together(clip_named(character, clip), clip_named(character, clip + ".flesh"));
  const Track recorded = read_track(cache, {}), played = character_track(character, &both);
  TrackDifference difference = compare(recorded, played, recorded.times);
  EXPECT_GE(difference.frames.size(), 10u);
  difference.max /= played.height;
  difference.rms /= played.height;
  return difference;
}

int keys_of(const Clip& clip) {
  int keys = 0;
  for (const Channel& channel : clip.channels) keys += static_cast<int>(channel.times.size());
  return keys;
}

// What the output adds is an animation of free nodes; all else of the file is there as it was, its bytes too.
TEST_F(RigSpace, TheFileGetsAClipOfItsOwn) {
  expect_run(run("out.glb"));
  EXPECT_EQ(files(), std::vector<std::string>{"out.glb"});
  const Json before = json_of(sumo), after = json_of(file("out.glb"));
  for (const auto& [key, value] : before.items()) {
    if (key == "buffers") continue;
    if (key == "accessors" || key == "bufferViews" || key == "animations")
      EXPECT_TRUE(begins_with(after[key], value)) << key;
    else
      EXPECT_EQ(after[key], value) << key;
  }
  EXPECT_EQ(after.size(), before.size());
  ASSERT_EQ(after["animations"].size(), before["animations"].size() + 1);
  const std::string old_bytes = binary_of(contents(sumo)), new_bytes = binary_of(contents(file("out.glb")));
  const std::size_t length = before["buffers"][0]["byteLength"];
  EXPECT_EQ(new_bytes.substr(0, length), old_bytes.substr(0, length));

  const Json& added = after["animations"].back();
  EXPECT_EQ(added["name"], "stomp.flesh");
  std::set<std::string> targets;
  for (const Json& channel : added["channels"]) {
    const Json& target = channel["target"];
    targets.insert(after["nodes"][target["node"].get<std::size_t>()]["name"].get<std::string>() + "." +
                   target["path"].get<std::string>());
    const Json& sampler = added["samplers"][channel["sampler"].get<std::size_t>()];
    const Json& input = after["accessors"][sampler["input"].get<std::size_t>()];
    EXPECT_NEAR(input["min"][0].get<double>(), 0.8, 1e-6);
    EXPECT_NEAR(input["max"][0].get<double>(), 1.2, 1e-6);
  }
  EXPECT_EQ(targets, (std::set<std::string>{"belly_upper.rotation", "belly_upper.translation", "belly_upper_l.rotation",
                                            "belly_upper_l.translation", "belly_upper_r.rotation",
                                            "belly_upper_r.translation"}));
}

// Both clips together are the surface that was recorded, to the error that keys may have; fewer keys are further off.
TEST_F(RigSpace, CurvesGiveTheRecordedSurface) {
  expect_run(run("out.pc2"));
  int last_keys = 0;
  for (const char* bound : {"4e-3", "1e-3", "0"}) {
    expect_run(run("out.glb", {"--key-error", bound}));
    const TrackDifference difference = against_cache(file("out.glb"), file("out.pc2"), "stomp");
    // Single precision of the cache and of keys: some micrometres.
    EXPECT_LT(difference.max, std::stod(bound) + 5e-6) << bound;
    const Character character = read_character(file("out.glb"));
    const int keys = keys_of(clip_named(character, "stomp.flesh"));
    EXPECT_GT(keys, last_keys) << bound;
    last_keys = keys;
    if (std::stod(bound) == 0) {
      EXPECT_EQ(keys, 13 * 6);
    }
  }
  // It moves: the keyed clip alone is another surface.
  const Character character = read_character(sumo);
  const Track recorded = read_track(file("out.pc2"), {}),
              keyed = character_track(character, &clip_named(character, "stomp"));
  EXPECT_GT(compare(recorded, keyed, recorded.times).max, 5e-3);
}

// A file whose goal is not linear blending plays it by linear blending and morph targets, which hold the difference.
TEST_F(RigSpace, FilesOfDualQuaternionsShowTheirGoal) {
  expect_run(run("out.pc2", {"--skinning", "dualquat"}));
  expect_run(run("out.glb", {"--skinning", "dualquat", "--key-error", "0", "--morph-error", "1e-4"}));
  const TrackDifference shown = against_cache(file("out.glb"), file("out.pc2"), "stomp");
  EXPECT_LT(shown.rms, 2e-4);
  // Linear blending alone shows the same curves farther from the goal.
  expect_run(run("linear.glb", {"--key-error", "0"}));
  EXPECT_GT(against_cache(file("linear.glb"), file("out.pc2"), "stomp").rms, 5 * shown.rms);
}

std::vector<std::vector<double>> table(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  std::string line, cell;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    rows.emplace_back();
    std::istringstream cells(line);
    while (std::getline(cells, cell, ',')) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

// What the animator keys may be free: the new clip has keys and physics together, and plays alone; the old one stays.
TEST_F(RigSpace, KeyedControlsGetKeysAndPhysics) {
  const std::string free = "head.rotation.*,belly_upper";
  std::vector<std::string> told = run("out.glb", {"--curves", file("curves.csv"), "--report", file("run.json")}, free);
  expect_run(told);
  expect_run(run("out.pc2", {}, free));
  EXPECT_NE(contents(file("run.json")).find("has keys for 3 of 9 free parameters"), std::string::npos);
  const Character character = read_character(file("out.glb")), before = read_character(sumo);
  const Clip &clip = clip_named(character, "stomp.flesh"), &keyed = clip_named(before, "stomp");
  EXPECT_EQ(clip.channels.size(), keyed.channels.size() + 2);  // the head's rotation was there
  const Track recorded = read_track(file("out.pc2"), {}), played = character_track(character, &clip);
  EXPECT_LT(compare(recorded, played, recorded.times).max / played.height, 2e-4 + 5e-6);
  const Track now = character_track(character, &clip_named(character, "stomp")), then = character_track(before, &keyed);
  EXPECT_EQ(compare(now, then, common_times(now, then, 10)).max, 0);

  // A second column for what is keyed: what physics adds.
  const std::string csv = contents(file("curves.csv"));
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "time,head.rotation.x,head.rotation.y,head.rotation.z,belly_upper.translation.x,belly_upper.translation.y,"
            "belly_upper.translation.z,belly_upper.rotation.x,belly_upper.rotation.y,belly_upper.rotation.z,"
            "head.rotation.x offset,head.rotation.y offset,head.rotation.z offset");
  double largest = 0;
  for (const std::vector<double>& row : table(csv))
    for (std::size_t c = 10; c < 13; ++c) largest = std::max(largest, std::abs(row.at(c)));
  EXPECT_GT(largest, 1e-4);
  EXPECT_LT(largest, 0.3);
}

// Cheeks, bellies and a topknot, no limbs and no head; `info` says the same.
TEST_F(RigSpace, AutoFreesWhatHangsInFlesh) {
  const Outcome outcome = sinew({"info", sumo, "--controls", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::set<std::string> found;
  const Json listed = Json::parse(outcome.out);
  for (const Json& control : listed["controls"]) {
    EXPECT_GT(control["moves"].get<double>(), 0);
    EXPECT_LT(control["moves"].get<double>(), 1 + 1e-9);
    if (control["auto"].get<bool>()) found.insert(control["name"].get<std::string>());
    if (control["name"] != "head") continue;
    const Json& turn = control["parameters"][3];
    EXPECT_EQ(turn["name"], "head.rotation.x");
    EXPECT_EQ(turn["unit"], "radians");
    EXPECT_FALSE(turn["moved_in"].empty());
    EXPECT_LT(turn["over_clips"][0].get<double>(), turn["over_clips"][1].get<double>());
    EXPECT_NEAR(turn["range"][1].get<double>(), 0.785398, 1e-6);
  }
  for (const char* flesh : {"belly_upper", "cheek_l", "buttock_lower_r", "chest_outer_l", "flesh_thigh_r"})
    EXPECT_TRUE(found.count(flesh)) << flesh;
  for (const char* bone : {"head", "neck", "hand_l", "foot_r", "thigh_l", "spine", "hips", "toes_r", "fingers_2_l"})
    EXPECT_FALSE(found.count(bone)) << bone;
  const Outcome people = sinew({"info", sumo, "--controls"});
  EXPECT_NE(people.out.find("  head: moves "), std::string::npos) << people.out;

  expect_run(run("out.glb", {"--report", file("run.json")}, "auto"));
  // Of six parameters each, but those that this coarse body does not tell apart.
  const std::size_t free = Json::parse(contents(file("run.json")))["counts"]["free_unknowns"].get<std::size_t>();
  EXPECT_LE(free, 6 * found.size());
  EXPECT_GE(free, 4 * found.size());
}

// For players of one clip at a time: the new one has it all.
TEST_F(RigSpace, WholeClipsPlayAlone) {
  expect_run(run("parts.glb"));
  expect_run(run("whole.glb", {"--whole-clip"}));
  expect_run(run("out.pc2"));
  const Character character = read_character(file("whole.glb")), before = read_character(sumo);
  const Clip& clip = clip_named(character, "stomp.flesh");
  EXPECT_EQ(clip.channels.size(), clip_named(before, "stomp").channels.size() + 6);
  const Track recorded = read_track(file("out.pc2"), {}), played = character_track(character, &clip);
  EXPECT_LT(compare(recorded, played, recorded.times).max / played.height, 2e-4 + 5e-6);
  // The keyed channels are the file's own samplers: next to nothing is added to what the parts need.
  EXPECT_LT(contents(file("whole.glb")).size(), contents(file("parts.glb")).size() + 10'000);
}

// Whatever the frame rate, it samples one motion; the table of curves has a column per parameter.
TEST_F(RigSpace, FrameRatesSampleOneMotion) {
  std::vector<std::vector<std::vector<double>>> tables;
  for (const char* rate : {"25", "50", "75"}) {
    expect_run(run("out.mdd", {"--fps", rate, "--curves", file("curves.csv")}));
    tables.push_back(table(contents(file("curves.csv"))));
  }
  const std::string text = contents(file("curves.csv"));
  EXPECT_TRUE(text.starts_with("time,belly_upper.translation.x,belly_upper.translation.y,")) << text.substr(0, 80);
  ASSERT_EQ(tables[0].size(), 11u);
  ASSERT_EQ(tables[1].size(), 21u);
  ASSERT_EQ(tables[2].size(), 31u);
  double largest = 0;
  for (std::size_t frame = 0; frame < 11; ++frame) {
    ASSERT_EQ(tables[0][frame].size(), 19u);
    for (std::size_t column = 0; column < 19; ++column) {
      const double value = tables[0][frame][column];
      EXPECT_NEAR(tables[1][2 * frame][column], value, 1e-8);
      EXPECT_NEAR(tables[2][3 * frame][column], value, 1e-8);
      if (column > 0) largest = std::max(largest, std::abs(value));
    }
  }
  EXPECT_GT(largest, 1e-3);
}

TEST_F(RigSpace, AnyNumberOfThreadsIsTheSameFile) {
  for (const char* inside : {"corrected", "skinning", "equilibrium"}) {
    expect_run(run("one.glb", {"--threads", "1", "--inside", inside}));
    expect_run(run("two.glb", {"--threads", "2", "--inside", inside}));
    EXPECT_TRUE(contents(file("one.glb")) == contents(file("two.glb"))) << inside;
  }
  expect_run(run("one.glb", {"--threads", "1", "--adaptive-step"}));
  expect_run(run("two.glb", {"--threads", "2", "--adaptive-step"}));
  EXPECT_TRUE(contents(file("one.glb")) == contents(file("two.glb")));
}

// Stopped, and gone on with: the same file as in one go, with old Jacobians, Hessians and short steps in between.
TEST_F(RigSpace, ResumedRunsAreTheSame) {
  ASSERT_EQ(
      sinew({"learn", sumo, "--free", "belly_upper*", "--tetrahedra", "600", "-o", file("belly.vskin"), "--quiet"})
          .exit_code,
      0);
  for (const bool adaptive : {false, true}) {
    std::vector<std::string> command{"animate",      sumo,     "--method",   "rigspace",         "--free",
                                     "belly_upper*", "--clip", "stomp",      "--tetrahedra",     "600",
                                     "--fps",        "100",    "--skinning", file("belly.vskin")};
    if (adaptive) command.push_back("--adaptive-step");
    std::vector<std::string> whole = command, resumable = command;
    whole.insert(whole.end(), {"-o", file("whole.glb"), "--quiet"});
    resumable.insert(resumable.end(), {"-o", file("resumed.glb"), "--checkpoint", file("checkpoint"), "--resume"});
    ASSERT_EQ(sinew(whole).exit_code, 0);
    const Outcome stopped = sinew(resumable, " 20 %  simulating");
    ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
    EXPECT_EQ(files(), (std::vector<std::string>{"belly.vskin", "checkpoint", "whole.glb"}));
    const Outcome resumed = sinew(resumable);
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(resumed.err.find(" 10 %  simulating"), std::string::npos) << "it began anew";
    EXPECT_TRUE(contents(file("resumed.glb")) == contents(file("whole.glb"))) << adaptive;
    // Of one run, refused by another.
    std::vector<std::string> other = resumable;
    other.insert(other.end(), {"--damping", "0.3"});
    const Outcome refused = sinew(other);
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_NE(refused.err.find("another character, clip or settings"), std::string::npos) << refused.err;
    for (const char* name : {"whole.glb", "resumed.glb", "checkpoint"}) std::filesystem::remove(file(name));
  }
}

// Learned once: the same motion as learned in passing, and nothing but this body and these controls.
TEST_F(RigSpace, LearnedInsidesAreReused) {
  ASSERT_EQ(
      sinew({"learn", sumo, "--free", "belly_upper*", "--tetrahedra", "600", "-o", file("belly.vskin"), "--quiet"})
          .exit_code,
      0);
  expect_run(run("anew.glb"));
  expect_run(run("learned.glb", {"--skinning", file("belly.vskin")}));
  EXPECT_TRUE(contents(file("anew.glb")) == contents(file("learned.glb")));
  // The same bytes whatever the threads.
  ASSERT_EQ(sinew({"learn", sumo, "--free", "belly_upper*", "--tetrahedra", "600", "-o", file("one.vskin"), "--quiet",
                   "--threads", "1"})
                .exit_code,
            0);
  EXPECT_TRUE(contents(file("one.vskin")) == contents(file("belly.vskin")));

  expect_failure(run("out.glb", {"--skinning", file("belly.vskin")}, "belly_lower*"), 3, "belly.vskin");
  std::vector<std::string> finer = run("out.glb", {"--skinning", file("belly.vskin"), "--tetrahedra", "1500"});
  finer.erase(std::find(finer.begin(), finer.end(), "600") - 1, std::find(finer.begin(), finer.end(), "600") + 1);
  expect_failure(finer, 3, "was learned for another character or another body");
  std::string damaged = contents(file("belly.vskin"));
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 4);
  write_text(file("damaged.vskin"), damaged);
  expect_failure(run("out.glb", {"--skinning", file("damaged.vskin")}), 3, "damaged.vskin");
  expect_failure(run("out.glb", {"--skinning", file("missing.vskin")}), 3, "missing.vskin");
}

// Wires move the skin where glTF knows no wires: channels on their nodes, and morph targets for what they add.
TEST_F(RigSpace, WiresGetChannelsAndMorphTargets) {
  const std::vector<std::string> arguments{
      "animate", elephant,       "--method", "rigspace",    "--rig",    sample_file("rigs/elephant.rig.json"),
      "--free",  "trunk_wire*",  "--clip",   "trunk_swing", "--range",  "1",
      "1.5",     "--tetrahedra", "1200",     "--quiet",     "--report", file("run.json")};
  std::vector<std::string> glb = arguments, cache = arguments;
  glb.insert(glb.end(), {"-o", file("out.glb")});
  cache.insert(cache.end(), {"-o", file("out.pc2")});
  expect_run(cache);
  expect_run(glb);
  const Json before = json_of(elephant), after = json_of(file("out.glb")),
             report = Json::parse(contents(file("run.json")));
  std::set<std::string> moved;
  bool weights = false;
  for (const Json& channel : after["animations"].back()["channels"]) {
    const Json& target = channel["target"];
    if (target["path"] == "weights") {
      weights = true;
      continue;
    }
    EXPECT_EQ(target["path"], "translation");
    moved.insert(after["nodes"][target["node"].get<std::size_t>()]["name"].get<std::string>());
  }
  EXPECT_EQ(moved, (std::set<std::string>{"trunk_wire_1", "trunk_wire_2", "trunk_wire_3", "trunk_wire_4"}));
  EXPECT_TRUE(weights);
  EXPECT_GT(report["morph_fit"]["meshes"][0]["targets"].get<int>(), 0);
  const TrackDifference difference = against_cache(file("out.glb"), file("out.pc2"), "trunk_swing");
  EXPECT_LT(difference.max,
            report["morph_fit"]["max_metres"].get<double>() / report["height_metres"].get<double>() + 2e-4 + 1e-5);
  // The keyed clip is what it was, weights of the new targets apart, which it leaves at zero.
  const Character character = read_character(file("out.glb")), original = read_character(elephant);
  const Track now = character_track(character, &clip_named(character, "trunk_swing")),
              then = character_track(original, &clip_named(original, "trunk_swing"));
  EXPECT_LT(compare(now, then, common_times(now, then, 10)).max, 1e-6);
}

// Settings in a file are those of the options.
TEST_F(RigSpace, ASettingsFileIsTheSameAsItsOptions) {
  write_text(
      file("settings.json"),
      R"({"free": ["belly_upper*"], "tetrahedra": 600, "look": "lively", "adaptive_step": true, "key_error": 0.001,
    "controls": [{"controls": "belly_upper_l", "stiffness": 3, "range": 0.5}]})");
  std::vector<std::string> plain{"animate", sumo,      "--method", "rigspace", "--clip",
                                 "stomp",   "--range", "0.8",      "1.2",      "--quiet"};
  std::vector<std::string> by_file = plain;
  by_file.insert(by_file.end(), {"--settings", file("settings.json"), "-o", file("file.glb")});
  expect_run(by_file);
  write_text(file("controls.json"), R"({"controls": [{"controls": "belly_upper_l", "stiffness": 3, "range": 0.5}]})");
  expect_run(run("options.glb",
                 {"--settings", file("controls.json"), "--look", "lively", "--adaptive-step", "--key-error", "0.001"}));
  EXPECT_TRUE(contents(file("file.glb")) == contents(file("options.glb")));
  // A stiffer control is another motion.
  expect_run(run("softer.glb", {"--look", "lively", "--adaptive-step", "--key-error", "0.001"}));
  EXPECT_FALSE(contents(file("softer.glb")) == contents(file("options.glb")));
}

TEST_F(RigSpace, WhatCannotBeFreedIsASentence) {
  expect_failure(run("out.glb", {}, "nothing*"), 2, "nothing*");
  std::vector<std::string> none = run("out.glb");
  none.erase(none.begin() + 4, none.begin() + 6);
  expect_failure(none, 2, "--free");
  expect_failure(run("out.glb", {"--reference", "elastic"}, "belly_upper,head.rotation.*,neck.rotation.x"), 3,
                 "moves what is to be free: 'neck.rotation.x', 'head.rotation.*'");
  // All at once.
  expect_failure(run("out.glb", {}, "belly_upper.scale*,nothing*,tail,cheek_l"), 2, "'nothing*', 'tail'");
  expect_failure(run("out.glb", {}, "belly_upper.scale*,nothing*,tail,cheek_l"), 2, "'belly_upper.scale.z'");
  // All axes at once are what the three do together; eyes carry no flesh.
  expect_failure(run("out.glb", {}, "belly_upper.scale*"), 3, "'belly_upper.scale.z'");
  expect_failure(run("out.glb", {"--inside", "hollow"}), 2, "hollow");
  expect_failure(run("out.glb", {"--key-error", "-1"}), 2, "--key-error");
  expect_failure(run("out.glb", {"--rig", file("missing.json")}), 3, "missing.json");
  expect_failure({"animate", sumo, "-o", file("out.glb"), "--free", "belly*"}, 2, "rigspace");
  expect_failure({"animate", sumo, "-o", file("out.glb"), "--curves", file("curves.csv")}, 2, "--curves");
  expect_failure({"learn", sumo, "-o", file("out.vskin")}, 2, "--free");
}

constexpr const char* lean = "        s += [x + p[0] * y * y, y, z + p[1] * math.sin(5 * y)]";

// A program outside is the rig: morph targets that are the surface it made, and the values of its controls.
TEST_F(RigSpace, ARigOutsideBecomesMorphTargets) {
  const std::string rig =
      outside(R"([{"name": "lean"}, {"name": "grow"}, {"name": "time", "free": False, "upper": 10}])",
              "        s += [x + p[0] * y * y + 0.3 * math.sin(9 * p[2]), y, z + p[1] * math.sin(5 * y)]");
  expect_run(run("out.glb", {"--rig", rig, "--curves", file("curves.csv")}, "lean,grow"));
  EXPECT_TRUE(contents(file("curves.csv")).starts_with("time,lean,grow\n"));
  const std::vector<std::vector<double>> values = table(contents(file("curves.csv")));
  ASSERT_EQ(values.size(), 13u);
  double largest = 0;
  for (const std::vector<double>& row : values) largest = std::max(largest, std::abs(row[1]));
  EXPECT_GT(largest, 1e-3);
  const Json before = json_of(sumo), after = json_of(file("out.glb"));
  EXPECT_EQ(after["nodes"].size(), before["nodes"].size());
}

// One sentence each, and nothing is left behind.
TEST_F(RigSpace, BadRigsAreOneSentence) {
  expect_bad_rig(two_parameters, "        if asked > 4: return 'the scene has no belly.'\n" + std::string(lean),
                 "the scene has no belly");
  expect_bad_rig(two_parameters, "        if asked > 4: sys.exit(1)\n" + std::string(lean), "python3 rig.py");
  expect_bad_rig(two_parameters, "        if asked > 4: x = math.nan\n" + std::string(lean), "not finite");
  expect_bad_rig(two_parameters, "        if asked > 4 and len(s) > 9: break\n" + std::string(lean),
                 "12 numbers for a surface instead of three for each of");
  expect_bad_rig(R"([{"name": "lean"}, {"name": "grow"}, {"name": "idle"}])", lean, "'idle' moves nothing of the body");
  expect_bad_rig(two_parameters, "        s += [x + (p[0] - 2 * p[1]) * y * y, y, z]",
                 "the parameters 'lean' and 'grow' have the same effect");
  expect_bad_rig(R"([{"name": "lean"}, {"name": "grow"}, {"name": "lean"}])", lean, "lean");
}

}  // namespace
}  // namespace sinew::test
