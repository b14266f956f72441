// A character alive in memory: it is what is baked, goes back to where it was, and does again what was done to it.
#include "sinew/session/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "sinew/bake/bake.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/methods.h"
#include "sinew/cook/mixed/mixed_scene.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/cook/light_methods.h"
#include "tests/session/shown_surfaces.h"

namespace sinew {
namespace {

using namespace test;

Scene in_tetrahedra(const Character& character) {
  const FleshSettings settings = quick_settings();
  return flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings);
}

Scene mixed(const Character& character) {
  MixedSettings settings;
  settings.tetrahedra = 600;
  return mixed_scene(std::make_shared<const CookedMixed>(prepare_mixed(character, settings)), settings);
}

Scene made(const Character& character, const std::string& name) {
  if (name != "springs") return test::light_scene(character, name);
  SpringsMethod springs;
  springs.values.swing = {"upper"};
  springs.values.forces.gravity = 0.5;
  return cook(springs, {character});
}

Action poke() {
  Action action;
  action.point = {0.12, 0.9, 0};
  action.force = {-15, 0, 5};
  action.radius = 0.1;
  action.seconds = 0.1;
  return action;
}

// A frame of a recording where the rig alone has the surface, and what physics adds.
std::vector<Vec3> recorded(const Character& character, const Scene& scene, const BakeResult& result,
                           std::size_t frame) {
  std::vector<Vec3> positions(scene.surface->rest.positions.size());
  const Pose pose = sample(character.skeleton, &character.clips[0], result.recording.times[frame]);
  const PartRecording& part = result.recording.parts[0];
  const std::vector<Vec3> rig = posed_positions(character, character.parts[0], pose);
  const auto vertices = static_cast<std::size_t>(part.vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    const float* d = &part.displacement[3 * (frame * vertices + v)];
    positions[static_cast<std::size_t>(scene.surface->vertex_of[0][v])] =
        rig[v] * character.metres_per_unit + Vec3{d[0], d[1], d[2]};
  }
  return positions;
}

// Whatever the frames of a game come at, what is shown is what is baked.
TEST(Session, ShowsWhatIsBaked) {
  const Character character = tube_character();
  for (const Scene& scene :
       {in_tetrahedra(character), mixed(character), made(character, "springs"), made(character, "dualquat")}) {
    const BakeResult result = bake(character, scene, nullptr, options_for(0, 10));
    Session session(character, scene, whole(character.clips[0]));
    std::size_t frame = 0;
    for (const double seconds : {0.0, 0.013, 0.017, 0.07, 0.004, 0.096, 0.1, 0.25, 0.35}) {
      session.advance(seconds);
      if (std::abs(session.displayed_time() - 0.1 * std::round(10 * session.displayed_time())) > 1e-9) continue;
      frame = static_cast<std::size_t>(std::lround(10 * session.displayed_time()));
      const std::vector<Vec3> live = shown(session), baked = recorded(character, scene, result, frame);
      for (std::size_t v = 0; v < live.size(); ++v)
        ASSERT_LE(distance(live[v], baked[v]), 2e-7) << scene.method << ' ' << frame << ' ' << v;
    }
    EXPECT_EQ(frame, 9u) << scene.method;
  }
}

TEST(Session, GoesBackToWhereItWas) {
  const Character character = tube_character();
  for (const Scene& scene : {in_tetrahedra(character), made(character, "springs")}) {
    Session session(character, scene, whole(character.clips[0], true));
    if (scene.method == "flesh") session.act(poke());
    session.advance(0.05);
    const SessionState kept = session.save();
    session.advance(0.5);
    const std::vector<Vec3> first = shown(session);
    session.load(kept, 1e3);
    session.advance(0.5);
    EXPECT_EQ(shown(session), first) << scene.method;
  }
}

TEST(Session, DoesAgainWhatWasDone) {
  const Character character = tube_character();
  const Scene scene = in_tetrahedra(character);
  Session live(character, scene, whole(character.clips[0]));
  live.advance(0.21);
  live.act(poke());
  live.advance(0.17);
  Action second = poke();
  second.force = {0, 10, -20};
  live.act(second);
  live.advance(0.4);
  Session still(character, scene, whole(character.clips[0]));
  still.advance(0.78);
  const std::vector<Vec3> poked = shown(live), left_alone = shown(still);
  double most = 0;
  for (std::size_t v = 0; v < poked.size(); ++v) most = std::max(most, distance(poked[v], left_alone[v]));
  EXPECT_GT(most, 1e-3);

  Session again(character, scene, whole(character.clips[0]));
  again.repeat(live.take());
  for (int frame = 0; frame < 78; ++frame) again.advance(0.01);  // at another pace
  const std::vector<Vec3> repeated = shown(again);
  for (std::size_t v = 0; v < poked.size(); ++v) ASSERT_LE(distance(repeated[v], poked[v]), 1e-12);
  EXPECT_EQ(again.save().deformer.numbers, live.save().deformer.numbers);
  EXPECT_EQ(again.take().size(), 2u);
}

TEST(Session, FollowsPosesByHand) {
  const Character character = tube_character();
  const Scene scene = made(character, "linear");
  Session session(character, scene);
  Pose pose = sample(character.skeleton, &character.clips[0], 0.3);
  session.pose(pose);
  session.advance(1.0 / 60);
  const std::vector<Vec3> live = shown(session);
  const std::vector<Vec3> rig = posed_positions(character, character.parts[0], pose);
  for (std::size_t v = 0; v < rig.size(); ++v)
    EXPECT_LE(distance(live[static_cast<std::size_t>(scene.surface->vertex_of[0][v])], rig[v]), 1e-14);
}

TEST(Session, RefusesWhatTheMethodCannot) {
  const Character character = tube_character();
  const Scene scene = made(character, "linear");
  Session session(character, scene);
  EXPECT_EQ(test::refusal(ErrorKind::usage, [&] { session.act(poke()); }),
            "the method linear knows no pokes; flesh, mixed and surface do.");
  Action drag;
  drag.kind = Action::Kind::drag;
  drag.name = "hand";
  EXPECT_EQ(test::refusal(ErrorKind::usage, [&] { session.act(drag); }), "nothing is held as 'hand'; grab it first.");
  EXPECT_TRUE(session.take().empty());
}

// What a hand held is part of the take: the same again, to the bit; and from a state that was kept.
TEST(Session, GrabsOfAPatchRepeat) {
  const Character character = tube_character();
  const FleshSettings settings = quick_settings();
  const Scene scene = flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings);
  Action grab;
  grab.kind = Action::Kind::grab;
  grab.name = "hand";
  grab.point = {0.12, 0.6, 0};
  grab.target = {0.2, 0.65, 0.05};
  const auto run = [&](Session& session, int steps) {
    for (int k = 0; k < steps; ++k) session.step();
    std::vector<Vec3> shown(scene.surface->rest.positions.size());
    session.surface(shown);
    return shown;
  };
  Session first(character, scene, whole(character.clips[0], true)),
      again(character, scene, whole(character.clips[0], true)),
      point(character, scene, whole(character.clips[0], true));
  run(first, 5);
  first.act(grab);
  EXPECT_EQ(first.take()[0].action.radius, hand_of_height * scene.height);
  run(first, 20);
  const SessionState kept = first.save();
  const std::vector<Vec3> end = run(first, 20);
  again.repeat(first.take());
  EXPECT_TRUE(run(again, 45) == end);
  first.load(kept, 100);
  EXPECT_TRUE(run(first, 20) == end);
  run(point, 5);
  grab.radius = 0;
  point.act(grab);
  EXPECT_GT(distance(run(point, 40)[0], end[0]), 0);
}

// Gravity is part of what is done, of what is kept and of a take; nothing else moves flesh that stands still.
TEST(Session, GravityChanges) {
  const Character character = tube_character();
  for (const Scene& scene : {in_tetrahedra(character), made(character, "springs")}) {
    Session session(character, scene);
    session.advance(0.1);
    const std::vector<Vec3> still = shown(session);
    Action action;
    action.kind = Action::Kind::gravity;
    action.gravity = {4, -9.81, 0};
    session.act(action);
    session.advance(0.2);
    EXPECT_FALSE(session.still());
    const SessionState kept = session.save();
    session.advance(0.3);
    const std::vector<Vec3> first = shown(session);
    const std::size_t top = static_cast<std::size_t>(
        std::max_element(still.begin(), still.end(), [](const Vec3& a, const Vec3& b) { return a.y < b.y; }) -
        still.begin());
    EXPECT_GT(first[top].x - still[top].x, 1e-4) << scene.method;
    session.load(kept, 1e3);
    session.advance(0.3);
    EXPECT_EQ(shown(session), first) << scene.method;
    Session again(character, scene);
    again.repeat(session.take());
    for (int k = 0; k < 60; ++k) again.advance(0.01);
    const std::vector<Vec3> repeated = shown(again);
    for (std::size_t v = 0; v < first.size(); ++v) ASSERT_LE(distance(repeated[v], first[v]), 1e-12) << scene.method;
    session.play({});
    session.advance(0.1);
    EXPECT_EQ(shown(session), still) << scene.method;
  }
}

// Stiffer flesh takes over where softer flesh was: no jerk, and from then on as if it had always been there.
TEST(Session, GoesOnInAnotherScene) {
  const Character character = tube_character();
  const FleshSettings settings = quick_settings();
  const FleshBase base = prepare_flesh_base(character, settings);
  const auto scene_of = [&](double young) {
    FleshSettings changed = settings;
    changed.young = young;
    return flesh_scene(std::make_shared<const CookedFlesh>(cook_flesh(base, changed)), changed);
  };
  const Scene soft = scene_of(2e4), hard = scene_of(8e4), same = scene_of(2e4);
  Session session(character, soft), unchanged(character, soft), stiff(character, hard);
  session.act(poke());
  unchanged.act(poke());
  for (int k = 0; k < 30; ++k) {
    session.step();
    unchanged.step();
  }
  session.change(same);
  EXPECT_TRUE(shown(session) == shown(unchanged));
  session.step();
  unchanged.step();
  const std::vector<Vec3> a = shown(session), b = shown(unchanged);
  double apart = 0, moved = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    apart = std::max(apart, distance(a[v], b[v]));
    moved = std::max(moved, distance(b[v], session.scene().surface->rest.positions[v]));
  }
  EXPECT_LT(apart, 1e-9 * moved);  // S u is found anew, to rounding

  const std::vector<Vec3> before = shown(session);
  session.change(hard);
  EXPECT_TRUE(shown(session) == before);
  const double energy = session.measure(session.moment_at(session.elapsed())).energy;
  double most = 0;
  for (int k = 0; k < 2400; ++k) {
    session.step();
    most = std::max(most, session.measure(session.moment_at(session.elapsed())).energy);
  }
  EXPECT_LT(most, 1.05 * energy);  // nothing kicks it
  const std::vector<Vec3> end = shown(session), rest = shown(stiff);
  for (std::size_t v = 0; v < end.size(); ++v) EXPECT_LT(distance(end[v], rest[v]), 1e-5);
  EXPECT_THROW(session.change(made(character, "linear")), Error);
}

}  // namespace
}  // namespace sinew
