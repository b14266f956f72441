// A person of boxes that stands, is pushed, and falls.
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "tests/dynamics/box_person.h"

namespace sinew::test {
namespace {

double centre_height(const PersonLinks& made, const TreePose& pose) {
  PlacedJoints placed;
  place_joints(made.links.body.tree, pose, placed);
  return centre_of_mass(made.links.body.tree, placed).y;
}

ReactOptions pushed(const PersonLinks& made, const Vec3& impulse, double seconds) {
  ReactOptions options;
  options.seconds = seconds;
  options.pushes = {{0.5, link_of(made.links, "spine2"), impulse}};
  return options;
}

TEST(React, APersonStands) {
  const PersonLinks made = person_links();
  for (const double support : {0.15, 0.0}) {
    ReactOptions options;
    options.seconds = 5;
    options.support = support;
    const Reaction reaction = react_standing(made, options);
    EXPECT_FALSE(reaction.fell) << support;
    EXPECT_LT(reaction.most_lean, 0.1) << support;
    EXPECT_NEAR(centre_height(made, reaction.poses.back()), centre_height(made, reaction.poses.front()), 0.02);
    // It does not creep.
    const std::size_t n = reaction.poses.size();
    EXPECT_LT(norm(reaction.poses[n - 1].root - reaction.poses[n - 61].root), 2e-3) << support;
  }
}

TEST(React, APersonStandsUnderPushesOf50AndFallsUnder500) {
  const PersonLinks made = person_links();
  for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    const Reaction stands = react_standing(made, pushed(made, 50.0 * way, 4));
    EXPECT_FALSE(stands.fell) << way.x << ' ' << way.z << " at " << *stands.fell;
    EXPECT_GT(stands.most_lean, 0.03);
    EXPECT_GT(dot(stands.poses[45].root - stands.poses[0].root, way), 0.01);
    const Reaction falls = react_standing(made, pushed(made, 500.0 * way, 4));
    ASSERT_TRUE(falls.fell) << way.x << ' ' << way.z;
    EXPECT_GT(*falls.fell, 0.5);
    EXPECT_LT(centre_height(made, falls.poses.back()), 0.5);
  }
}

TEST(React, ALimpBodyComesToRestOnTheGround) {
  const PersonLinks made = person_links();
  ReactOptions options;
  options.seconds = 6;
  options.limp = 0.2;
  const Reaction reaction = react_standing(made, options);
  EXPECT_FALSE(reaction.fell);
  EXPECT_LT(centre_height(made, reaction.poses.back()), 0.45);
  PlacedJoints placed;
  place_joints(made.links.body.tree, reaction.poses.back(), placed);
  const double lowest = lowest_point(made.links.body, placed);
  EXPECT_GT(lowest, -0.02);
  EXPECT_LT(lowest, 0.02);
  const std::size_t n = reaction.poses.size();
  EXPECT_LT(norm(reaction.poses[n - 1].root - reaction.poses[n - 31].root), 0.01);
}

TEST(React, SameBitsOnEveryRunAndNumberOfThreads) {
  const auto run = [](int threads) {
    set_thread_count(threads);
    const PersonLinks made = person_links();
    const Reaction reaction = react_standing(made, pushed(made, {200, 0, 30}, 1.5));
    set_thread_count(0);
    return reaction;
  };
  const Reaction one = run(1), again = run(1), two = run(2);
  ASSERT_EQ(one.poses.size(), two.poses.size());
  for (std::size_t f = 0; f < one.poses.size(); ++f) {
    EXPECT_EQ(one.poses[f].root, again.poses[f].root);
    EXPECT_EQ(one.poses[f].root, two.poses[f].root);
    EXPECT_EQ(one.poses[f].local, two.poses[f].local);
  }
}

TEST(React, ABallPushesByItsMomentum) {
  const PersonLinks made = person_links();
  ReactOptions options;
  options.seconds = 1.5;
  options.balls = {{0.2, link_of(made.links, "spine2"), {0, 0, -8}, 8}};
  const Reaction reaction = react_standing(made, options);
  ASSERT_EQ(reaction.balls.size(), reaction.poses.size());
  EXPECT_LT(dot(reaction.poses[45].root - reaction.poses[0].root, {0, 0, 1}), -0.01);
  EXPECT_GT(reaction.balls[0][0].y, 500);  // it waits far away
  EXPECT_LT(reaction.balls.back()[0].y, 2);
}

TEST(React, RefusesTimesOutside) {
  const PersonLinks made = person_links();
  ReactOptions options = pushed(made, {50, 0, 0}, 0.3);
  EXPECT_THROW(react_standing(made, options), Error);
  options = pushed(made, {std::nan(""), 0, 0}, 2);
  EXPECT_THROW(react_standing(made, options), Error);
  options = pushed(made, {1, 0, 0}, 2);
  options.pushes[0].link = 99;
  EXPECT_THROW(react_standing(made, options), Error);
  options = {};
  options.limp = -1.0;
  EXPECT_THROW(react_standing(made, options), Error);
}

}  // namespace
}  // namespace sinew::test
