// A person of boxes that walks by itself, without a clip and without help from outside.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/dynamics/gait_search.h"
#include "tests/dynamics/box_person.h"

namespace sinew::test {
namespace {

Reaction walk(const PersonLinks& made, const Gait& gait, double seconds, const std::vector<Push>& pushes = {}) {
  ReactOptions options;
  options.seconds = seconds;
  options.gait = gait;
  options.pushes = pushes;
  return react_standing(made, options);
}

TEST(Gait, APersonWalksTwentySecondsByItself) {
  const PersonLinks made = person_links();
  const Reaction reaction = walk(made, Gait{}, 20);
  ASSERT_FALSE(reaction.fell) << *reaction.fell;
  EXPECT_EQ(reaction.most_help, 0);
  EXPECT_GT(reaction.steps, 20);
  const Vec3 way = reaction.poses.back().root - reaction.poses.front().root;
  EXPECT_GT(way.z, 10);                     // towards its toes
  EXPECT_LT(std::abs(way.x), 0.1 * way.z);  // and straight
}

// A leg that swings is off the ground, and the other one carries all: what falls freely would drop by metres in a
// second.
TEST(Gait, TheFeetTakeTurns) {
  const PersonLinks made = person_links();
  const Reaction reaction = walk(made, Gait{}, 6);
  ASSERT_FALSE(reaction.fell) << *reaction.fell;
  const std::vector<LegLinks> legs = legs_of(made.links);
  ASSERT_EQ(legs.size(), 2u);
  std::array<double, 2> highest{}, down{};
  for (const TreePose& pose : reaction.poses) {
    PlacedJoints placed;
    place_joints(made.links.body.tree, pose, placed);
    for (std::size_t k = 0; k < 2; ++k) {
      const double sole = lowest_sole(made.links, legs[k].foot, placed);
      highest[k] = std::max(highest[k], sole);
      down[k] += sole < 0.01 ? 1 : 0;
    }
  }
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_GT(highest[k], 0.03) << k;
    EXPECT_GT(down[k], 0.3 * static_cast<double>(reaction.poses.size())) << k;
  }
}

TEST(Gait, IsTheSameForAnyNumberOfThreads) {
  const PersonLinks made = person_links();
  const ReferenceMotion standing(made.person.character, made.stand, false, made.links);
  GaitSearch search;
  search.seconds = 0.6;
  search.tries = 30;
  std::array<std::vector<double>, 2> found;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    const FoundGait gait = find_gait(made.links, standing, Gait{}, search);
    const auto numbers = numbers_of(gait.gait);
    found[threads == 1 ? 0 : 1].assign(numbers.begin(), numbers.end());
    EXPECT_LE(gait.tries, search.tries);
  }
  set_thread_count(0);
  EXPECT_EQ(found[0], found[1]);
}

// The search begins with a gait that falls, and finds one that does not.
TEST(Gait, ASearchFindsOneThatStaysUp) {
  const PersonLinks made = person_links();
  const ReferenceMotion standing(made.person.character, made.stand, false, made.links);
  Gait poor;
  poor.ahead_by_place = poor.ahead_by_speed = poor.aside_by_place = poor.aside_by_speed = 0;
  const Reaction fallen = walk(made, poor, 4);
  ASSERT_TRUE(fallen.fell);
  GaitSearch search;
  search.seconds = 3;
  search.tries = 70;
  const FoundGait found = find_gait(made.links, standing, poor, search);
  EXPECT_TRUE(found.quality.stands);
  EXPECT_FALSE(walk(made, found.gait, 3).fell);
}

TEST(Gait, NumbersAreThoseOfTheGait) {
  std::array<double, gait_numbers> numbers{};
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = 0.1 * static_cast<double>(k + 1);
  EXPECT_EQ(numbers_of(gait_of(numbers)), numbers);
}

// Of two walks that stay up the one nearer to the speed is better, and both are better than a fall.
TEST(Gait, QualityPutsFallsLast) {
  const PersonLinks made = person_links();
  GaitSearch search;
  search.speed = 1;
  search.seconds = 4;
  const auto moving = [](double speed, std::optional<double> fell) {
    Reaction reaction;
    for (int k = 0; k <= 40; ++k) {
      reaction.times.push_back(0.1 * k);
      reaction.poses.push_back({{0, 1, speed * 0.1 * k}, {}});
    }
    reaction.fell = fell;
    return reaction;
  };
  const auto cost = [&](double speed, std::optional<double> fell) {
    return quality_of(made.links, moving(speed, fell), search, {0, 0, 1}).cost;
  };
  EXPECT_NEAR(quality_of(made.links, moving(0.7, {}), search, {0, 0, 1}).speed, 0.7, 1e-9);
  EXPECT_LT(cost(1, {}), cost(0.7, {}));
  EXPECT_LT(cost(0.7, {}), cost(1, 3.0));
  EXPECT_LT(cost(1, 3.0), cost(1, 1.0));
}

TEST(Gait, NeedsTwoLegs) {
  PersonLinks made = person_links();
  std::fill(made.links.foot.begin(), made.links.foot.end(), 0);
  EXPECT_THROW(walk(made, Gait{}, 1), Error);
}

}  // namespace
}  // namespace sinew::test
