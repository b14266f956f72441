// Motion graphs from file to file, where settings, names and edits of people may go wrong.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/jobs/motion/graph/make_motion_graph.h"
#include "sinew/jobs/motion/graph/walk_motion_graph.h"
#include "sinew/jobs/motion/graph/walk_plan_json.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

// The walk of an elephant as a graph, in a folder that is emptied once.
struct GraphFolder {
  std::filesystem::path folder = test::scratch_files();
  MakeMotionGraphJob graph;
  WalkMotionGraphJob walk;

  explicit GraphFolder(const std::filesystem::path& character = test::sample_file("elephant.glb")) {
    graph.input = character;
    graph.output = walk.graph = folder / "graph.json";
    walk.output = folder / "out.glb";
  }
  void plan(const std::string& text) {
    walk.plan = folder / "plan.json";
    write_text_file(walk.plan, text);
  }
};

std::string sentence_of(ErrorKind kind, const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "nothing was refused";
}

bool has_words(const std::string& sentence, const std::string& part) {
  return sentence.find(part) != std::string::npos || (ADD_FAILURE() << sentence, false);
}

TEST(MakeMotionGraph, NamesOfItsFilesSayWhatTheyAre) {
  GraphFolder files;
  files.graph.output = files.folder / "graph.glb";
  has_words(sentence_of(ErrorKind::usage, [&] { make_motion_graph(files.graph); }), "must end in .json");
  files.graph.output = files.folder / "graph.json";
  files.graph.picture = files.folder / "picture.jpg";
  has_words(sentence_of(ErrorKind::usage, [&] { make_motion_graph(files.graph); }), "must end in .png");
  EXPECT_TRUE(std::filesystem::is_empty(files.folder));
}

TEST(WalkMotionGraph, SettingsThatTakeNoPartAreRefused) {
  GraphFolder files;
  files.graph.clips = {"walk"};
  make_motion_graph(files.graph);
  files.plan(R"({"points": [[0, 0], [0, 3]]})");
  const WalkMotionGraphJob good = files.walk;
  const auto refused = [](const WalkMotionGraphJob& job) {
    return sentence_of(ErrorKind::usage, [&] { walk_motion_graph(job); });
  };
  WalkMotionGraphJob job = good;
  job.seconds = 3;
  has_words(refused(job), "--seconds");
  job = good;
  job.seed = 1;
  has_words(refused(job), "--path and --random exclude each other");
  job = good;
  job.plan.clear();
  job.seed = 1;
  job.steer = 20;
  has_words(refused(job), "--steer");
  files.plan(R"({"clips": ["walk"]})");
  job = good;
  job.steer = 20;
  has_words(refused(job), "--steer");
  EXPECT_FALSE(std::filesystem::exists(good.output));
}

TEST(MotionGraphFile, CountsAreWholeNumbers) {
  GraphFolder files;
  files.graph.clips = {"walk"};
  make_motion_graph(files.graph);
  files.walk.seed = 1;
  const auto good = nlohmann::ordered_json::parse(read_text_file(files.graph.output));
  const auto refused = [&](const nlohmann::ordered_json& edited) {
    write_text_file(files.graph.output, edited.dump());
    return sentence_of(ErrorKind::input, [&] { walk_motion_graph(files.walk); });
  };
  nlohmann::ordered_json edited = good;
  edited["window"] = 10.9;
  has_words(refused(edited), "\"window\" must be a whole number");
  edited = good;
  edited["clips"][0]["frames"] = good["clips"][0]["frames"].get<int>() + 0.7;
  has_words(refused(edited), "\"clips[0].frames\" must be a whole number");
}

TEST(WalkMotionGraph, TheDistanceFromAPathDoesNotDependOnHowDenseItsPointsAre) {
  GraphFolder files;
  files.graph.clips = {"walk"};
  make_motion_graph(files.graph);
  files.plan(R"({"points": [[0, 0], [0, 6]]})");
  const WalkReport sparse = walk_motion_graph(files.walk);
  std::string points;
  for (int k = 0; k <= 600; ++k) points += (k ? ", [0, " : "[0, ") + std::to_string(k / 100.0) + "]";
  files.plan(R"({"points": [)" + points + "]}");
  const WalkReport dense = walk_motion_graph(files.walk);
  EXPECT_NEAR(*dense.most_away, *sparse.most_away, 1e-3);
  EXPECT_NEAR(*dense.mean_away, *sparse.mean_away, 1e-3);
  files.plan(R"({"points": [[0, 0], [0, 1e-200], [0, 6]]})");
  EXPECT_NEAR(*walk_motion_graph(files.walk).most_away, *sparse.most_away, 1e-9);
}

TEST(WalkMotionGraph, PointsThatAreNearlyEqualAreOnePoint) {
  EXPECT_EQ(walk_plan_from_json(R"({"points": [[0, 0], [0, 1e-200], [0, 5]]})", "p").points.size(), 2u);
  has_words(sentence_of(ErrorKind::input, [] { walk_plan_from_json(R"({"points": [[0, 0], [0, 1e-9]]})", "p"); }),
            "at least two different points");
}

// A wolf's clips, where they are there: one clip is played from its beginning to its end, and what is said of clips
// without transitions is true.
TEST(WalkMotionGraph, AWolfPlaysWholeClips) {
  const std::filesystem::path wolf =
      std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters/more/animals_pack_wolf.glb";
  if (!std::filesystem::exists(wolf)) GTEST_SKIP() << "Not tested: " << wolf.filename() << " is not there.";
  GraphFolder files(wolf);
  make_motion_graph(files.graph);
  files.plan(R"({"clips": ["AnimalArmature|Jump_ToIdle"]})");
  EXPECT_NEAR(walk_motion_graph(files.walk).seconds, 1.33, 0.04);
  // The gallops are 0.18 m apart, but only one leads to the other smoothly; the idling is 0.4 m from both.
  files.graph.clips = {"AnimalArmature|Idle", "AnimalArmature|Gallop", "AnimalArmature|Gallop_Jump"};
  files.graph.threshold = 0.3;
  const auto made = [&] { make_motion_graph(files.graph); };
  has_words(sentence_of(ErrorKind::input, made), "no transitions of its clips lead on: the nearest differ by 0.17");
  files.graph.threshold = 0.1;
  has_words(sentence_of(ErrorKind::input, made), "and the threshold is 0.1 m; raise it");
}

}  // namespace
}  // namespace sinew
