// Motion graphs from file to file: made, read, walked, and refused where they are wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/files/png.h"
#include "sinew/jobs/motion/graph/make_motion_graph.h"
#include "sinew/jobs/motion/graph/motion_graph_json.h"
#include "sinew/jobs/motion/graph/walk_motion_graph.h"
#include "sinew/jobs/motion/graph/walk_plan_json.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

using GraphText = nlohmann::ordered_json;

// The folder of the test that runs, which is emptied once.
std::filesystem::path graph_scratch() {
  static std::pair<std::string, std::filesystem::path> last;
  const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  if (last.first != name) last = {name, test::scratch_files()};
  return last.second;
}

std::filesystem::path text_file(const std::string& name, const std::string& text) {
  const std::filesystem::path path = graph_scratch() / name;
  write_text_file(path, text);
  return path;
}

MakeMotionGraphJob graph_job(const std::string& character, const std::string& name) {
  MakeMotionGraphJob job;
  job.input = test::sample_file(character);
  job.output = graph_scratch() / name;
  return job;
}

bool says(const std::string& sentence, const std::string& part) { return sentence.find(part) != std::string::npos; }

// The sumo's three clips, connected.
std::filesystem::path sumo_graph() {
  MakeMotionGraphJob job = graph_job("sumo.glb", "sumo.json");
  job.threshold = 0.6;
  const MotionGraphReport report = make_motion_graph(job);
  EXPECT_GE(report.clips, 2);
  EXPECT_GT(report.transitions, 3);
  return job.output;
}

TEST(MotionGraphFile, ComesBackAsItWasWrittenAndItsSchemaHasItsKeys) {
  const std::string text = read_text_file(sumo_graph());
  const MotionGraphFile file = motion_graph_from_json(text, "sumo.json");
  EXPECT_EQ(motion_graph_json(file), text);
  const GraphText written = GraphText::parse(text);
  const GraphText schema =
      GraphText::parse(read_text_file(std::filesystem::path(SINEW_SOURCE_DIR) / "docs/motion_graph.schema.json"));
  const auto keys = [](const GraphText& object) {
    std::vector<std::string> result;
    for (const auto& [key, value] : object.items())
      if (key != "$schema" && key != "comment" && key != "nodes" && key != "blend") result.push_back(key);
    return result;
  };
  EXPECT_EQ(keys(schema["properties"]), keys(written));
  EXPECT_EQ(keys(schema["$defs"]["clip"]["properties"]), keys(written["clips"][0]));
  EXPECT_EQ(keys(schema["$defs"]["transition"]["properties"]), keys(written["transitions"][0]));
  EXPECT_EQ(schema["properties"]["version"]["const"], motion_graph_version);
}

TEST(MotionGraphFile, EditsThatMakeNoSenseAreRefusedWithTheirPlace) {
  const std::filesystem::path graph = sumo_graph();
  const GraphText good = GraphText::parse(read_text_file(graph));
  WalkMotionGraphJob job;
  job.graph = graph_scratch() / "edited.json";
  job.output = graph_scratch() / "no.glb";
  job.seed = 1;
  const auto walked = [&](const GraphText& edited) {
    write_text_file(job.graph, edited.dump());
    const std::string sentence = test::refusal(ErrorKind::input, [&] { walk_motion_graph(job); });
    EXPECT_FALSE(std::filesystem::exists(job.output));
    return sentence;
  };
  GraphText edited = good;
  edited["transitions"][1]["to"] = "Moonwalk";
  EXPECT_TRUE(says(walked(edited), "\"transitions[1].to\" is 'Moonwalk'"));
  edited = good;
  edited["transitions"][0]["at"] = 99;
  EXPECT_TRUE(says(walked(edited), "\"transitions[0].at\" must be a time"));
  edited = good;
  edited["transitions"][0]["move"] = {0, nullptr};
  EXPECT_TRUE(says(walked(edited), "\"transitions[0].move[1]\" must be a number"));
  edited = good;
  edited["clips"][0]["name"] = "Moonwalk";
  for (GraphText& each : edited["transitions"])
    for (const char* key : {"from", "to"})
      if (each[key] == good["clips"][0]["name"]) each[key] = "Moonwalk";
  EXPECT_TRUE(says(walked(edited), "has no clip 'Moonwalk'"));
  edited = good;
  edited["clips"][0]["keys"] = "0123456789abcdef";
  EXPECT_TRUE(says(walked(edited), "has other keys in its clip"));
  edited = good;
  edited["clips"][0]["frames"] = good["clips"][0]["frames"].get<int>() + 1;
  EXPECT_TRUE(says(walked(edited), "make the graph anew"));
  edited = good;
  edited["character"] = test::sample_file("elephant.glb").string();
  EXPECT_TRUE(says(walked(edited), "is of another skeleton"));
  edited = good;
  edited["character"] = "gone.glb";
  EXPECT_TRUE(says(walked(edited), "gone.glb"));
  edited = good;
  edited["window"] = "long";
  EXPECT_TRUE(says(walked(edited), "\"window\" must be a whole number"));
  edited = good;
  edited["walks"] = 3;
  EXPECT_TRUE(says(walked(edited), "\"walks\", which is not known"));
  edited = good;
  edited["transitions"] = GraphText::array();
  const std::string sentence = walked(edited);
  EXPECT_TRUE(says(sentence, "no transitions that lead on")) << sentence;
  write_text_file(job.graph, R"({"version": NaN})");
  EXPECT_TRUE(says(test::refusal(ErrorKind::input, [&] { walk_motion_graph(job); }), "is not JSON"));
}

TEST(MakeMotionGraph, ClipsThatAreNotAlikeAreRefusedWithTheirDistance) {
  MakeMotionGraphJob job = graph_job("sumo.glb", "no.json");
  job.threshold = 1e-6;
  const std::string sentence = test::refusal(ErrorKind::input, [&] { make_motion_graph(job); });
  EXPECT_TRUE(says(sentence, "sumo.glb: no stretches of its clips are alike enough")) << sentence;
  EXPECT_TRUE(says(sentence, "--threshold")) << sentence;
  job.threshold = -1;
  EXPECT_TRUE(says(test::refusal(ErrorKind::usage, [&] { make_motion_graph(job); }), "--threshold"));
  job.threshold.reset();
  job.clips = {"dance"};
  EXPECT_TRUE(says(test::refusal(ErrorKind::usage, [&] { make_motion_graph(job); }), "dance"));
  job.clips.clear();
  job.window = 5;
  EXPECT_TRUE(says(test::refusal(ErrorKind::input, [&] { make_motion_graph(job); }), "longer than a transition"));
  EXPECT_FALSE(std::filesystem::exists(job.output));
}

TEST(MakeMotionGraph, DrawsDistancesAndGraph) {
  MakeMotionGraphJob job = graph_job("sumo.glb", "drawn.json");
  job.threshold = 0.6;
  job.picture = graph_scratch() / "drawn.png";
  make_motion_graph(job);
  const std::string bytes = test::bytes_of(job.picture);
  const Image image = decode_png(std::as_bytes(std::span(bytes)), job.picture);
  EXPECT_GT(image.width, 1400);
  // The diagonal is dark, the distances beside it are not all.
  const std::uint8_t* diagonal = image.pixel(28 + 360, 28 + 360);
  EXPECT_LT(diagonal[0] + diagonal[1] + diagonal[2], 300);
}

TEST(WalkMotionGraph, WandersIntoANewClipThatIsTheSameEachTime) {
  WalkMotionGraphJob job;
  job.graph = sumo_graph();
  job.output = graph_scratch() / "wander.glb";
  job.seed = 4;
  job.seconds = 12;
  job.name = "wander";
  const WalkReport report = walk_motion_graph(job);
  EXPECT_EQ(report.clip, "wander");
  EXPECT_GE(report.seconds, 12);
  EXPECT_GT(report.transitions, 0);
  const OpenedCharacter before = open_rigged_character(test::sample_file("sumo.glb")),
                        after = open_rigged_character(job.output);
  ASSERT_EQ(after.character.clips.size(), before.character.clips.size() + 1);
  EXPECT_NEAR(after.character.clips.back().end, report.seconds, 1e-5);
  // From frame to frame no joint jumps.
  const Clip& clip = after.character.clips.back();
  double most = 0, own = 0;
  const auto largest_step = [](const Character& character, const Clip& each) {
    double step = 0;
    for (double t = 1.0 / 30; t <= each.end; t += 1.0 / 30) {
      const Pose a = sample(character.skeleton, &each, t - 1.0 / 30), b = sample(character.skeleton, &each, t);
      for (std::size_t j = 0; j < a.world.size(); ++j)
        step = std::max(step, distance(a.world[j].translation, b.world[j].translation));
    }
    return step;
  };
  most = largest_step(after.character, clip);
  for (const Clip& each : before.character.clips) own = std::max(own, largest_step(before.character, each));
  EXPECT_LT(most, 1.5 * own);
  const std::string bytes = test::bytes_of(job.output);
  walk_motion_graph(job);
  EXPECT_TRUE(bytes == test::bytes_of(job.output));
}

TEST(WalkMotionGraph, FollowsAPath) {
  MakeMotionGraphJob graph = graph_job("elephant.glb", "elephant.json");
  graph.clips = {"walk"};
  make_motion_graph(graph);
  WalkMotionGraphJob job;
  job.graph = graph.output;
  job.output = graph_scratch() / "path.glb";
  job.plan = text_file("path.json", R"({"points": [[0, 0], [0, 6], [3, 12]]})");
  const WalkReport report = walk_motion_graph(job);
  ASSERT_TRUE(report.mean_away && report.most_away);
  EXPECT_LT(*report.mean_away, 0.15);
  EXPECT_LT(*report.most_away, 0.5);
  EXPECT_NEAR(report.metres, 12.8, 1.5);
}

// Ten clips and more of real characters, where they are there: no transition is rougher than the clips are.
TEST(WalkMotionGraph, TransitionsOfRealCharactersHaveNoMoreJerkThanTheirClips) {
  const std::filesystem::path folder = std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters";
  for (const char* name : {"gltf/raylib_robot/robot.glb", "more/ultimate_space_pack_astronaut_raetheredpanda.glb",
                           "gltf/quat_cow/Cow.glb"}) {
    if (!std::filesystem::exists(folder / name)) GTEST_SKIP() << "Not tested: " << name << " is not there.";
    MakeMotionGraphJob graph;
    graph.input = folder / name;
    graph.output = graph_scratch() / "real.json";
    const MotionGraphReport made = make_motion_graph(graph);
    EXPECT_GE(made.clips, 10) << name;
    WalkMotionGraphJob job;
    job.graph = graph.output;
    job.output = graph_scratch() / "real.glb";
    job.seed = 3;
    job.seconds = 60;
    const WalkReport report = walk_motion_graph(job);
    EXPECT_GT(report.transitions, 20) << name;
    EXPECT_LE(report.jerk, report.own_jerk) << name;
    EXPECT_LT(report.rougher, 0.15 * report.transitions) << name;
  }
}

TEST(WalkMotionGraph, PlansThatMakeNoSenseAreRefused) {
  const auto refused = [](const std::string& text) {
    return test::refusal(ErrorKind::input, [&] { walk_plan_from_json(text, "plan.json"); });
  };
  EXPECT_TRUE(says(refused(R"({"points": [[0, 0]]})"), "at least two different points"));
  EXPECT_TRUE(says(refused(R"({"points": [[0, 0], [0, 0]]})"), "at least two different points"));
  EXPECT_TRUE(says(refused(R"({"points": [[0, 0], [0, NaN]]})"), "is not JSON"));
  EXPECT_TRUE(says(refused(R"({"points": [[0, 0], [0, "x"]]})"), "\"points[1][1]\" must be a number"));
  EXPECT_TRUE(says(refused(R"({"points": [[0, 0], [0, 1, 2]]})"), "list of x and z"));
  EXPECT_TRUE(says(refused(R"({"points": [[0, 0], [0, 1e9]]})"), "must be a number from"));
  EXPECT_TRUE(says(refused(R"({})"), "\"points\""));
  EXPECT_TRUE(says(refused(R"({"clips": []})"), "at least one clip"));
  EXPECT_TRUE(says(refused(R"({"clips": [{"clip": "a", "seconds": -1}]})"), "\"clips[0].seconds\""));
  EXPECT_EQ(walk_plan_from_json(R"({"points": [[0, 0], [1, 0], [0, 0]], "closed": true})", "p").points.size(), 2u);
  WalkMotionGraphJob job;
  job.graph = "graph.json";
  EXPECT_TRUE(says(test::refusal(ErrorKind::usage, [&] { walk_motion_graph(job); }), "--path"));
}

}  // namespace
}  // namespace sinew
