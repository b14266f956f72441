// Stiffness, damping and gravity change over a clip by keys, and by actions.
#include <gtest/gtest.h>

#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/session/session.h"
#include "sinew/session/take_json.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/session/shown_surfaces.h"

namespace sinew {
namespace {

using namespace test;

Scene keyed_tube(const Character& character, const std::string& keys) {
  FleshMethod flesh;
  flesh.values.tetrahedra = 400;
  flesh.values.keys = keys;
  return cook(flesh, {character});
}

std::vector<Vec3> after(const Character& character, const Scene& scene, double seconds, bool loop = false) {
  Session session(character, scene, whole(character.clips[0], loop));
  for (int k = 0; k < std::lround(seconds / 0.05); ++k) session.advance(0.05);
  return shown(session);
}

TEST(TissueChanges, KeysActOverTheirClipAndNoOther) {
  const Character character = tube_character();
  const std::vector<Vec3> usual = after(character, keyed_tube(character, ""), 0.5);
  const auto with = [&](const std::string& clips) {
    return farthest(after(character, keyed_tube(character, R"({"clips": )" + clips + "}"), 0.5), usual);
  };
  EXPECT_EQ(with(R"({"stop": {"stiffness": [[0, 5]]}})"), 0);
  EXPECT_EQ(with(R"({"*": {"stiffness": [[0, 5]]}, "swing": {}})"), 0);
  EXPECT_EQ(with(R"({"*": {"stiffness": [[0, 1], [1, 1], [60, 5]], "damping": [[1, 1], [2, 3]],
                           "gravity": [[1, [0, -9.81, 0]], [2, [0, 0, 0]]]}})"),
            0)
      << "keys beyond what is played change no bit";
  EXPECT_GT(with(R"({"*": {"stiffness": [[0, 1], [0.4, 5]]}})"), 1e-4);
  EXPECT_GT(with(R"({"swing": {"damping": [[0, 8]]}})"), 1e-4);
  EXPECT_GT(with(R"({"swing": {"gravity": [[0, [0, -9.81, 0]], [0.2, [9, -9.81, 0]]]}})"), 1e-4);
}

// In a loop keys repeat: the second cycle is that of keys that go on periodically.
TEST(TissueChanges, KeysRepeatWithTheirClip) {
  const Character character = tube_character();
  const std::string first = R"([0, 1], [0.5, 4], [0.999, 1])", second = R"([1, 1], [1.5, 4], [1.999, 1])";
  const Scene once = keyed_tube(character, R"({"clips": {"*": {"stiffness": [)" + first + "]}}}");
  const std::vector<Vec3> usual = after(character, keyed_tube(character, ""), 1.5, true);
  EXPECT_GT(farthest(after(character, once, 1.5, true), usual), 1e-4);
  const Scene twice = keyed_tube(character, R"({"clips": {"*": {"stiffness": [)" + first + ", " + second + "]}}}");
  EXPECT_EQ(farthest(after(character, once, 1.5, true), after(character, twice, 1.5, true)), 0);
}

Action change(Action::Kind kind, double value, double seconds) {
  Action action;
  action.kind = kind;
  (kind == Action::Kind::stiffness ? action.stiffness : action.damping) = value;
  action.gravity = {value, -9.81, 0};
  action.seconds = seconds;
  return action;
}

// A take that changes all three, replayed live and from its file; and a state amid a change is gone back to.
TEST(TissueChanges, ActionsAreRecordedKeptAndReplayed) {
  const Character character = tube_character();
  const Scene scene = keyed_tube(character, R"({"clips": {"*": {"stiffness": [[0, 1], [1, 2]]}}})");
  const Playback playback = whole(character.clips[0]);
  Session session(character, scene, playback);
  const auto run = [](Session& in, int frames) {
    for (int k = 0; k < frames; ++k) in.advance(1.0 / 60);
    return shown(in);
  };
  run(session, 10);
  session.act(change(Action::Kind::stiffness, 6, 0.2));
  session.act(change(Action::Kind::gravity, 5, 0.1));
  run(session, 6);
  session.act(change(Action::Kind::damping, 0.2, 0));
  session.act(change(Action::Kind::stiffness, 0.5, 0.3));
  const SessionState kept = session.save();
  const Take take = take_from_json(take_json(session.take()), "take.json");
  const std::vector<Vec3> end = run(session, 20);
  Session calm(character, scene, playback);
  EXPECT_GT(farthest(run(calm, 36), end), 1e-4);
  Session again(character, scene, playback);
  again.repeat(take);
  EXPECT_EQ(run(again, 36), end);
  session.load(kept, 1e3);
  EXPECT_EQ(run(session, 20), end);
  Session resumed(character, scene, playback);
  resumed.repeat(take);
  resumed.load(kept, 1e3);
  EXPECT_EQ(run(resumed, 20), end);
}

TEST(TissueChanges, GravityIsGivenBackToTheScene) {
  const Character character = tube_character();
  const Scene scene = keyed_tube(character, "");
  Session session(character, scene), calm(character, scene);
  session.act(change(Action::Kind::gravity, 20, 0));
  for (int k = 0; k < 30; ++k) session.step();
  EXPECT_GT(farthest(shown(session), shown(calm)), 1e-3);
  session.act(change(Action::Kind::own_gravity, 0, 0.2));
  for (int k = 0; k < 2000; ++k) session.step();
  EXPECT_LT(farthest(shown(session), shown(calm)), 1e-5);
}

TEST(TissueChanges, WhatCannotChangeIsASentence) {
  const Character character = tube_character();
  FleshMethod linear;
  linear.values.tetrahedra = 400;
  linear.values.elasticity = Elasticity::linear;
  const Scene scene = cook(linear, {character});
  Session session(character, scene);
  session.act(change(Action::Kind::gravity, 1, 0));
  EXPECT_EQ(
      refusal(ErrorKind::usage, [&] { session.act(change(Action::Kind::stiffness, 2, 0)); }),
      "the method flesh knows no stiffness that changes with these settings; it does with nonlinear elasticity in "
      "tetrahedra (elasticity nonlinear, no lattice).");
  linear.values.keys = R"({"clips": {"*": {"gravity": [[0, [0, 0, 0]]]}}})";
  cook(linear, {character});
  const auto complaint = [&](const std::string& keys) {
    linear.values.keys = keys;
    return refusal(ErrorKind::input, [&] { cook(linear, {character}); });
  };
  EXPECT_EQ(complaint(R"({"clips": {"*": {"damping": [[0, 2]]}}})"),
            "keys: clip '*': 'damping' can be keyed with nonlinear elasticity in tetrahedra (elasticity nonlinear, no "
            "lattice) only; set them so, or key gravity alone.");
  EXPECT_EQ(complaint(R"({"clips": {"swinge": {"damping": [[0, 2]]}}})"),
            "keys: tube has no clip 'swinge': did you mean 'swing'?");
  const Scene tissue = keyed_tube(character, "");
  Session live(character, tissue);
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { live.act(change(Action::Kind::damping, 0, 0)); }),
            "damping: damping: must lie between 0.01 and 100.");
}

}  // namespace
}  // namespace sinew
