// Takes as files: what is written reads back to the bit, and what makes no sense is a sentence.
#include "sinew/session/take_json.h"

#include <gtest/gtest.h>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

Take example_take() {
  Action poke;
  poke.point = {0.1, 1.0 / 3, -2e-9};
  poke.force = {0, 0, -50.000000001};
  poke.radius = 0.1;
  poke.seconds = 0.05;
  Action grab;
  grab.kind = Action::Kind::grab;
  grab.name = "hand";
  grab.point = {1, 2, 3};
  grab.target = {0.7, 0.1, 1e-17};
  grab.radius = 0.07;
  Action drag = grab;
  drag.kind = Action::Kind::drag;
  drag.point = {};
  drag.radius.reset();
  Action release;
  release.kind = Action::Kind::release;
  release.name = "hand";
  Action gravity;
  gravity.kind = Action::Kind::gravity;
  gravity.gravity = {0.1, -1.62, 1e-17};
  return {{0, poke}, {0.1 + 0.2, grab}, {0.31, drag}, {0.31, release}, {0.4, gravity}};
}

TEST(TakeFile, ReadsBackToTheBit) {
  const Take take = example_take(), read = take_from_json(take_json(take), "take.json");
  ASSERT_EQ(read.size(), take.size());
  for (std::size_t k = 0; k < take.size(); ++k) {
    const Action &a = take[k].action, &b = read[k].action;
    EXPECT_EQ(take[k].elapsed, read[k].elapsed);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.point, b.point);
    EXPECT_EQ(a.force, b.force);
    EXPECT_EQ(a.target, b.target);
    EXPECT_EQ(a.gravity, b.gravity);
    EXPECT_EQ(a.radius, b.radius);
    EXPECT_EQ(a.seconds, b.seconds);
  }
}

// What was recorded before grabs had a radius held a point.
TEST(TakeFile, OlderGrabsHoldAPoint) {
  const Take take = take_from_json(
      R"({"take": 1, "actions": [{"elapsed": 0.1, "do": "grab", "name": "hand", "point": [0, 1, 0], "target": [0, 1, 1]}]})",
      "take.json");
  EXPECT_EQ(take[0].action.radius, 0);
}

TEST(TakeFile, WhatMakesNoSenseIsASentence) {
  const auto refusal = [](const std::string& text) {
    return test::refusal(ErrorKind::input, [&] { take_from_json(text, "take.json"); });
  };
  EXPECT_NE(refusal("{}").find("take.json: is no take of this version"), std::string::npos);
  EXPECT_NE(refusal("[1]").find("take.json"), std::string::npos);
  const auto one = [](const std::string& action) { return R"({"take": 1, "actions": [)" + action + "]}"; };
  EXPECT_NE(refusal(one(R"({"elapsed": 0, "do": "kick"})")).find("'kick' is not one of poke, grab, drag, release"),
            std::string::npos);
  EXPECT_NE(refusal(one(R"({"elapsed": 0, "do": "poke", "seconds": 0})")).find("must act for some seconds"),
            std::string::npos);
  EXPECT_NE(refusal(one(R"({"elapsed": 0, "do": "release", "force": [0, 0, 1]})")).find("force"), std::string::npos);
  EXPECT_NE(refusal(one(R"({"elapsed": 1, "do": "gravity"}, {"elapsed": 0.5, "do": "gravity"})")).find("actions[1]: "),
            std::string::npos);
  EXPECT_NE(refusal(one(R"({"elapsed": -1, "do": "gravity"})")).find("'elapsed' must not be negative"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"take": 1})").find("take.json: has no \"actions\""), std::string::npos);
  EXPECT_TRUE(take_from_json(R"({"take": 1, "actions": []})", "take.json").empty());
}

TEST(TakeFile, SentencesNameTheirPlaceOnceAndEndOnce) {
  const auto refusal = [](const std::string& actions) {
    return test::refusal(ErrorKind::input,
                         [&] { take_from_json(R"({"take": 1, "actions": [)" + actions + "]}", "take.json"); });
  };
  EXPECT_EQ(refusal(R"({"elapsed": 0, "do": "poke", "seconds": 0})"),
            "take.json: actions[0]: a poke must act for some seconds.");
  EXPECT_EQ(
      refusal(
          R"({"elapsed": 0, "do": "grab", "name": "q"}, {"elapsed": 1, "do": "release", "name": "q"}, {"elapsed": 2, "do": "drag", "name": "q"})"),
      "take.json: actions[2]: nothing is held as 'q' then; grab it first.");
}

}  // namespace
}  // namespace sinew
