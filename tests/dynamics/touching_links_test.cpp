// Links that stop each other.
#include "sinew/dynamics/touching_links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sinew/base/index.h"
#include "tests/dynamics/box_person.h"

namespace sinew::test {
namespace {

TEST(TouchingLinks, CapsulesThatCrossLieBesideAndTouchByTheirEnds) {
  const Capsule along_x{{-1, 0, 0}, {1, 0, 0}, 0.1};
  EXPECT_NEAR(capsule_distance(along_x, {{0, 0.5, -1}, {0, 0.5, 1}, 0.2}), 0.2, 1e-12);     // crossing lines
  EXPECT_NEAR(capsule_distance(along_x, {{-3, 0.5, 0}, {0.5, 0.5, 0}, 0.2}), 0.2, 1e-12);   // parallel
  EXPECT_NEAR(capsule_distance(along_x, {{4, 4, 0}, {4, 8, 0}, 0}), 5 - 0.1, 1e-12);        // 3, 4, 5
  EXPECT_NEAR(capsule_distance(along_x, {{0, 0, 0.05}, {0, 0, 0.05}, 0.2}), -0.25, 1e-12);  // a sphere inside
}

// No pair of points on the two segments is nearer, and some sampled pair is nearly as near.
TEST(TouchingLinks, TheDistanceIsTheLeastOfSampledPairs) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1, 1);
  const auto point = [&] { return Vec3{place(random), place(random), place(random)}; };
  for (int round = 0; round < 200; ++round) {
    const Capsule a{point(), point(), 0}, b{point(), point(), 0};
    double least = HUGE_VAL;
    for (int i = 0; i <= 100; ++i)
      for (int k = 0; k <= 100; ++k)
        least = std::min(least, distance(a.from + (a.to - a.from) * (0.01 * i), b.from + (b.to - b.from) * (0.01 * k)));
    EXPECT_LE(capsule_distance(a, b), least + 1e-12);
    EXPECT_NEAR(capsule_distance(a, b), least, 0.04);
  }
}

double deepest(const CharacterLinks& links, const Reaction& reaction, const std::vector<std::array<int, 2>>& pairs) {
  double most = 0;
  PlacedJoints placed;
  for (const TreePose& pose : reaction.poses) {
    place_joints(links.body.tree, pose, placed);
    const auto capsule = [&](int link) {
      const Capsule& own = links.body.capsule[index(link)];
      return Capsule{placed(link, own.from), placed(link, own.to), own.radius};
    };
    for (const auto& [a, b] : pairs) most = std::max(most, -capsule_distance(capsule(a), capsule(b)));
  }
  return most;
}

TEST(TouchingLinks, ABodyThatCollapsesDoesNotFoldIntoItself) {
  const PersonLinks made = person_links();
  ReactOptions options;
  options.seconds = 4;
  options.limp = 0.5;
  options.pushes = {{0.5, link_of(made.links, "spine2"), {90, 0, -120}}};
  const Reaction reaction = react_standing(made, options);
  const auto pairs = links_that_touch(made.links.body, std::vector{reaction.poses.front()});
  const auto has = [&](const char* a, const char* b) {
    const int first = link_of(made.links, a), second = link_of(made.links, b);
    return std::find(pairs.begin(), pairs.end(), std::array{std::min(first, second), std::max(first, second)}) !=
           pairs.end();
  };
  EXPECT_TRUE(has("lowerArmL", "hips"));
  EXPECT_TRUE(has("shinL", "shinR"));
  EXPECT_FALSE(has("shinL", "thighL"));  // one hangs on the other
  EXPECT_LT(deepest(made.links, reaction, pairs), 0.02);
}

}  // namespace
}  // namespace sinew::test
