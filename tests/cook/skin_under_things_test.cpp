// Which skin goes along with what lies on it.
#include "sinew/cook/skin_under_things.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/anatomy/figures.h"

namespace sinew {
namespace {

using namespace test;

// A belly of one bone, a button on its front, and beside it a sword that another bone carries.
struct Belly {
  Figure figure;
  int skin, button, sword, end;
  std::vector<RigidThing> things;
};
Belly belly() {
  Belly b;
  Figure& f = b.figure;
  const int spine = f.bone(-1, {0, 0, 0}), hand = f.bone(spine, {1, 1, 0});
  b.skin = f.piece(sphere({0, 1, 0}, 0.5, 120), spine);
  b.button = f.piece(sphere({0, 1, 0.5}, 0.05, 12), spine);
  b.sword = f.piece(capsule({0.51, 0.6, 0}, {0.51, 1.4, 0}, 0.01), hand);
  b.end = static_cast<int>(f.surface.rest.positions.size());
  for (const auto& [bone, first, last] : {std::array{spine, b.button, b.sword}, std::array{hand, b.sword, b.end}}) {
    RigidThing& thing = b.things.emplace_back();
    thing.bone = bone;
    for (int v = first; v < last; ++v) thing.vertices.push_back(v);
  }
  return b;
}

TEST(SkinUnderThings, GoesAlongFullyBelowAndLessAround) {
  const Belly b = belly();
  const std::vector<Vec3>& x = b.figure.surface.rest.positions;
  std::map<int, double> weight;
  for (const GluedVertex& glued : skin_under_things(b.figure.surface, b.things)) {
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

// Two things that are near to one vertex share it.
TEST(SkinUnderThings, WeightsOfOneVertexAreOneAtMost) {
  Belly b = belly();
  RigidThing second;
  second.bone = b.things[0].bone;
  const int first = b.figure.piece(sphere({0, 1.08, 0.5}, 0.05, 12), second.bone);
  for (int v = first; v < static_cast<int>(b.figure.surface.rest.positions.size()); ++v) second.vertices.push_back(v);
  b.things.push_back(second);
  std::map<int, double> weight;
  std::map<int, int> groups;
  int before = -1;
  for (const GluedVertex& glued : skin_under_things(b.figure.surface, b.things)) {
    EXPECT_GE(glued.vertex, before);
    before = glued.vertex;
    weight[glued.vertex] += glued.weight;
    ++groups[glued.vertex];
  }
  int shared = 0;
  for (const auto& [v, sum] : weight) {
    EXPECT_LE(sum, 1 + 1e-15);
    shared += groups[v] > 1;
  }
  EXPECT_GT(shared, 0);
}

}  // namespace
}  // namespace sinew
