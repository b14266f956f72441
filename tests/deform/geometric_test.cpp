// Geometric skinning as deformers.
#include "sinew/deform/geometric/geometric_deformer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/rig/dual_quaternion.h"
#include "tests/character/two_bones.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

const SimulationSurface& tube() {
  static const SimulationSurface surface =
      simulation_surface(test::two_bone_tube(24, 16, 1, 0.12, [](double height) { return height; }));
  return surface;
}

std::vector<Affine> bent(double angle) {
  const Mat3 turn = to_matrix(Quat{0, 0, std::sin(angle / 2), std::cos(angle / 2)});
  const Vec3 joint{0, 0.5, 0};
  return {{Mat3::identity(), {0.1, 0, 0}}, {turn, joint - turn * joint + Vec3{0.1, 0, 0}}};
}

std::vector<Vec3> surface_of(GeometricSkinning skinning, const RigState& rig) {
  SimulationSurface skinned = tube();
  set_skinning(kind_of(skinning), skinned);
  const std::unique_ptr<Deformer> deformer = geometric_deformer(skinning, skinned);
  std::vector<Vec3> surface(tube().rest.positions.size());
  deformer->advance(rig, {});
  deformer->surface(rig, 0, surface);
  return surface;
}

TEST(Geometric, LinearIsTheRigsOwnToTheBit) {
  const std::vector<Affine> bones = bent(1.2);
  const std::unique_ptr<Deformer> deformer = geometric_deformer(GeometricSkinning::linear, tube());
  std::vector<Vec3> displacement(tube().rest.positions.size(), Vec3{1, 1, 1});
  deformer->advance({0, bones}, {});
  deformer->displacements({0, bones}, 0, displacement);
  for (const Vec3& d : displacement) EXPECT_EQ(d, Vec3());
}

TEST(Geometric, DualQuaternionsAreThoseOfTheRig) {
  const std::vector<Affine> bones = bent(2);
  std::vector<Vec3> expected(tube().rest.positions.size());
  dual_quaternion_blend(tube().rest.positions, tube().influences, bones, expected);
  const std::vector<Vec3> surface = surface_of(GeometricSkinning::dual_quaternion, {0, bones});
  // In lanes sums are taken in another order.
  for (std::size_t v = 0; v < surface.size(); ++v) EXPECT_LE(distance(surface[v], expected[v]), 1e-15) << v;
}

TEST(Geometric, RigidMovesEveryVertexWithOneBone) {
  const std::vector<Affine> bones = bent(0.9);
  const std::vector<Vec3> surface = surface_of(GeometricSkinning::rigid, {0, bones});
  for (std::size_t v = 0; v < surface.size(); ++v) {
    const Vec3& rest = tube().rest.positions[v];
    if (std::abs(rest.y - 0.5) < 1e-9) continue;  // as much to either
    EXPECT_LE(distance(surface[v], bones[rest.y > 0.5] * rest), 1e-14) << v;
  }
}

}  // namespace
}  // namespace sinew
