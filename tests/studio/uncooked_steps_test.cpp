// Which steps of a history are taken back once a state cannot be cooked, with a cook that only looks at the project.
#include "studio/server/project/uncooked_steps.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/project/rebase_project.h"
#include "studio/server/web/page_json.h"

namespace {

using namespace sinew;
using namespace sinew::studio;

// A history with its uncooked steps. A state whose `look` is "bad" cannot be cooked.
struct Bench {
  explicit Bench(const Project& start) : history(start) {}

  static Project start() {
    Project project;
    project.method = "flesh";
    project.settings["flesh"] = "{\"tetrahedra\": 500}";
    return project;
  }
  static PageJson setting(const Project& project, const std::string& key) {
    return whole_settings("flesh", project.settings.at("flesh"))[key];
  }
  static bool cooks(const Project& project) { return setting(project, "look") != "bad"; }

  void take(Step step) {
    if (uncooked.take(history, std::move(step), requests + 1)) ++requests;
  }
  void set(const std::string& key, const std::string& value, const std::string& merge = "", std::uint64_t stroke = 0) {
    Step step{StepKind::act, history.now(), key, merge};
    step.stroke = stroke;
    step.next.settings["flesh"] = with_value("flesh", step.next.settings["flesh"], key, value);
    take(step);
  }
  void carry(double x) {
    Step step{StepKind::act, history.now(), "place", ""};
    step.next.pose.carried.x = x;
    take(step);
  }
  void undo() {
    if (history.can_undo()) take({.kind = StepKind::undo});
  }
  void redo() {
    if (history.can_redo()) take({.kind = StepKind::redo});
  }

  // Cooks the present state and follows what fails.
  void cook() {
    for (int round = 0; !uncooked.empty(); ++round) {
      ASSERT_LT(round, 1000);
      const Step next = uncooked.next_try() && uncooked.has_failed() ? *uncooked.next_try() : uncooked.last();
      ++cooked_states;
      if (cooks(*next.state))
        uncooked.cooked(next.request);
      else
        uncooked.failed(next.request, "It is bad.");
      if (uncooked.has_failed() && !uncooked.next_try())
        dropped.push_back(uncooked.drop(history, [](const Project&) { return true; }));
    }
  }

  History history;
  UncookedSteps uncooked;
  std::uint64_t requests = 0;
  int cooked_states = 0;
  std::vector<UncookedSteps::Dropped> dropped;
};

PageJson now(const Bench& bench, const std::string& key) { return Bench::setting(bench.history.now(), key); }

std::string line_of(const History& history) {
  const HistoryLine line = history.line();
  std::string text;
  for (std::size_t k = 0; k < line.states.size(); ++k)
    text += (k == line.at ? "[" : "") + project_json(*line.states[k], "x.glb") + (k == line.at ? "]" : "") +
            (k < line.acts.size() ? line.acts[k] : "") + "\n";
  return text;
}

TEST(StudioUncookedSteps, TheBadActGoesAndTheGoodOneBehindItStays) {
  Bench bench(Bench::start());
  bench.set("damping", "0.3");
  bench.cook();
  bench.set("look", "\"bad\"");
  bench.carry(2);
  bench.set("damping", "0.5");
  bench.set("gravity", "true");
  bench.cook();
  ASSERT_EQ(bench.dropped.size(), 1u);
  EXPECT_EQ(bench.dropped[0].first, 2u);
  EXPECT_EQ(bench.dropped[0].last, 2u);
  EXPECT_EQ(now(bench, "damping"), 0.5);
  EXPECT_NE(now(bench, "look"), "bad");
  EXPECT_EQ(bench.history.now().pose.carried.x, 2);
  EXPECT_EQ(bench.history.undos(), 4u);
  for (int k = 0; k < 3; ++k) bench.history.undo();
  EXPECT_EQ(now(bench, "damping"), 0.3);
  EXPECT_EQ(bench.history.now().pose.carried.x, 0);
}

TEST(StudioUncookedSteps, UndoAndRedoIntoABadStateLeaveTheHistoryAsItWas) {
  Project bad = Bench::start(), good = bad, best = bad;
  bad.settings["flesh"] = with_value("flesh", "", "look", "\"bad\"");
  good.settings["flesh"] = with_value("flesh", "", "damping", "0.2");
  best.settings["flesh"] = with_value("flesh", "", "damping", "0.4");
  Bench bench(Bench::start());
  for (const Project& next : {bad, good, best}) bench.history.act(next, "set", "", 0);
  const std::string before = line_of(bench.history);
  bench.undo();
  bench.cook();
  const std::string at_good = line_of(bench.history);
  EXPECT_NE(at_good, before);
  bench.undo();  // to what is bad
  bench.cook();
  EXPECT_EQ(line_of(bench.history), at_good);
  ASSERT_EQ(bench.dropped.size(), 1u);
  EXPECT_EQ(bench.dropped[0].kind, StepKind::undo);
  bench.undo();  // over the bad one, at once
  bench.undo();
  bench.cook();
  EXPECT_EQ(bench.history.undos(), 0u);
  EXPECT_EQ(bench.dropped.size(), 1u);
  bench.redo();
  bench.cook();
  EXPECT_EQ(bench.history.undos(), 0u);
  EXPECT_EQ(bench.history.redos(), 3u);
  EXPECT_EQ(bench.dropped.back().kind, StepKind::redo);
  // An act behind an undo that fails is done where the undo began.
  for (int k = 0; k < 3; ++k) bench.redo();
  bench.cook();
  EXPECT_EQ(line_of(bench.history), before);
  bench.undo();
  bench.cook();
  bench.undo();
  bench.carry(3);
  bench.set("tetrahedra", "700");
  bench.cook();
  EXPECT_EQ(bench.history.undos(), 4u);
  EXPECT_EQ(now(bench, "damping"), 0.2);
  EXPECT_EQ(now(bench, "tetrahedra"), 700);
  EXPECT_EQ(bench.history.now().pose.carried.x, 3);
}

TEST(StudioUncookedSteps, AStrokeKeepsItsLastGoodValue) {
  Bench bench(Bench::start());
  const auto drag = [&](const std::string& key, const std::string& value) { bench.set(key, value, "drag", 7); };
  drag("look", "\"soft\"");
  bench.cook();
  for (int k = 0; k < 300; ++k) {
    Step step{StepKind::act, bench.history.now(), "drag", "drag"};
    step.stroke = 7;
    step.next.settings["flesh"] = with_value("flesh", step.next.settings["flesh"], "",
                                             R"({"look": "bad", "damping": 0.)" + std::to_string(k + 1) + "}");
    bench.take(step);
  }
  bench.cooked_states = 0;
  bench.cook();
  EXPECT_EQ(now(bench, "look"), "soft");
  EXPECT_EQ(bench.history.undos(), 1u);
  ASSERT_EQ(bench.dropped.size(), 1u);
  EXPECT_EQ(bench.dropped[0].last, bench.requests);
  EXPECT_LT(bench.cooked_states, 12);
  EXPECT_TRUE(bench.uncooked.empty());
}

// Whatever is done before the first cook ends: the rest can be cooked, and holds no bad act.
TEST(StudioUncookedSteps, AnySequenceComesToAnEnd) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    Bench bench(Bench::start());
    int number = 0;
    for (int round = 0; round < 3; ++round) {
      const int steps = 1 + static_cast<int>(random() % 12);
      for (int k = 0; k < steps; ++k) switch (random() % 6) {
          case 0:
            bench.set("look", "\"bad\"");
            break;
          case 1:
            bench.set("look", random() % 2 ? "\"soft\"" : "\"lively\"");
            break;
          case 2:
            bench.set("tetrahedra", std::to_string(++number + 100));
            break;
          case 3:
            bench.carry(++number);
            break;
          case 4:
            bench.undo();
            break;
          case 5:
            bench.redo();
            break;
        }
      const bool sound = Bench::cooks(bench.history.now());
      const std::string before = line_of(bench.history);
      bench.cook();
      ASSERT_TRUE(Bench::cooks(bench.history.now()));
      ASSERT_TRUE(bench.uncooked.empty());
      if (sound) {
        ASSERT_EQ(line_of(bench.history), before);
      }
    }
  }
}

TEST(StudioRebase, TakesWhatChangedAndLeavesTheRest) {
  const auto project = [](const std::string& settings) {
    Project made;
    made.method = "flesh";
    made.settings["flesh"] = settings;
    return made;
  };
  const auto lists = [&](const Project& before, const Project& after, const Project& onto) {
    return Bench::setting(rebased(before, after, onto), "belts");
  };
  const std::string a = R"({"joint": "a"})", b = R"({"joint": "b"})", c = R"({"joint": "c"})";
  const auto belts = [&](const std::string& items) { return project("{\"belts\": [" + items + "]}"); };
  EXPECT_EQ(lists(belts(b), belts(b + "," + c), belts("")), PageJson::parse("[" + c + "]"));
  EXPECT_EQ(lists(belts(a + "," + b), belts(a + "," + b + "," + c), belts(a)),
            PageJson::parse("[" + a + "," + c + "]"));
  EXPECT_EQ(lists(belts(a), belts(c), belts(a + "," + b)), PageJson::parse("[" + c + "," + b + "]"));
  EXPECT_EQ(lists(belts(a + "," + b), belts(b), belts(a)), PageJson::parse("[" + b + "]"));
  // Defaults that are only spelled out are no change.
  const Project spelled = project(whole_settings("flesh", "").dump());
  const Project lively = project(R"({"look": "lively"})");
  EXPECT_EQ(Bench::setting(rebased(project(""), spelled, lively), "look"), "lively");
  // Paint, poses and methods as wholes.
  Project before = project(""), after = before, onto = before;
  before.paint["stiffness"] = PaintLayer(std::vector<float>(5, 1.f));
  after.paint["rigid"] = PaintLayer(std::vector<float>(5, 0.f));
  onto.paint["density"] = PaintLayer(std::vector<float>(5, 2.f));
  onto.method = "springs";
  after.pose.carried.x = 1;
  const Project result = rebased(before, after, onto);
  EXPECT_TRUE(result.paint.contains("rigid") && result.paint.contains("density") &&
              !result.paint.contains("stiffness"));
  EXPECT_EQ(result.method, "springs");
  EXPECT_EQ(result.pose.carried.x, 1);
  // Motions one by one.
  before.motions = {"a", "b"};
  after.motions = {"b", "c"};
  onto.motions = {"a", "d"};
  EXPECT_EQ(rebased(before, after, onto).motions, (std::vector<std::string>{"d", "c"}));
}

}  // namespace
