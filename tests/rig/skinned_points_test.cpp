// Goals of every kind of skinning.
#include "sinew/rig/skinned_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/rig/kept_volume.h"
#include "sinew/rig/linear_blend.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/character/skinned_tube.h"

namespace sinew {
namespace {

using namespace test;

TEST(SkinnedPoints, RestIsRestToTheBit) {
  // Linear blending has the rounding of sums of weights.
  for (const SkinningKind kind : {SkinningKind::dual_quaternion, SkinningKind::volume}) {
    const SimulationSurface surface = skinned_tube(kind);
    const std::vector<Affine> bones(surface.bones.size());
    EXPECT_TRUE(posed(surface, bones) == surface.rest.positions);
  }
}

TEST(SkinnedPoints, LinearHasTheBitsOfLinearBlending) {
  const SimulationSurface surface = skinned_tube(SkinningKind::linear);
  std::vector<Vec3> expected(surface.rest.positions.size());
  linear_blend(surface.rest.positions, surface.influences, bent_tube(1.3), expected);
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

TEST(SkinnedPoints, RefusesABoneThatIsNoNumber) {
  for (const SkinningKind kind : {SkinningKind::dual_quaternion, SkinningKind::volume}) {
    const SimulationSurface surface = skinned_tube(kind);
    std::vector<Affine> bones = bent_tube(1);
    bones[1].translation.x = std::nan("");
    const std::string sentence = refusal(ErrorKind::input, [&] { posed(surface, bones); });
    EXPECT_NE(sentence.find("not a number"), std::string::npos) << sentence;
  }
}

}  // namespace
}  // namespace sinew
