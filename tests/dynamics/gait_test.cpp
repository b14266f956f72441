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

// While one foot is up the other is down, and after the left foot it is the right one's turn.
TEST(Gait, TheFeetTakeTurns) {
  const PersonLinks made = person_links();
  const Reaction reaction = walk(made, Gait{}, 6);
  ASSERT_FALSE(reaction.fell) << *reaction.fell;
  const std::vector<LegLinks> legs = legs_of(made.links);
  ASSERT_EQ(legs.size(), 2u);
  std::vector<int> lifted;  // the feet that were up, in turn
  for (const TreePose& pose : reaction.poses) {
    PlacedJoints placed;
    place_joints(made.links.body.tree, pose, placed);
    const double sole[] = {lowest_sole(made.links, legs[0].foot, placed),
                           lowest_sole(made.links, legs[1].foot, placed)};
    for (const int k : {0, 1}) {
      if (sole[k] < 0.03) continue;
      EXPECT_LT(sole[1 - k], 0.02);
      if (lifted.empty() || lifted.back() != k) lifted.push_back(k);
    }
  }
  // No foot is lifted twice in turn: each of its steps shows.
  EXPECT_NEAR(static_cast<double>(lifted.size()), reaction.steps, 2);
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
  search.seconds = 2.5;
  search.tries = 42;
  const FoundGait found = find_gait(made.links, standing, poor, search);
  EXPECT_TRUE(found.quality.stands);
  EXPECT_FALSE(walk(made, found.gait, 2.5).fell);
}

TEST(Gait, NumbersAreThoseOfTheGait) {
  std::array<double, gait_numbers> numbers{};
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = 0.1 * static_cast<double>(k + 1);
  EXPECT_EQ(numbers_of(gait_of(numbers)), numbers);
}

// Whatever the speeds, a walk that stays up is better than a fall, a later fall than an earlier one, and a walk nearer
// to the speed than one that is farther from it.
TEST(Gait, QualityPutsFallsLast) {
  const PersonLinks made = person_links();
  const auto cost = [&](double wanted, double speed, double aside, std::optional<double> fell) {
    GaitSearch search;
    search.speed = wanted;
    Reaction reaction;
    for (int k = 0; k <= 150; ++k) {
      reaction.times.push_back(0.1 * k);
      reaction.poses.push_back({{aside * k / 150, 1, speed * 0.1 * k}, {}});
    }
    reaction.fell = fell;
    const GaitQuality quality = quality_of(made.links, reaction, search, {0, 0, 1});
    EXPECT_NEAR(quality.speed, speed, 1e-9);
    return quality.cost;
  };
  for (const double wanted : {0.0, 0.5, 1.2, 3.0})
    for (const double speed : {-1.0, 0.0, 0.6, 1.2, 5.0}) {
      EXPECT_LT(cost(wanted, speed, 10, {}), cost(wanted, wanted, 0, 14.9));
      EXPECT_LT(cost(wanted, speed, 0, 12.0), cost(wanted, speed, 0, 2.0));
      EXPECT_LE(cost(wanted, wanted, 0, {}), cost(wanted, speed, 0, {}));
      EXPECT_LT(cost(wanted, speed, 0, {}), cost(wanted, speed, 1, {}));
      EXPECT_LT(cost(wanted, speed, 10, 0.2), 30);  // a run that fails
    }
}

// Where all gaits are as good as each other, the search ends.
TEST(Gait, ASearchThatLearnsNothingEnds) {
  const PersonLinks made = person_links();
  const ReferenceMotion standing(made.person.character, made.stand, false, made.links);
  GaitSearch search;
  search.seconds = 0.1;
  search.push = 1e30;  // every run fails
  search.tries = 100000;
  const FoundGait found = find_gait(made.links, standing, Gait{}, search);
  EXPECT_LT(found.tries, 100);
  EXPECT_FALSE(found.quality.stands);
  search.tries = least_tries - 1;
  EXPECT_THROW(find_gait(made.links, standing, Gait{}, search), Error);
}

// The clip's later frames do not matter to a body that walks by itself.
TEST(Gait, WalksFromTheFirstPoseOfAClip) {
  PersonLinks made = person_links();
  Clip jump = made.stand;
  jump.end = 1;
  Channel hips;
  hips.joint = made.links.body.joint[0];
  hips.path = ChannelPath::translation;
  const Vec3 at = made.person.character.skeleton.joints[static_cast<std::size_t>(hips.joint)].rest.translation;
  hips.times = {0, 0.3, 1};
  for (const double height : {0.0, 0.0, 2.0}) hips.values.insert(hips.values.end(), {at.x, at.y + height, at.z});
  jump.channels.push_back(hips);
  ReactOptions options;
  options.seconds = 2;
  options.gait = Gait{};
  const Reaction one =
                     react(made.links, ReferenceMotion(made.person.character, made.stand, false, made.links), options),
                 other = react(made.links, ReferenceMotion(made.person.character, jump, false, made.links), options);
  EXPECT_FALSE(other.fell);
  EXPECT_EQ(one.poses.back().root, other.poses.back().root);
}

TEST(Gait, NeedsTwoLegs) {
  PersonLinks made = person_links();
  std::fill(made.links.foot.begin(), made.links.foot.end(), 0);
  EXPECT_THROW(walk(made, Gait{}, 1), Error);
}

}  // namespace
}  // namespace sinew::test
