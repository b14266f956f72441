// Which skin goes along with what lies on it.
#include "sinew/cook/parts_on_skin.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "tests/cook/belly.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using namespace test;

TEST(PartsOnSkin, GoesAlongFullyBelowAndLessAround) {
  const Belly b = belly();
  const std::vector<Vec3>& x = b.figure.surface.rest.positions;
  std::map<int, double> weight;
  for (const GluedVertex& glued : parts_on_skin(b.figure.surface, b.parts).glued) {
    EXPECT_EQ(glued.group, 0);  // nothing goes along with the sword
    EXPECT_TRUE(glued.vertex >= b.skin && glued.vertex < b.button);
    weight[glued.vertex] += glued.weight;
  }
  for (int v = b.skin; v < b.button; ++v) {
    const double away = distance(x[static_cast<std::size_t>(v)], {0, 1, 0.5}) - 0.05;
    if (away < 0) {
      EXPECT_DOUBLE_EQ(weight[v], 1) << away;
    } else if (away > 0.08) {
      EXPECT_EQ(weight[v], 0) << away;
    } else if (away > 0.04) {
      EXPECT_LT(weight[v], 1) << away;
    }
  }
  EXPECT_GE(weight.size(), 12u);
}

// Things of one bone that touch each other are one; those of two bones share the skin between them.
TEST(PartsOnSkin, TouchingThingsAreOneOrShareTheirSkin) {
  for (const bool one_bone : {true, false}) {
    Belly b = belly();
    RigidPart second;
    second.bone = one_bone ? b.parts[0].bone : 1;
    const int first = b.figure.piece(sphere({0, 1.08, 0.5}, 0.05, 12), second.bone);
    for (int v = first; v < static_cast<int>(b.figure.surface.rest.positions.size()); ++v) second.vertices.push_back(v);
    b.parts.push_back(second);
    const PartsOnSkin on = parts_on_skin(b.figure.surface, b.parts);
    EXPECT_EQ(on.parts.size(), one_bone ? 2u : 3u);
    EXPECT_EQ(on.footing.size(), on.parts.size());
    std::map<int, double> weight;
    std::map<int, int> groups;
    int before = -1;
    for (const GluedVertex& glued : on.glued) {
      EXPECT_GE(glued.vertex, before);
      before = glued.vertex;
      weight[glued.vertex] += glued.weight;
      ++groups[glued.vertex];
    }
    int shared = 0;
    for (const auto& [v, sum] : weight) {
      EXPECT_LE(sum, 1 + test::rounding_of(1, groups[v] + 4));  // shares of one, divided by their sum
      shared += groups[v] > 1;
    }
    EXPECT_EQ(shared > 0, !one_bone);
  }
}

// A button stands on the belly; a sword that only passes by stands on nothing, and moves as its own flesh does.
TEST(PartsOnSkin, OnlyWhatLiesOnSkinHasFeet) {
  const Belly b = belly();
  const PartsOnSkin on = parts_on_skin(b.figure.surface, b.parts);
  ASSERT_EQ(on.footing.size(), 2u);
  EXPECT_GE(on.footing[0].feet.size(), 3u);
  EXPECT_TRUE(on.footing[1].feet.empty());
  EXPECT_EQ(on.footing[1].on.vertices, b.parts[1].vertices);
  const std::vector<Vec3>& x = b.figure.surface.rest.positions;
  for (const Foot& foot : on.footing[0].feet) {
    Vec3 point;
    for (std::size_t k = 0; k < 3; ++k) point += foot.place[k] * x[static_cast<std::size_t>(foot.corners[k])];
    EXPECT_LT(distance(point, x[static_cast<std::size_t>(foot.vertex)]), 0.0111);
  }
}

// Horns that stand on one patch of skin and have flesh of their own are two, and no skin far from them goes along; an
// eye in its socket, or a button, follows the skin even so.
TEST(PartsOnSkin, WhatStandsFreeFollowsItsOwnFlesh) {
  const auto standing = [](const std::vector<TriangleMesh>& things, bool has_flesh) {
    Figure figure;
    const int bone = figure.bone(-1, {0, 0, 0});
    figure.piece(sphere({0, 1, 0}, 0.5, 60), bone);
    std::vector<RigidPart> parts;
    for (const TriangleMesh& thing : things) {
      const int first = figure.piece(thing, bone);
      RigidPart& part = parts.emplace_back();
      part.bone = bone;
      for (int v = first; v < static_cast<int>(figure.surface.rest.positions.size()); ++v) part.vertices.push_back(v);
    }
    return parts_on_skin(figure.surface, parts, [has_flesh](const RigidPart&) { return has_flesh; });
  };
  const std::vector<TriangleMesh> horns{capsule({-0.027, 1, 0.45}, {-0.027, 1, 0.8}, 0.02),
                                        capsule({0.027, 1, 0.45}, {0.027, 1, 0.8}, 0.02)};
  const PartsOnSkin on_skin = standing(horns, false), free = standing(horns, true);
  ASSERT_EQ(on_skin.parts.size(), 1u);
  EXPECT_FALSE(on_skin.footing[0].feet.empty());
  ASSERT_EQ(free.parts.size(), 2u);
  for (const RigidFooting& footing : free.footing) EXPECT_TRUE(footing.feet.empty());
  const auto goes_along = [](const PartsOnSkin& on) {
    return std::accumulate(on.glued.begin(), on.glued.end(), 0.0,
                           [](double sum, const GluedVertex& glued) { return sum + glued.weight; });
  };
  EXPECT_LT(goes_along(free), 0.5 * goes_along(on_skin));
  for (const TriangleMesh& thing :
       {sphere({0, 1, 0.45}, 0.1), sphere({0, 1, 0.55}, 0.1), capsule({-0.1, 1, 0.5}, {0.1, 1, 0.5}, 0.03)})
    EXPECT_FALSE(standing({thing}, true).footing[0].feet.empty()) << thing.positions[0].z;
}

// Two eyes that have one vertex of coarse skin in common each follow the skin under themselves; two buttons side by
// side on it are one.
TEST(PartsOnSkin, WhatHasLittleSkinInCommonStaysApart) {
  const auto parts = [](double apart) {
    Figure figure;
    const int bone = figure.bone(-1, {0, 0, 0});
    figure.piece(sphere({0, 1, 0}, 0.5, 12), bone);
    std::vector<RigidPart> eyes;
    for (const double side : {-0.5, 0.5}) {
      const int first = figure.piece(sphere({side * apart, 1, 0.45}, 0.06), bone);
      RigidPart& eye = eyes.emplace_back();
      eye.bone = bone;
      for (int v = first; v < static_cast<int>(figure.surface.rest.positions.size()); ++v) eye.vertices.push_back(v);
    }
    return parts_on_skin(figure.surface, eyes);
  };
  EXPECT_EQ(parts(0.14).parts.size(), 1u);
  const PartsOnSkin eyes = parts(0.3);
  ASSERT_EQ(eyes.parts.size(), 2u);
  std::set<int> under[2];
  for (std::size_t eye = 0; eye < 2; ++eye)
    for (const Foot& foot : eyes.footing[eye].feet) under[eye].insert(foot.corners.begin(), foot.corners.end());
  EXPECT_TRUE(std::any_of(under[0].begin(), under[0].end(), [&](int v) { return under[1].contains(v); }));
}

}  // namespace
}  // namespace sinew
