#include "studio/server/project/trim_take.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "studio/server/project/edit_takes.h"
#include "studio/server/project/project_parts.h"

namespace {

using namespace sinew;
using namespace sinew::studio;

TimedAction grab(double time, const std::string& name, const Vec3& target) {
  Action action;
  action.kind = Action::Kind::grab;
  action.name = name;
  action.point = {0.1, 0.2, 0.3};
  action.radius = 0.05;
  action.target = target;
  return {time, action};
}
TimedAction drag(double time, const std::string& name, const Vec3& target) {
  Action action;
  action.kind = Action::Kind::drag;
  action.name = name;
  action.target = target;
  return {time, action};
}
TimedAction release(double time, const std::string& name) {
  Action action;
  action.kind = Action::Kind::release;
  action.name = name;
  return {time, action};
}
TimedAction poke(double time, double seconds) {
  Action action;
  action.force = {0, 0, 5};
  action.seconds = seconds;
  return {time, action};
}
TimedAction gravity(double time, double y) {
  Action action;
  action.kind = Action::Kind::gravity;
  action.gravity = {0, y, 0};
  return {time, action};
}

TEST(TrimTake, CutsBothEnds) {
  const RecordedTake take{"run", 4, {poke(0.5, 0.1), poke(1.5, 0.1), poke(2.5, 0.1), poke(3.5, 0.1)}};
  const RecordedTake part = trimmed(take, 1, 3);
  EXPECT_EQ(part.clip, "run");
  EXPECT_EQ(part.begin, 1);
  EXPECT_EQ(part.seconds, 2);
  ASSERT_EQ(part.actions.size(), 2u);
  EXPECT_EQ(part.actions[0].elapsed, 0.5);
  EXPECT_EQ(part.actions[1].elapsed, 1.5);
  // A part of a part.
  const RecordedTake rest = trimmed(part, 1, 5);
  EXPECT_EQ(rest.begin, 2);
  EXPECT_EQ(rest.seconds, 1);
  ASSERT_EQ(rest.actions.size(), 1u);
  EXPECT_EQ(rest.actions[0].elapsed, 0.5);
  // Nothing is cut where all is kept.
  EXPECT_EQ(trimmed(take, 0, 9).actions.size(), 4u);
  EXPECT_EQ(trimmed(take, 0, 9).seconds, 4);
}

// What acts at the cut acts from the new beginning: hands where they were led last, pokes for the rest of their time.
TEST(TrimTake, WhatActsAtTheCutGoesOn) {
  const RecordedTake take{
      "run",
      5,
      {grab(0.1, "left", {1, 0, 0}), gravity(0.2, -5), grab(0.3, "gone", {0, 0, 0}), drag(0.4, "left", {2, 0, 0}),
       release(0.5, "gone"), poke(0.6, 1), poke(0.6, 0.1), gravity(0.7, -3), drag(0.8, "left", {3, 0, 0}),
       drag(1.2, "left", {4, 0, 0}), release(1.4, "left"), grab(1.5, "gone", {5, 5, 5})}};
  const RecordedTake part = trimmed(take, 1, 5);
  ASSERT_EQ(part.actions.size(), 6u);
  const auto find = [&](Action::Kind kind) {
    for (const TimedAction& timed : part.actions)
      if (timed.action.kind == kind) return timed;
    return TimedAction{-1, {}};
  };
  const TimedAction hand = find(Action::Kind::grab), push = find(Action::Kind::point_force),
                    weight = find(Action::Kind::gravity);
  EXPECT_EQ(hand.elapsed, 0);
  EXPECT_EQ(hand.action.name, "left");
  EXPECT_EQ(hand.action.target, (Vec3{3, 0, 0}));
  EXPECT_EQ(hand.action.point, (Vec3{0.1, 0.2, 0.3}));
  EXPECT_EQ(hand.action.radius, 0.05);
  EXPECT_EQ(push.elapsed, 0);
  EXPECT_NEAR(push.action.seconds, 0.6, 1e-12);
  EXPECT_EQ(weight.elapsed, 0);
  EXPECT_EQ(weight.action.gravity.y, -3);
  EXPECT_EQ(part.actions[3].action.kind, Action::Kind::drag);
  EXPECT_NEAR(part.actions[3].elapsed, 0.2, 1e-12);
  EXPECT_EQ(part.actions[5].action.kind, Action::Kind::grab);
  for (const TimedAction& timed : part.actions) EXPECT_NO_THROW(check_action(timed.action));
}

TEST(TrimTake, WhatCannotBeTrimmedIsASentence) {
  Project project;
  project.takes.push_back(std::make_shared<const NamedTake>(NamedTake{"take 1", {"run", 2, {poke(0.5, 0.1)}}}));
  const auto edited = [&](std::optional<double> from, std::optional<double> seconds) {
    return with_edited_take(project, {"trim", "take 1", "", from, seconds}).takes[0]->take;
  };
  EXPECT_EQ(edited(0.25, {}).begin, 0.25);
  EXPECT_EQ(edited(0.25, {}).seconds, 1.75);
  EXPECT_EQ(edited({}, 1).seconds, 1);
  EXPECT_EQ(edited(0.25, 1).seconds, 0.75);
  EXPECT_EQ(edited({}, 7).seconds, 2);
  EXPECT_THROW(edited({}, {}), Error);
  EXPECT_THROW(edited(2, {}), Error);
  EXPECT_THROW(edited(3, {}), Error);
  EXPECT_THROW(edited(1, 0.5), Error);
  EXPECT_THROW(edited({}, 0), Error);
}

TEST(TrimTake, WhereItBeginsIsKept) {
  const StudioFile file{"p", "mend it"};
  const NamedTake take{"take 1", {"run", 2, {}, 0.1}};
  EXPECT_EQ(take_part_from_json(take_part_json(take), file).take.begin, 0.1);
  EXPECT_FALSE(take_part_json({"take 1", {"run", 2, {}}}).contains("begin"));
  PageJson before = take_part_json(take);
  before["begin"] = -1;
  EXPECT_THROW(take_part_from_json(before, file), Error);
}

}  // namespace
