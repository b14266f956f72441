#include "studio/server/project/project.h"

#include <gtest/gtest.h>

#include <random>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "studio/server/project/history.h"
#include "studio/server/project/project_file.h"
#include "tests/base/scratch.h"

namespace {

using namespace sinew;
using namespace sinew::studio;

PaintLayer layer_of(std::size_t vertices, float value) { return PaintLayer(std::vector<float>(vertices, value)); }

Project some_project() {
  Project project;
  project.method = "flesh";
  project.settings["flesh"] = "{\n  \"look\": \"lively\",\n  \"damping\": 0.1234567890123456789\n}\n";
  project.paint["stiffness"] = layer_of(1000, 1).painted(std::vector<std::pair<int, float>>{{0, 0.1f}, {999, 3.3f}});
  project.pose.joints[3] = {0.1, 0.2, 0.3, 0.9273618495495704};
  project.pose.carried = {1.0 / 3, 0, -0.1};
  project.kept_poses["kick"]["knee"] = {0.1, 0.2, 0.3, 0.9273618495495704};
  NamedTake take{"take 1", {"run", 1.2345678901234567, {}}};
  Action action;
  action.kind = Action::Kind::grab;
  action.name = "hand";
  action.point = {0.1, 0.2, 0.3};
  action.target = {1.0 / 7, 2, 3};
  action.radius = 0.07;
  take.take.actions.push_back({1.0 / 240, action});
  project.takes.push_back(std::make_shared<const NamedTake>(take));
  project.motions = {"walk.bvh@walk", "test:jump"};
  project.motion_map = "bones.json";
  return project;
}

TEST(StudioProject, ComesBackToTheBit) {
  const Project project = some_project();
  const std::string text = project_json(project, "hero.glb");
  const Project back = project_from_json(text, "hero.studio.json");
  EXPECT_EQ(project_json(back, "hero.glb"), text);
  EXPECT_EQ(back.pose, project.pose);
  EXPECT_EQ(back.kept_poses, project.kept_poses);
  EXPECT_EQ(back.paint, project.paint);
  EXPECT_EQ(back.motions, project.motions);
  EXPECT_EQ(back.motion_map, project.motion_map);
  ASSERT_EQ(back.takes.size(), 1u);
  EXPECT_EQ(back.takes[0]->take.seconds, project.takes[0]->take.seconds);
  EXPECT_EQ(back.takes[0]->take.actions[0].elapsed, 1.0 / 240);
  EXPECT_EQ(back.takes[0]->take.actions[0].action.target, (Vec3{1.0 / 7, 2, 3}));
}

TEST(StudioProject, DamagedFilesAreSentences) {
  const std::string text = project_json(some_project(), "hero.glb");
  for (std::size_t cut = 0; cut + 2 < text.size(); cut += 97)
    EXPECT_THROW(project_from_json(text.substr(0, cut), "p"), Error) << cut;
  for (const char* wrong :
       {"{}", "[]", R"({"sinew studio project": 2})", R"({"sinew studio project": 1})",
        R"({"sinew studio project": 1, "method": "flesh", "paint": {"stiffness": {"values": "?"}}})",
        R"({"sinew studio project": 1, "method": "flesh", "paint": {"stiffness": {"values": "AACAfw=="}}})",
        R"({"sinew studio project": 1, "method": "flesh", "paint": {"blue": {"values": ""}}})",
        R"({"sinew studio project": 1, "method": "flesh", "pose": {"joints": {"x": [0, 0, 0, 1]}}})",
        R"({"sinew studio project": 1, "method": "flesh", "kept_poses": {"kick": {"knee": [0, 0, 0]}}})",
        R"({"sinew studio project": 1, "method": "flesh", "kept_poses": {"kick": 3}})",
        R"({"sinew studio project": 1, "method": "flesh", "kept_poses": []})",
        R"({"sinew studio project": 1, "method": "flesh", "motions": "test:jump"})",
        R"({"sinew studio project": 1, "method": "flesh", "motions": [3]})",
        R"({"sinew studio project": 1, "method": "flesh", "takes": [7]})"})
    EXPECT_THROW(project_from_json(wrong, "p"), Error) << wrong;
}

TEST(StudioHistory, HundredsOfActsBackToTheStartAndForthAgainToTheBit) {
  std::mt19937 random(7);
  Project start;
  start.method = "flesh";
  History history(start);
  std::vector<std::string> texts{project_json(history.now(), "hero.glb")};
  for (int k = 0; k < 500; ++k) {
    Project next = history.now();
    switch (random() % 4) {
      case 0:
        next.settings["flesh"] =
            "{\n  \"damping\": " + std::to_string(0.001 * static_cast<double>(random() % 1000)) + "\n}\n";
        break;
      case 1: {
        const PaintLayer before = next.paint.contains("stiffness") ? next.paint["stiffness"] : layer_of(8000, 1);
        std::vector<std::pair<int, float>> stroke;
        for (int v = 0; v < 50; ++v)
          stroke.emplace_back(static_cast<int>(random() % 8000), 0.01f * static_cast<float>(random() % 300));
        next.paint["stiffness"] = before.painted(stroke);
        break;
      }
      case 2:
        next.pose.joints[static_cast<int>(random() % 20)] = {0, 0, 0.6, 0.8};
        break;
      case 3:
        next.pose.carried.x += 0.1;
        break;
    }
    history.act(next, "something", "", k);
    texts.push_back(project_json(history.now(), "hero.glb"));
  }
  for (std::size_t k = texts.size(); k-- > 1;) {
    ASSERT_EQ(project_json(history.now(), "hero.glb"), texts[k]);
    history.undo();
  }
  EXPECT_EQ(project_json(history.now(), "hero.glb"), texts[0]);
  EXPECT_FALSE(history.can_undo());
  for (std::size_t k = 1; k < texts.size(); ++k) {
    history.redo();
    ASSERT_EQ(project_json(history.now(), "hero.glb"), texts[k]);
  }
  EXPECT_FALSE(history.can_redo());
}

TEST(StudioHistory, ASlidersMovementIsOneAct) {
  History history;
  for (int k = 0; k < 30; ++k) {
    Project next = history.now();
    next.settings["flesh"] = std::to_string(k);
    history.act(next, "damping", "set damping", 0.02 * k);
  }
  EXPECT_EQ(history.undos(), 1u);
  Project next = history.now();
  next.settings["flesh"] = "later";
  history.act(next, "damping", "set damping", 30);
  EXPECT_EQ(history.undos(), 2u);
  history.undo();
  history.undo();
  EXPECT_TRUE(history.now().settings.empty());
}

TEST(StudioHistory, APointersStrokeIsOneActHoweverLongItTakes) {
  History history;
  const auto slide = [&](double time, std::uint64_t stroke, const std::string& value) {
    Project next = history.now();
    next.settings["flesh"] = value;
    history.act(next, "damping", "set damping", time, stroke);
  };
  slide(0, 7, "a");
  slide(5, 7, "b");  // the pointer rested
  EXPECT_EQ(history.undos(), 1u);
  slide(5.1, 8, "c");  // it was let go, and pressed again at once
  slide(5.2, 8, "d");
  EXPECT_EQ(history.undos(), 2u);
  slide(5.3, 0, "e");  // a key
  EXPECT_EQ(history.undos(), 3u);
  history.undo();
  history.undo();
  EXPECT_EQ(history.now().settings.at("flesh"), "b");
}

TEST(StudioHistory, WhatIsDoneAnewEndsRedo) {
  History history;
  Project a, b;
  a.method = "a";
  b.method = "b";
  history.act(a, "a", "", 0);
  history.undo();
  history.act(b, "b", "", 0);
  EXPECT_FALSE(history.can_redo());
  history.undo();
  EXPECT_EQ(history.now().method, "");
}

TEST(StudioProjectFile, IsOnDiskWithinASecondAndNeverHalf) {
  const std::filesystem::path folder = test::scratch_path("files");
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = project_path(folder / "hero.glb");
  EXPECT_EQ(file.filename(), "hero.studio.json");
  std::string complaint;
  {
    ProjectFile saver([&](const std::string& sentence) { complaint = sentence; });
    for (int k = 0; k < 100; ++k)
      saver.save(file, [k] { return std::string(1'000'000, static_cast<char>('a' + k % 26)); });
    saver.flush();
    EXPECT_EQ(read_text_file(file), std::string(1'000'000, static_cast<char>('a' + 99 % 26)));
    saver.save(file, [] { return std::string("last"); });
  }
  EXPECT_EQ(read_text_file(file), "last");  // the end of the program waits for it
  EXPECT_EQ(complaint, "");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 1u);
}

TEST(StudioProjectFile, SaysThatItCannotWrite) {
  std::string complaint;
  {
    ProjectFile saver([&](const std::string& sentence) { complaint = sentence; });
    saver.save("/nowhere/at/all.studio.json", [] { return std::string("x"); });
  }
  EXPECT_NE(complaint.find("/nowhere/at/all"), std::string::npos);
}

TEST(StudioPaintLayer, TextGivesTheSameNumbers) {
  std::mt19937 random(3);
  for (std::size_t count : {0u, 1u, 2u, 3u, 4u, 255u, 256u, 257u, 1000u}) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(random()) / 1e7f;
    EXPECT_EQ(floats_from_base64(base64(values)), values);
    EXPECT_EQ(PaintLayer(values).values(), values);
  }
  EXPECT_EQ(base64(std::vector<float>{1.f}), "AACAPw==");
}

}  // namespace
