// Takes as files: what is written reads back to the bit, and what makes no sense is a sentence.
#include "sinew/session/take_json.h"

#include <gtest/gtest.h>

#include <set>

#include "sinew/base/overloaded.h"
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

// A take in the words of the first versions.
TEST(TakeFile, WordsOfFilesStay) {
  EXPECT_EQ(take_json({example_take()[0], example_take()[3]}),
            R"({
  "take": 1,
  "actions": [
    {
      "elapsed": 0.0,
      "do": "poke",
      "point": [
        0.1,
        0.3333333333333333,
        -2e-09
      ],
      "force": [
        0.0,
        0.0,
        -50.000000001
      ],
      "radius": 0.1,
      "seconds": 0.05
    },
    {
      "elapsed": 0.31,
      "do": "release",
      "name": "hand"
    }
  ]
}
)");
}

// A load that the library does not have, as one more row of the table.
constexpr auto wind = static_cast<Action::Kind>(77);
std::vector<ActionKind> with_wind() {
  std::vector<ActionKind> kinds(action_kinds().begin(), action_kinds().end());
  kinds.push_back(
      {wind,
       "wind",
       &Capabilities::loads,
       {{.key = "force", .value = &Action::force}, {.key = "seconds", .value = &Action::seconds, .range = above(0)}},
       [](const Action& a) {
         return Load{a.point, a.force};
       }});
  return kinds;
}

TEST(ActionTable, ALoadIsARow) {
  const std::vector<ActionKind> kinds = with_wind();
  Action blow;
  blow.kind = wind;
  blow.force = {1, 2, 3};
  blow.seconds = 0.5;
  const Take take{{0.25, blow}};
  const std::string text = take_json(take, kinds);
  EXPECT_NE(text.find(R"("do": "wind")"), std::string::npos);
  const Take read = take_from_json(text, "take.json", kinds);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].action.kind, wind);
  EXPECT_EQ(read[0].action.force, blow.force);
  EXPECT_EQ(read[0].action.seconds, 0.5);
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { take_from_json(text, "take.json"); }).find("'wind' is not one of"),
            std::string::npos);
  const auto print_of = [&](const Action& action) {
    Fingerprint print;
    add_take(print, {{0.25, action}}, kinds);
    return print.value();
  };
  Action stronger = blow, longer = blow;
  stronger.force.y = 4;
  longer.seconds = 1;
  EXPECT_NE(print_of(blow), print_of(stronger));
  EXPECT_NE(print_of(blow), print_of(longer));
}

TEST(ActionTable, FingerprintsTellEveryMemberApart) {
  const auto print_of = [](const TimedAction& timed) {
    Fingerprint print;
    add_take(print, {timed});
    return print.value();
  };
  std::set<std::uint64_t> prints;
  std::size_t count = 0;
  for (const TimedAction& timed : example_take()) {
    TimedAction later = timed;
    later.elapsed += 1;
    for (const TimedAction& action : {timed, later}) prints.insert(print_of(action)), ++count;
    const ActionKind& row = kind_of(timed.action);
    TimedAction changed = timed;
    for (const Setting& member : row.members) {
      changed = timed;
      visit_value(member, row.of(changed.action),
                  Overloaded{[](double& value) { value += 1; }, [](std::optional<double>& value) { value = 9; },
                             [](std::string& value) { value += "x"; }, [](Vec3& value) { value.y += 1; },
                             [](const auto&) { FAIL(); }});
      prints.insert(print_of(changed)), ++count;
    }
  }
  EXPECT_EQ(prints.size(), count);
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
  EXPECT_NE(refusal(one(R"({"elapsed": 0, "do": "poke", "seconds": 0})")).find("'seconds' must be positive"),
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
            "take.json: actions[0]: 'seconds' must be positive, in seconds.");
  EXPECT_EQ(
      refusal(
          R"({"elapsed": 0, "do": "grab", "name": "q"}, {"elapsed": 1, "do": "release", "name": "q"}, {"elapsed": 2, "do": "drag", "name": "q"})"),
      "take.json: actions[2]: nothing is held as 'q' then; grab it first.");
}

}  // namespace
}  // namespace sinew
