// Offsets on top of keys: nothing where nothing is keyed, sums, and turns in the frame that the keys have turned.
#include "sinew/rig/offset_rig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/linalg/turns.h"
#include "sinew/rig/skeleton_rig.h"
#include "tests/base/refusal.h"
#include "tests/rig/rig_character.h"
#include "tests/rig/rig_checks.h"

namespace sinew {
namespace {

using namespace test;

struct Offsets {
  Character character = rig_character();
  SimulationSurface surface = simulation_surface(character);
  CharacterRig rig{character, surface};
  int belly = rig.first_parameter(belly_joint), spine = rig.first_parameter(spine_joint);
  // The belly's shifts, turns and a size, two of the spine's turns, and a morph weight with a value at rest.
  std::vector<int> moved{spine + 3, spine + 5, belly,     belly + 1, belly + 2,
                         belly + 3, belly + 4, belly + 5, belly + 7, rig.first_weight(mesh_node)};
  OffsetRig offset{rig, moved};

  std::vector<double> with(std::vector<double> keyed, const std::vector<double>& offsets) const {
    keyed.insert(keyed.end(), offsets.begin(), offsets.end());
    return keyed;
  }
  std::vector<double> some_offsets(unsigned seed) const {
    const std::vector<double> p = random_parameters(rig, seed, 0.6);
    std::vector<double> result;
    for (const int i : moved) result.push_back(p[static_cast<std::size_t>(i)]);
    return result;
  }
};

TEST(OffsetRig, OfNothingKeyedIsTheRigItselfToTheBit) {
  Offsets o;
  const std::vector<double> offsets = o.some_offsets(3);
  std::vector<double> p = rest_parameters(o.rig), all = o.with(p, offsets);
  for (std::size_t i = 0; i < o.moved.size(); ++i) p[static_cast<std::size_t>(o.moved[i])] = offsets[i];
  EXPECT_EQ(evaluated(o.offset, all), evaluated(o.rig, p));
  RigJacobian own, expected;
  ASSERT_TRUE(o.offset.jacobian(all, o.offset.offsets(), own));
  ASSERT_TRUE(o.rig.jacobian(p, o.moved, expected));
  EXPECT_EQ(own.start, expected.start);
  EXPECT_EQ(own.vertex, expected.vertex);
  EXPECT_EQ(own.derivative, expected.derivative);
  std::vector<double> twice = all, apart;
  twice.insert(twice.end(), all.begin(), all.end());
  std::vector<Vec3> many(2 * o.rig.vertices());
  o.offset.evaluate_many(twice, many);
  EXPECT_EQ(std::vector<Vec3>(many.begin() + static_cast<std::ptrdiff_t>(o.rig.vertices()), many.end()),
            evaluated(o.rig, p));
}

TEST(OffsetRig, WithoutOffsetsIsAsKeyedToTheBit) {
  Offsets o;
  const std::vector<double> keyed = random_parameters(o.rig, 5);
  std::vector<double> none;
  for (const int i : o.moved) none.push_back(o.rig.parameters()[static_cast<std::size_t>(i)].rest);
  EXPECT_EQ(evaluated(o.offset, o.with(keyed, none)), evaluated(o.rig, keyed));
}

// The node's own matrix says what was meant: exp(r_key) exp(q), and sums of all else.
TEST(OffsetRig, TurnsWhereTheKeysHaveTurned) {
  Offsets o;
  std::vector<double> keyed = random_parameters(o.rig, 7);
  const std::vector<double> offsets = o.some_offsets(8);
  std::vector<double> p = keyed;
  add_offsets(o.rig.parameters(), o.moved, offsets, p);
  const auto turn = [&](const std::vector<double>& of, int first) {
    return rotation_exponential({of[static_cast<std::size_t>(first)], of[static_cast<std::size_t>(first) + 1],
                                 of[static_cast<std::size_t>(first) + 2]});
  };
  const Quat belly = turn(keyed, o.belly + 3) * rotation_exponential({offsets[5], offsets[6], offsets[7]});
  const Quat spine = turn(keyed, o.spine + 3) * rotation_exponential({offsets[0], 0, offsets[1]});
  EXPECT_LT(frobenius_norm(to_matrix(turn(p, o.belly + 3)) - to_matrix(belly)), 1e-14);
  EXPECT_LT(frobenius_norm(to_matrix(turn(p, o.spine + 3)) - to_matrix(spine)), 1e-14);
  EXPECT_NEAR(p[static_cast<std::size_t>(o.belly) + 1], keyed[static_cast<std::size_t>(o.belly) + 1] + offsets[3],
              1e-15);
  const auto weight = static_cast<std::size_t>(o.moved.back());
  EXPECT_NEAR(p[weight], keyed[weight] + offsets[9] - o.rig.parameters()[weight].rest, 1e-15);
  // Past half a turn, and near a whole one: of those that mean the rotation, the nearest to the keyed one.
  for (const double angle : {3.0, 6.2, 9.0}) {
    const Vec3 r = normalized(Vec3{1, 2, -0.5}) * angle;
    for (std::size_t c = 0; c < 3; ++c) keyed[static_cast<std::size_t>(o.belly) + 3 + c] = r[c];
    p = keyed;
    add_offsets(o.rig.parameters(), o.moved, offsets, p);
    const Vec3 moved{p[static_cast<std::size_t>(o.belly) + 3], p[static_cast<std::size_t>(o.belly) + 4],
                     p[static_cast<std::size_t>(o.belly) + 5]};
    for (const double turns : {-1.0, 1.0})
      EXPECT_LE(distance(moved, r), distance(moved + 2 * pi * turns * normalized(moved), r)) << angle;
    EXPECT_LT(
        frobenius_norm(to_matrix(rotation_exponential(moved)) -
                       to_matrix(rotation_exponential(r) * rotation_exponential({offsets[5], offsets[6], offsets[7]}))),
        1e-14);
  }
}

// Also where a rotation vector knows no rates of its own: at a whole turn.
TEST(OffsetRig, HasExactDerivatives) {
  Offsets o;
  for (const double angle : {0.4, 3.1, 2 * pi, 7.0}) {
    std::vector<double> keyed = random_parameters(o.rig, 11);
    const Vec3 r = normalized(Vec3{0.2, -1, 0.6}) * angle;
    for (std::size_t c = 0; c < 3; ++c) keyed[static_cast<std::size_t>(o.belly) + 3 + c] = r[c];
    const std::vector<double> p = o.with(keyed, o.some_offsets(12));
    RigJacobian jacobian;
    const std::vector<int> columns = o.offset.offsets();
    ASSERT_TRUE(o.offset.jacobian(p, columns, jacobian));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::vector<Vec3> expected = difference_column(o.offset, p, static_cast<std::size_t>(columns[c]));
      double size = 0;
      for (const Vec3& v : expected) size = std::max(size, norm(v));
      EXPECT_LT(largest_distance(dense_column(jacobian, c, o.rig.vertices()), expected), 1e-8 * std::max(size, 1e-4))
          << angle << " " << c;
    }
  }
  RigJacobian refused;
  const std::vector<double> p = o.with(rest_parameters(o.rig), o.some_offsets(1));
  EXPECT_NE(refusal(ErrorKind::usage, [&] { o.offset.jacobian(p, std::vector<int>{0}, refused); }), "");
}

}  // namespace
}  // namespace sinew
