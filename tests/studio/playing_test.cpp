// Pages see, while the studio plays: the character, the clip, hands, poses, cells and a second method beside the
// first.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/fit_file.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;

TEST_F(StudioSession, PlaysTheCharacterThatWasNamed) {
  EXPECT_EQ(state_["character"]["name"], "tube.glb");
  EXPECT_EQ(state_["method"]["name"], "flesh");
  EXPECT_TRUE(state_["method"]["can"]["held"]);
  EXPECT_TRUE(state_["play"]["playing"]);
  const ReadFrame first = page_->frame();
  EXPECT_EQ(first.positions.size(), state_["character"]["vertices"]);
  EXPECT_EQ(first.joints.size(), state_["character"]["joints"].size());
  ReadFrame later = page_->frame();
  while (later.elapsed < first.elapsed + 0.25) later = page_->frame();
  EXPECT_GT(later.number, first.number);
  double moved = 0;
  for (std::size_t v = 0; v < first.positions.size(); ++v)
    moved = std::max(moved, distance(first.positions[v], later.positions[v]));
  EXPECT_GT(moved, 0.01);
}

TEST_F(StudioSession, ThePagesCharacterIsTheFiles) {
  const HttpAnswer glb = http(studio_->port(), "GET", "/character.glb?token=" + studio_->token());
  ASSERT_EQ(glb.status, 200);
  const Character character = read_character(std::as_bytes(std::span(glb.body)), "character.glb");
  const Character file = read_character(folder_ / "tube.glb");
  ASSERT_EQ(character.parts.size(), file.parts.size());
  EXPECT_EQ(character.parts[0].surface.positions, file.parts[0].surface.positions);
  EXPECT_EQ(http(studio_->port(), "GET", "/character.glb?number=1&token=" + studio_->token()).status, 200);
  EXPECT_EQ(http(studio_->port(), "GET", "/character.glb?number=7&token=" + studio_->token()).status, 204);
  const HttpAnswer surface = http(studio_->port(), "GET", "/surface?token=" + studio_->token());
  ASSERT_EQ(surface.status, 200);
  FrameReader reader(std::as_bytes(std::span(surface.body)));
  EXPECT_EQ(reader.take<std::uint32_t>(), 0x53574e53u);
  EXPECT_EQ(reader.take<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.take<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.take<std::uint32_t>(), state_["character"]["vertices"]);
  const auto triangles = reader.take<std::uint32_t>(), parts = reader.take<std::uint32_t>();
  EXPECT_EQ(parts, 1u);
  for (std::size_t k = 0; k < 3 * state_["character"]["vertices"].get<std::size_t>(); ++k) reader.take<float>();
  for (std::uint32_t k = 0; k < 3 * triangles; ++k)
    EXPECT_LT(reader.take<std::uint32_t>(), state_["character"]["vertices"]);
  EXPECT_EQ(reader.take<std::uint32_t>(), static_cast<std::uint32_t>(file.parts[0].joint));
  EXPECT_EQ(reader.take<std::uint32_t>(), 0u);
  EXPECT_EQ(reader.take<std::uint32_t>(), 0u);
  const auto count = reader.take<std::uint32_t>();
  EXPECT_EQ(count, file.parts[0].surface.positions.size());
  for (std::uint32_t k = 0; k < count; ++k) EXPECT_LT(reader.take<std::uint32_t>(), state_["character"]["vertices"]);
  EXPECT_TRUE(reader.at_end());
}

TEST_F(StudioSession, PausedTimeStandsAndTouchedFleshMovesAndComesBack) {
  ask("pause");
  const ReadFrame still = page_->frame_after(page_->say("scrub", {{"time", 0.5}}));
  EXPECT_NEAR(still.clip_time, 0.5, 1e-9);
  ask("grab", {{"name", "hand"}, {"at", {300, 0.3, 0.3}}});
  const Json hand = page_->event("changed");
  Json hands = hand;
  while (!hands.contains("hands")) hands = page_->event("changed");
  const Json target = hands["hands"][0]["target"];
  const int drag = page_->say(
      "drag", {{"name", "hand"},
               {"target", {target[0].get<double>(), target[1].get<double>(), target[2].get<double>() + 0.03}}});
  page_->frame_after(drag);
  const ReadFrame pulled = page_->settled();
  EXPECT_NEAR(pulled.clip_time, 0.5, 1e-9);
  const auto farthest = [&](const ReadFrame& frame) {
    double most = 0;
    for (std::size_t v = 0; v < still.positions.size(); ++v)
      most = std::max(most, distance(frame.positions[v], still.positions[v]));
    return most;
  };
  EXPECT_GT(farthest(pulled), 0.02);
  page_->frame_after(page_->say("release"));
  EXPECT_LT(farthest(page_->settled()), 0.002);
}

TEST_F(StudioSession, AJointIsTurnedAndGivenBack) {
  ask("pause");
  const ReadFrame before = page_->frame_after(page_->say("scrub", {{"time", 0.0}}));
  int joint = -1;
  for (std::size_t j = 0; j < state_["character"]["joints"].size(); ++j)
    if (state_["character"]["joints"][j]["name"] == "lower") joint = static_cast<int>(j);
  ASSERT_GE(joint, 0);
  const int turn = page_->say("pose", {{"joints", {{std::to_string(joint), {0.0, 0.0, 0.3826834, 0.9238795}}}}});
  page_->frame_after(turn);
  const ReadFrame turned = page_->settled();
  const Affine& there = turned.joints[static_cast<std::size_t>(joint)];
  EXPECT_GT(frobenius_norm(there.linear - before.joints[static_cast<std::size_t>(joint)].linear), 0.3);
  page_->frame_after(page_->say("undo"));
  const ReadFrame back = page_->settled();
  EXPECT_LT(frobenius_norm(back.joints[static_cast<std::size_t>(joint)].linear -
                           before.joints[static_cast<std::size_t>(joint)].linear),
            1e-3);
}

TEST_F(StudioSession, AJointIsLedToAPlaceAndItsLimbFollows) {
  ask("pause");
  const ReadFrame before = page_->frame_after(page_->say("scrub", {{"time", 0.3}}));
  const Json joints = state_["character"]["joints"];
  int joint = -1;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j]["name"] == "upper") joint = static_cast<int>(j);
  ASSERT_GE(joint, 0);
  const auto place = [&](const ReadFrame& frame, int j) {
    return frame.joints[static_cast<std::size_t>(j)].translation;
  };
  const int parent = joints[static_cast<std::size_t>(joint)]["parent"];
  // A quarter of the way to the side, at the bone's length.
  const Vec3 root = place(before, parent), bone = place(before, joint) - root;
  const Vec3 target = root + normalized(bone + Vec3{0.25 * norm(bone), 0, 0}) * norm(bone);
  const Json request{{"joint", joint},
                     {"target", {target.x, target.y, target.z}},
                     {"pinned", Json::object()},
                     {"clip_time", before.clip_time}};
  page_->frame_after(page_->say("reach", request));
  const ReadFrame reached = page_->settled();
  EXPECT_LT(distance(place(reached, joint), target), 1e-3 * norm(bone));
  EXPECT_TRUE(state()["pose"].contains(std::to_string(parent)));
  page_->frame_after(page_->say("undo"));
  EXPECT_LT(distance(place(page_->settled(), joint), place(before, joint)), 1e-3 * norm(bone));

  Json wrong = request;
  wrong["joint"] = 9999;
  EXPECT_EQ(refused("reach", wrong), "Joint 9999 is none of the character's bones.");
}

TEST_F(StudioSession, TheLineOfTheBodyFollowsAStroke) {
  ask("pause");
  const ReadFrame before = page_->frame_after(page_->say("scrub", {{"time", 0.3}}));
  const Json joints = state_["character"]["joints"];
  const auto named = [&](const char* name) {
    for (std::size_t j = 0; j < joints.size(); ++j)
      if (joints[j]["name"] == name) return static_cast<int>(j);
    ADD_FAILURE() << name;
    return 0;
  };
  const int tip = named("upper"), root = named("lower");
  const auto place = [](const ReadFrame& frame, int j) {
    return frame.joints[static_cast<std::size_t>(j)].translation;
  };
  const auto as_json = [](const Vec3& v) { return Json{v.x, v.y, v.z}; };
  // Along the bone, and then aside by 0.4 of it.
  const Vec3 base = place(before, root), bone = place(before, tip) - base;
  const Vec3 end = base + bone + Vec3{0.4 * norm(bone), 0, 0}, eye = base + Vec3{0, 0, 5};
  const Json request{{"points", {as_json(base), as_json(end)}},
                     {"normal", {0, 0, 1}},
                     {"eye", as_json(eye)},
                     {"pinned", Json::object()},
                     {"feet_stay", false},
                     {"clip_time", before.clip_time}};
  page_->frame_after(page_->say("line", request));
  const ReadFrame followed = page_->settled();
  EXPECT_FALSE(state()["pose"].empty());
  const Vec3 now = place(followed, tip) - place(followed, root);
  EXPECT_GT(now.x, bone.x + 0.2 * norm(bone));
  EXPECT_NEAR(norm(now), norm(bone), 0.1 * norm(bone));
  page_->frame_after(page_->say("undo"));
  EXPECT_LT(distance(place(page_->settled(), tip), place(before, tip)), 1e-3 * norm(bone));
  EXPECT_TRUE(state()["pose"].empty());

  const auto changed = [&](const char* key, const Json& value) {
    Json other = request;
    other[key] = value;
    return other;
  };
  EXPECT_EQ(refused("line", changed("through", 9999)), "Joint 9999 is none of the character's bones.");
  EXPECT_EQ(refused("line", changed("pinned", {{"9999", {0, 0, 0}}})), "Joint 9999 is none of the character's bones.");
  EXPECT_EQ(refused("line", changed("eye", {0, 0, -5000})), "The eye is behind the plane of the line.");
  EXPECT_EQ(refused("line", changed("normal", {0, 0, 0})), "A line needs two points and a plane.");
  EXPECT_EQ(refused("line", changed("points", {as_json(base), as_json(base)})), "The line has no length.");
  EXPECT_NE(refused("line", changed("points", Json::array())).find("2 to 2000 places"), std::string::npos);
  EXPECT_NE(refused("line", changed("points", {{1, 2}, {3, 4}})).find("points"), std::string::npos);
}

TEST_F(StudioSession, CellsMoveWithTheFleshInThem) {
  ask("pause");
  ask("show", {{"cells", true}});
  const Json cells = ask("cells");
  EXPECT_EQ(cells["kind"], "tetrahedra");
  const ReadFrame frame = page_->frame_after(page_->say("scrub", {{"time", 0.5}}));
  EXPECT_EQ(frame.cells_number, cells["number"]);
  ASSERT_EQ(frame.cells.size(), cells["points"].get<std::size_t>());
  // The body is as large as its skin, in whatever pose.
  const auto box = [](const std::vector<Vec3>& points) {
    std::pair<Vec3, Vec3> result{points[0], points[0]};
    for (const Vec3& point : points) result = {min(result.first, point), max(result.second, point)};
    return result;
  };
  const auto body = box(frame.cells), skin = box(frame.positions);
  const double size = norm(skin.second - skin.first);
  EXPECT_LT(distance(body.first, skin.first), 0.1 * size);
  EXPECT_LT(distance(body.second, skin.second), 0.1 * size);
  ask("show", {{"cells", false}});
  EXPECT_TRUE(page_->frame_after(page_->say("scrub", {{"time", 0.4}})).cells.empty());
}

TEST_F(StudioSession, TheSameMethodBesideItselfIsTheSame) {
  ask("beside", {{"method", "flesh"}});
  EXPECT_EQ(state()["beside"]["method"], "flesh");
  ask("show", {{"measures", true}});
  ask("grab", {{"name", "hand"}, {"at", {300, 0.3, 0.3}}});
  ask("carry", {{"by", {0.05, 0, 0}}});
  ReadFrame frame = page_->frame();
  for (const double until = frame.elapsed + 0.5; frame.elapsed < until;) {
    frame = page_->frame();
    ASSERT_EQ(frame.comparison, frame.positions) << frame.elapsed;
    EXPECT_EQ(frame.comparison_measures[3], frame.measures[3]);
  }
  ask("beside");
  EXPECT_TRUE(state()["beside"].is_null());
  EXPECT_TRUE(page_->frame_after(page_->say("release")).comparison.empty());
}

TEST_F(StudioSession, AnotherMethodStandsBesideInTheSamePose) {
  ask("beside", {{"method", "linear"}});
  ask("show", {{"goal", true}});
  const ReadFrame frame = page_->frame_after(page_->say("scrub", {{"time", 0.5}}));
  ASSERT_EQ(frame.comparison.size(), frame.goal.size());
  // Linear skinning is where flesh rests at.
  for (std::size_t v = 0; v < frame.goal.size(); ++v) EXPECT_LT(distance(frame.comparison[v], frame.goal[v]), 1e-3);
  EXPECT_TRUE(page_->ask("beside", {{"method", "telepathy"}}).contains("error"));
  ask("set", {{"path", "look"}, {"value", "lively"}});
  EXPECT_FALSE(page_->frame().comparison.empty());  // the character changed, not what is beside it
}

TEST_F(StudioSession, AModelThatWasFittedPlaysAndIsDragged) {
  FitJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "tube.sinew";
  job.settings.tetrahedra = 200;
  job.examples.resize(1);
  job.exercise = false;
  job.fit.iterations = 5;
  fit_file(job);
  ask("pause");
  ask("method", {{"name", "surface"}, {"model", (folder_ / "tube.sinew").string()}});
  EXPECT_EQ(state()["method"]["name"], "surface");
  ask("scrub", {{"time", 0.5}});
  const ReadFrame still = page_->settled();
  ask("grab", {{"name", "hand"}, {"at", {300, 0.3, 0.3}}});
  const Json target = state()["hands"][0]["target"];
  page_->frame_after(page_->say(
      "drag", {{"name", "hand"},
               {"target", {target[0].get<double>(), target[1].get<double>(), target[2].get<double>() + 0.05}}}));
  const ReadFrame pulled = page_->settled();
  double most = 0;
  for (std::size_t v = 0; v < still.positions.size(); ++v)
    most = std::max(most, distance(pulled.positions[v], still.positions[v]));
  EXPECT_GT(most, 0.02);
  EXPECT_LT(most, 0.2);
  page_->frame_after(page_->say("release"));
  const ReadFrame back = page_->settled();
  for (std::size_t v = 0; v < still.positions.size(); ++v)
    EXPECT_LT(distance(back.positions[v], still.positions[v]), 0.01);
}

TEST_F(StudioSession, AClipGoesOnAfterATakeWasReplayed) {
  ask("take", {{"action", "record"}, {"name", "poked"}});
  ask("poke", {{"at", {300, 0.3, 0.3}}, {"force", {0, 0, 5}}, {"seconds", 0.1}, {"radius", 0.1}});
  for (ReadFrame now = page_->frame(); now.elapsed < 0.3;) now = page_->frame();
  ask("take", {{"action", "stop"}});
  ask("take", {{"action", "play"}, {"name", "poked"}});
  EXPECT_EQ(state()["take"]["doing"], "playing");
  const double seconds = state()["takes"][0]["seconds"];
  double last = 0;  // elapsed of the replay
  ReadFrame now = page_->frame();
  for (; now.elapsed >= last; now = page_->frame()) last = now.elapsed;  // until it begins anew
  EXPECT_NEAR(last, seconds, 0.2);
  for (; now.elapsed < 0.5;) now = page_->frame();
  const Json after = state();
  EXPECT_TRUE(after["take"].is_null()) << after["take"];
  EXPECT_TRUE(after["play"]["playing"]);
  EXPECT_TRUE(after["play"]["loop"]);
}

// Redo brings back a take of the name that the recording has: both are kept.
TEST_F(StudioSession, ATakeIsKeptBesideOneThatTookItsName) {
  const auto recorded = [&] {
    ask("take", {{"action", "record"}});
    for (ReadFrame now = page_->frame(); now.elapsed < 0.1;) now = page_->frame();
  };
  recorded();
  ask("take", {{"action", "stop"}});
  ask("undo");
  ASSERT_TRUE(state()["takes"].empty());
  recorded();
  ask("redo");
  ask("take", {{"action", "stop"}});
  const Json takes = state()["takes"];
  ASSERT_EQ(takes.size(), 2u) << takes;
  EXPECT_EQ(takes[0]["name"], "take 1");
  EXPECT_EQ(takes[1]["name"], "take 2");
}

}  // namespace
