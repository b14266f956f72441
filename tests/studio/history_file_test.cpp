// What was done yesterday can be undone today, and no file of a history does harm.
#include "studio/server/project/history_file.h"
#include "studio/server/cook/method_settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "tests/base/scratch.h"

namespace {

using namespace sinew;
using namespace sinew::studio;

std::string as_text(const Project& project) { return project_json(project, "hero.glb"); }

// A history with all that there is, of so many acts.
History busy_history(int acts) {
  std::mt19937 random(11);
  Project start;
  start.method = "flesh";
  History history(start);
  for (int k = 0; k < acts; ++k) {
    Project next = history.now();
    switch (k % 5) {
      case 0:
        next.settings["flesh"] =
            "{\n  \"damping\": " + std::to_string(0.001 * static_cast<double>(random() % 1000)) + "\n}\n";
        break;
      case 1: {
        const PaintLayer before =
            next.paint.contains("stiffness") ? next.paint["stiffness"] : PaintLayer(std::vector<float>(5000, 1));
        std::vector<std::pair<int, float>> stroke;
        for (int v = 0; v < 20; ++v)
          stroke.emplace_back(static_cast<int>(random() % 5000), 0.01f * static_cast<float>(random() % 300));
        next.paint["stiffness"] = before.painted(stroke);
        break;
      }
      case 2:
        next.pose.joints[static_cast<int>(random() % 20)] = {0, 0, 0.6, 0.8};
        next.kept_poses["pose " + std::to_string(random() % 3)]["knee"] = {0, 0, 0.6, 0.8};
        break;
      case 3: {
        Action poke;
        poke.point = {0.1, 1.0 / 3, 0.2};
        poke.force = {0, 0, 5};
        poke.seconds = 0.1;
        next.takes.push_back(std::make_shared<const NamedTake>(
            NamedTake{"take " + std::to_string(k), {"run", 1.25, {{1.0 / 240, poke}}, k % 2 ? 0.5 : 0}}));
        break;
      }
      case 4:
        next.method = next.method == "flesh" ? "surface" : "flesh";
        next.settings["surface"] = with_model("surface", "", "tube.sinew");
        break;
    }
    history.act(next, "act " + std::to_string(k), "", k);
  }
  return history;
}

void expect_same(History one, History other) {
  ASSERT_EQ(one.undos(), other.undos());
  ASSERT_EQ(one.redos(), other.redos());
  EXPECT_EQ(as_text(one.now()), as_text(other.now()));
  for (History a = one, b = other; a.can_undo();) {
    ASSERT_EQ(a.what(), b.what());
    a.undo(), b.undo();
    ASSERT_EQ(as_text(a.now()), as_text(b.now()));
  }
  for (; one.can_redo();) {
    ASSERT_EQ(one.redo_what(), other.redo_what());
    one.redo(), other.redo();
    ASSERT_EQ(as_text(one.now()), as_text(other.now()));
  }
}

TEST(StudioHistoryFile, ComesBackToTheBit) {
  History history = busy_history(60);
  for (int undone = 0; undone < 3; ++undone) {
    const std::string text = history_json(history.line(), "hero.glb");
    const HistoryLine line = history_from_json(text, "hero.studio.history.json");
    expect_same(history, History(line));
    EXPECT_EQ(history_json(History(line).line(), "hero.glb"), text);
    for (int k = 0; k < 20; ++k) history.undo();
  }
  EXPECT_FALSE(history.can_undo());
}

// States share what they have in common in memory and in the file: a stroke on a large surface is no second surface.
TEST(StudioHistoryFile, SharesWhatDidNotChange) {
  Project project;
  project.method = "flesh";
  project.paint["stiffness"] = PaintLayer(std::vector<float>(100'000, 1));
  History history(project);
  const std::size_t one = history_json(history.line(), "hero.glb").size();
  for (int k = 0; k < 100; ++k) {
    Project next = history.now();
    next.paint["stiffness"] =
        next.paint["stiffness"].painted(std::vector<std::pair<int, float>>{{k, 2.0f + static_cast<float>(k)}});
    history.act(next, "paint", "", k);
  }
  EXPECT_LT(history_json(history.line(), "hero.glb").size(), 4 * one);
  const History back(history_from_json(history_json(history.line(), "hero.glb"), "h"));
  History earlier = back;
  earlier.undo();
  EXPECT_EQ(back.now().paint.at("stiffness").blocks()[5].get(), earlier.now().paint.at("stiffness").blocks()[5].get());
}

TEST(StudioHistoryFile, IsBoundedAndKeepsTheLatest) {
  History history = busy_history(100);
  const std::size_t whole = history_json(history.line(), "hero.glb").size();
  for (int k = 0; k < 10; ++k) history.undo();
  std::size_t last = 0;
  for (const std::size_t most : {whole / 8, whole / 4, whole / 2, 2 * whole}) {
    const std::string text = history_json(history.line(), "hero.glb", most);
    EXPECT_LT(text.size(), most + most / 4 + 1000);
    History part(history_from_json(text, "h")), all = history;
    EXPECT_EQ(as_text(part.now()), as_text(history.now()));
    EXPECT_GE(part.undos(), last);
    last = part.undos();
    while (part.can_undo()) {
      ASSERT_EQ(part.what(), all.what());
      part.undo(), all.undo();
      ASSERT_EQ(as_text(part.now()), as_text(all.now()));
    }
  }
  EXPECT_EQ(last, 90u);
  // Where there is no room for the present state there is no history, which is no damage.
  EXPECT_TRUE(history_from_json(history_json(history.line(), "hero.glb", 10), "h").states.empty());
  EXPECT_EQ(leading_to({}, history.now()).states.size(), 1u);
}

TEST(StudioHistoryFile, LeadsToAProjectThatWasWrittenLater) {
  History history = busy_history(20);
  history.undo();
  const HistoryLine line = history_from_json(history_json(history.line(), "hero.glb"), "h");
  expect_same(History(leading_to(line, history.now())), history);
  Project later = history.now();
  later.pose.carried.x = 7;
  History led(leading_to(line, later));
  EXPECT_EQ(as_text(led.now()), as_text(later));
  EXPECT_EQ(led.undos(), 20u);
  EXPECT_FALSE(led.can_redo());
  led.undo();
  EXPECT_EQ(as_text(led.now()), as_text(history.now()));
}

TEST(StudioHistoryFile, NoDamageIsMoreThanASentence) {
  const std::string text = history_json(busy_history(25).line(), "hero.glb");
  for (std::size_t cut = 0; cut + 2 < text.size(); cut += text.size() / 150 + 1)
    EXPECT_THROW(history_from_json(text.substr(0, cut), "h"), Error) << cut;
  // A byte changed anywhere: either the file says so, or it is another history that makes sense.
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    std::string damaged = text;
    damaged[random() % damaged.size()] = "0123456789{}[]\",:-eE.x\\\xff"[random() % 24];
    try {
      History read(history_from_json(damaged, "h"));
      while (read.can_undo()) read.undo();
      project_json(read.now(), "hero.glb");
    } catch (const Error& error) {
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find("h"), std::string::npos);
      EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    }
  }
}

TEST(StudioHistoryFile, WhatIsNoHistoryIsNamed) {
  const auto sentence_of = [](const std::string& text) {
    try {
      history_from_json(text, "hero.studio.history.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string head = R"({"sinew studio history": 1, "at": 0, "acts": [], "poses": [{}], )";
  EXPECT_EQ(sentence_of(head + R"("states": [{"method": "flesh", "pose": 0}]})"), "");
  for (const char* rest :
       {R"("states": 7})", R"("states": [7]})", R"("states": [{"method": "flesh"}]})",
        R"("states": [{"method": "flesh", "pose": 1}]})", R"("states": [{"method": "flesh", "pose": -1}]})",
        R"("states": [{"method": "flesh", "pose": "0"}]})",
        R"("states": [{"method": "flesh", "pose": 0, "settings": {"flesh": 0}}]})",
        R"("states": [{"method": "flesh", "pose": 0, "kept_poses": 0}]})",
        R"("kept_poses": [3], "states": [{"method": "flesh", "pose": 0}]})",
        R"("states": [{"method": "flesh", "pose": 0, "takes": [0]}]})",
        R"("takes": [7], "states": [{"method": "flesh", "pose": 0}]})",
        R"("settings": [7], "states": [{"method": "flesh", "pose": 0}]})",
        R"("blocks": ["AACAfw=="], "states": [{"method": "flesh", "pose": 0}]})",
        R"("blocks": [""], "states": [{"method": "flesh", "pose": 0}]})",
        R"("blocks": ["AACAPw=="], "layers": [[0, 0]], "states": [{"method": "flesh", "pose": 0}]})",
        R"("blocks": ["AACAPw=="], "layers": [[0]], "states": [{"method": "flesh", "pose": 0, "paint": {"blue": 0}}]})",
        R"("states": [{"method": "flesh", "pose": 0}, {"method": "flesh", "pose": 0}]})"})
    EXPECT_TRUE(sentence_of(head + rest).ends_with("earlier changes cannot be undone."))
        << rest << sentence_of(head + rest);
  for (const char* wrong :
       {"", "[]", "{}", R"({"sinew studio history": 2})",
        R"({"sinew studio history": 1, "at": 1, "acts": [], "poses": [{}], "states": [{"method": "a", "pose": 0}]})"})
    EXPECT_TRUE(sentence_of(wrong).starts_with("hero.studio.history.json")) << wrong;
}

TEST(StudioHistoryFile, NeitherFoldersNorGiantsAreRead) {
  const std::filesystem::path folder = test::scratch_path("history");
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = history_path(folder / "hero.glb");
  EXPECT_EQ(file.filename(), "hero.studio.history.json");
  EXPECT_THROW(read_history(file), Error);
  std::filesystem::create_directories(file);
  EXPECT_THROW(read_history(file), Error);
  std::filesystem::remove(file);
  write_text_file(file, "{");
  std::filesystem::resize_file(file, 3 * most_history_bytes);
  EXPECT_THROW(read_history(file), Error);
  write_text_file(file, history_json(busy_history(5).line(), "hero.glb"));
  EXPECT_EQ(read_history(file).states.size(), 6u);
}

}  // namespace
