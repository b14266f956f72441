// A session that begins amid its clip, and that gets its pose back from a hand.
#include <gtest/gtest.h>

#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/session/shown_surfaces.h"

namespace sinew {
namespace {

using namespace test;

Scene quick_flesh(const Character& character) {
  const FleshSettings settings = quick_settings();
  return flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings);
}

TEST(FollowClip, BeginsAmidTheClipAsAClipThatBeginsThere) {
  const Character character = tube_character();
  const Scene scene = quick_flesh(character);
  const Clip& clip = character.clips[0];
  const double from = 0.4 * (clip.end - clip.start);
  Session amid(character, scene, whole(clip));
  amid.play(whole(clip), from);
  EXPECT_EQ(amid.elapsed(), 0);
  EXPECT_EQ(amid.played(), from);
  EXPECT_EQ(amid.moment_at(0).clip_time, clip.start + from);
  Playback rest = whole(clip);
  rest.range.begin += from;
  rest.range.length -= from;
  Session there(character, scene, rest);
  for (int k = 0; k < 30; ++k) {
    EXPECT_LT(farthest(shown(amid), shown(there)), 1e-12);
    amid.step();
    there.step();
  }
}

TEST(FollowClip, AClipStandsWhileFleshMovesAndPlaysOnFromThere) {
  const Character character = tube_character();
  const Scene scene = quick_flesh(character);
  Session session(character, scene, whole(character.clips[0]));
  for (int k = 0; k < 20; ++k) session.step();
  const double stood = session.played();
  session.stand(stood);
  EXPECT_TRUE(session.stands());
  const std::vector<Vec3> moving = shown(session);
  for (int k = 0; k < 100; ++k) session.step();
  EXPECT_EQ(session.played(), stood);
  EXPECT_EQ(session.moment_at(session.elapsed()).clip_time, character.clips[0].start + stood);
  EXPECT_GT(farthest(shown(session), moving), 1e-4) << "it swings out";

  // Joints are turned while it stands, and a saved state stands too.
  Action turn;
  turn.kind = Action::Kind::turn;
  turn.name = character.skeleton.joints[1].name;
  turn.rotation = {0, 0, 30};
  turn.seconds = 0.05;
  session.act(turn);
  EXPECT_TRUE(session.changes_pose());
  const SessionState kept = session.save();
  for (int k = 0; k < 60; ++k) session.step();
  EXPECT_FALSE(session.changes_pose());
  const std::vector<Vec3> turned = shown(session);
  session.load(kept, 1e3);
  for (int k = 0; k < 60; ++k) session.step();
  EXPECT_EQ(shown(session), turned);

  session.go_on();
  EXPECT_FALSE(session.stands());
  session.step();
  EXPECT_NEAR(session.played(), stood + session.deformer().steps()[session.deformer().chosen_step()], 1e-12);
}

TEST(FollowClip, APoseByHandIsGivenBackWhereTheClipIsToGoOn) {
  const Character character = tube_character();
  const Scene scene = quick_flesh(character);
  const Clip& clip = character.clips[0];
  Session session(character, scene, whole(clip, true));
  for (int k = 0; k < 20; ++k) session.step();
  const double stood = session.played();
  const Pose pose = session.moment_at(session.elapsed()).pose;
  for (int k = 0; k < 50; ++k) {
    session.pose(pose);
    session.step();
  }
  const std::vector<Vec3> before = shown(session);
  session.unpose(stood);
  EXPECT_NEAR(session.played(), stood, 1e-12);
  EXPECT_EQ(shown(session), before);  // nothing that is shown jumps
  const double step = session.traits().step;
  for (int k = 1; k <= 40; ++k) {
    session.step();
    EXPECT_NEAR(session.moment_at(session.elapsed()).clip_time, clip.start + stood + k * step, 1e-9);
  }
}

TEST(FollowClip, AKeptStateKnowsWhereTheClipIs) {
  const Character character = tube_character();
  const Scene scene = quick_flesh(character);
  Session session(character, scene, whole(character.clips[0], true));
  session.play(whole(character.clips[0], true), 0.3);
  for (int k = 0; k < 10; ++k) session.step();
  const SessionState kept = session.save();
  const auto go_on = [&] {
    for (int k = 0; k < 20; ++k) session.step();
    return shown(session);
  };
  const std::vector<Vec3> first = go_on();
  session.unpose(0);
  session.step();
  session.load(kept, 1000);
  EXPECT_EQ(go_on(), first);
}

TEST(FollowClip, AForgottenTakeIsEmptyAndGoesOn) {
  const Character character = tube_character();
  const Scene scene = quick_flesh(character);
  Session session(character, scene, whole(character.clips[0]));
  Action poke;
  poke.point = {0.12, 0.9, 0};
  poke.force = {-1, 0, 0};
  poke.seconds = 0.1;
  session.act(poke);
  session.forget_take();
  EXPECT_TRUE(session.take().empty());
  session.step();
  session.act(poke);
  EXPECT_EQ(session.take().size(), 1u);
}

}  // namespace
}  // namespace sinew
