// A step that is given up wherever in it leaves the session as it was: made again, it has the same bits.
#include <gtest/gtest.h>

#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/session/shown_surfaces.h"

namespace sinew {
namespace {

using namespace test;

// Flesh in tetrahedra and in a lattice, with a ball that falls on it.
Scene struck_flesh(const Character& character, bool lattice) {
  FleshMethod method;
  method.values = quick_settings();
  ColliderSettings ball;
  ball.point = {0.16, 0.86, 0};
  ball.radius = 0.06;
  ball.density = 500;
  ball.falls = true;
  method.values.colliders = {ball};
  if (lattice) {
    method.values.lattice.file = auto_lattice;
    method.values.lattice.cells = 60;
  }
  return cook(method, {character});
}

// A hand takes hold, the character is posed, the hand lets go: before these steps.
void act_before(Session& session, int step) {
  Action hand;
  hand.kind = Action::Kind::grab;
  hand.name = "hand";
  hand.point = {0.12, 0.8, 0};
  hand.target = {0.2, 0.8, 0};
  if (step == 3) session.act(hand);
  if (step == 8) {
    Pose pose = session.moment_at(session.elapsed()).pose;
    pose.world[2].linear = to_matrix(axis_angle({0, 0, 1}, 0.2)) * pose.world[2].linear;
    session.pose(pose);
  }
  hand.kind = Action::Kind::release;
  if (step == 20) session.act(hand);
}

TEST(GivenUpSteps, LeaveNoTraceWhereverTheyStop) {
  const Character character = tube_character();
  for (const bool lattice : {false, true}) {
    const Scene scene = struck_flesh(character, lattice);
    Session undisturbed(character, scene, whole(character.clips[0])),
        session(character, scene, whole(character.clips[0]));
    int given_up = 0, stop_at = 1;
    for (int step = 0; step < 30; ++step) {
      for (Session* each : {&undisturbed, &session}) act_before(*each, step);
      undisturbed.step();
      for (int trial = 0; trial < 4; ++trial) {
        int questions = 0;
        if (session.try_step([&](const ProgressReport&) { return ++questions < stop_at; }, 0)) {
          FAIL() << "the step asks " << questions << " times only";
        }
        ++given_up;
        stop_at = 1 + (7 * stop_at) % 41;  // from the first loop of a step to one in its middle
      }
      session.step();
      ASSERT_EQ(undisturbed.steps(), session.steps());
      ASSERT_EQ(shown(undisturbed), shown(session)) << "step " << step << (lattice ? " in a lattice" : "");
      ASSERT_EQ(undisturbed.falling().numbers(), session.falling().numbers());
    }
    EXPECT_EQ(given_up, 120);
  }
}

TEST(GivenUpSteps, AStepThatNobodyStopsIsAStep) {
  const Character character = tube_character();
  const Scene scene = struck_flesh(character, false);
  Session one(character, scene, whole(character.clips[0])), other(character, scene, whole(character.clips[0]));
  for (int step = 0; step < 10; ++step) {
    one.step();
    EXPECT_TRUE(other.try_step([](const ProgressReport&) { return true; }, 0));
  }
  EXPECT_EQ(shown(one), shown(other));
}

}  // namespace
}  // namespace sinew
