// Goals of every kind of skinning.
#include "sinew/rig/skinned_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/rig/kept_volume.h"
#include "sinew/rig/linear_blend.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/character/skinned_tube.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using namespace test;

TEST(SkinnedPoints, RestIsRestToTheBit) {
  // Linear blending has the rounding of sums of weights.
  for (const SkinningKind kind : {SkinningKind::dual_quaternion, SkinningKind::volume, SkinningKind::implicit}) {
    const SimulationSurface surface = skinned_tube(kind);
    const std::vector<Affine> bones(surface.bones.size());
    EXPECT_TRUE(posed(surface, bones) == surface.rest.positions);
  }
}

TEST(SkinnedPoints, LinearIsLinearBlendingBitForBitWhereNothingIsPacked) {
  SimulationSurface surface = skinned_tube(SkinningKind::linear);
  std::vector<Vec3> expected(surface.rest.positions.size());
  linear_blend(surface.rest.positions, surface.influences, bent_tube(1.3), expected);
  const std::vector<Vec3> packed = posed(surface, bent_tube(1.3));
  // A few products and sums of numbers up to about 1.
  for (std::size_t v = 0; v < packed.size(); ++v) EXPECT_LT(distance(packed[v], expected[v]), rounding_of(1, 20));
  surface.skinning.packed.reset();
  EXPECT_EQ(posed(surface, bent_tube(1.3)), expected);
}

TEST(SkinnedPoints, SingleVerticesAreThoseOfTheWhole) {
  for (const SkinningKind kind : every_skinning) {
    const SimulationSurface surface = skinned_tube(kind);
    const std::vector<Affine> bones = bent_tube(1.3);
    const std::vector<Vec3> whole = posed(surface, bones);
    const PosedSkin skin(surface, bones);
    for (std::size_t v = 0; v < whole.size(); v += 7) EXPECT_EQ(skin.at(v), whole[v]);
  }
}

// A rigid motion of all bones carries the whole, whatever the kind.
TEST(SkinnedPoints, ARigidMotionMovesGoalsWithIt) {
  const Affine motion{to_matrix(axis_angle(normalized(Vec3{1, 2, -1}), 2.1)), {3, -1, 2}};
  for (const SkinningKind kind : every_skinning) {
    const SimulationSurface surface = skinned_tube(kind);
    std::vector<Affine> bones = bent_tube(1.3);
    const std::vector<Vec3> before = posed(surface, bones);
    for (Affine& bone : bones) bone = motion * bone;
    const std::vector<Vec3> after = posed(surface, bones);
    for (std::size_t v = 0; v < before.size(); ++v) EXPECT_LE(distance(after[v], motion * before[v]), 1e-12);
  }
}

TEST(SkinnedPoints, DeterministicOnAnyNumberOfThreads) {
  for (const SkinningKind kind : every_skinning) {
    const SimulationSurface surface = skinned_tube(kind, 200, 60);
    expect_same_bits([&] {
      std::vector<double> numbers;
      for (const Vec3& x : posed(surface, bent_tube(1.7))) numbers.insert(numbers.end(), {x.x, x.y, x.z});
      return numbers;
    });
  }
}

TEST(SkinnedPoints, RefusesToKeepAVolumeThatIsNone) {
  SimulationSurface surface = skinned_tube(SkinningKind::linear);
  surface.rest = sheet(8, [](double x, double y) { return Vec3{x, y, 0}; });
  surface.influences.assign(surface.rest.positions.size(), between(0, 1, 0.5));
  const std::string sentence = refusal(ErrorKind::input, [&] { set_skinning(SkinningKind::volume, surface); });
  EXPECT_NE(sentence.find("choose dualquat"), std::string::npos) << sentence;
}

// Turns the triangles of a stretch of the tube over, so that its skin faces its bones.
SimulationSurface turned_over(double from, double to) {
  SimulationSurface surface = skinned_tube(SkinningKind::linear);
  for (Triangle& t : surface.rest.triangles)
    if (const double y = surface.rest.positions[static_cast<std::size_t>(t[0])].y; y >= from && y <= to)
      std::swap(t[1], t[2]);
  return surface;
}

TEST(SkinnedPoints, RefusesSkinThatCannotTouch) {
  SimulationSurface surface = turned_over(0.5, 1);
  const std::string sentence = refusal(ErrorKind::input, [&] { set_skinning(SkinningKind::implicit, surface); });
  EXPECT_NE(sentence.find("choose dualquat"), std::string::npos) << sentence;
}

// A third bone in the middle of the tube, whose skin is turned over, and one of no length at the end.
TEST(SkinnedPoints, SkinThatNoFieldFitsIsNamedAndSkinnedByDualQuaternions) {
  SimulationSurface surface = turned_over(0.25, 0.75);
  Bone middle = surface.bones[1], end = surface.bones[1];
  middle.name = "middle", end.name = "end";
  middle.parent = 0, end.parent = 1;
  end.segments = {{{0, 0.8, 0}, {0, 0.8, 0}}};
  surface.bones.insert(surface.bones.end(), {middle, end});
  for (std::size_t v = 0; v < surface.influences.size(); ++v) {
    const double y = surface.rest.positions[v].y;
    surface.influences[v] = between(y < 0.65 ? 0 : 1, y < 0.35 || y > 0.65 ? (y > 0.8 ? 3 : 1) : 2,
                                    y > 0.35 && y < 0.65 ? 1
                                    : y > 0.8            ? 0.75
                                                         : 0.25);
  }
  set_skinning(SkinningKind::implicit, surface);
  const std::vector<std::string> notes = skinning_notes(surface);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("'middle'; it is skinned by dual quaternions"), std::string::npos) << notes[0];
  const std::vector<Affine> turn = bent_tube(1);
  const std::vector<Affine> bones{turn[0], turn[1], turn[1], turn[1]};
  SimulationSurface plain = surface;
  set_skinning(SkinningKind::dual_quaternion, plain);
  const std::vector<Vec3> x = posed(surface, bones), expected = posed(plain, bones);
  for (std::size_t v = 0; v < x.size(); ++v) {
    EXPECT_TRUE(is_finite(x[v]));
    if (const double y = surface.rest.positions[v].y; y > 0.36 && y < 0.64) {
      EXPECT_EQ(x[v], expected[v]);
    }
  }
}

TEST(SkinnedPoints, RefusesABoneThatIsNoNumber) {
  for (const SkinningKind kind :
       {SkinningKind::linear, SkinningKind::dual_quaternion, SkinningKind::volume, SkinningKind::implicit}) {
    const SimulationSurface surface = skinned_tube(kind);
    std::vector<Affine> bones = bent_tube(1);
    bones[1].translation.x = std::nan("");
    const std::string sentence = refusal(ErrorKind::input, [&] { posed(surface, bones); });
    EXPECT_NE(sentence.find("not a number"), std::string::npos) << sentence;
  }
}

}  // namespace
}  // namespace sinew
