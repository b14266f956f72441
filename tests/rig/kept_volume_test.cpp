// Skinning that keeps volumes: bends and twists of the tube, parts, holes, sheets, squash and stretch, time.
#include "sinew/rig/kept_volume.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/character/skinned_tube.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

double volume_of(const SimulationSurface& surface, std::span<const Vec3> x) {
  return signed_volume({{x.begin(), x.end()}, surface.rest.triangles});
}

// Of the volume at rest.
double volume_change(const SimulationSurface& surface, std::span<const Vec3> x) {
  return volume_of(surface, x) / volume_of(surface, surface.rest.positions) - 1;
}

struct Bend {
  const char* name;
  double bend, twist;
};
constexpr Bend bends[] = {{"45", pi / 4, 0}, {"90", pi / 2, 0}, {"135", 0.75 * pi, 0}, {"twist", 0, 0.999 * pi}};

TEST(KeptVolume, HoldsWhereLinearAndDualQuaternionsLose) {
  const SimulationSurface linear = skinned_tube(SkinningKind::linear), kept = skinned_tube(SkinningKind::volume);
  for (const Bend& b : bends) {
    const std::vector<Affine> bones = bent_tube(b.bend, b.twist);
    EXPECT_LE(std::abs(volume_change(kept, posed(kept, bones))), 1e-3) << b.name;
  }
  EXPECT_LT(volume_change(linear, posed(linear, bent_tube(0.75 * pi))), -0.04);
}

// The corrections after the first, along its gradients, settle pieces as closely as docs/skinning.md says.
TEST(KeptVolume, LeavesLessThanAMillionthOfAPiece) {
  const SimulationSurface surface = skinned_tube(SkinningKind::volume);
  for (const Bend& b : bends)
    EXPECT_LE(std::abs(volume_change(surface, posed(surface, bent_tube(b.bend, b.twist)))), 1e-6) << b.name;
}

// Of parts' shares in the sum of all, relative to those at rest.
double largest_part_error(const SimulationSurface& surface, std::span<const Affine> bones, std::span<const Vec3> x) {
  const KeptVolume& kept = *surface.skinning.volume;
  const std::vector<double> now = constrained_volumes(kept, bones, x);
  double rest_sum = 0, sum = 0, largest = 0;
  for (std::size_t c = 0; c < now.size(); ++c)
    if (!kept.constraints[c].whole) rest_sum += kept.constraints[c].rest, sum += now[c];
  for (std::size_t c = 0; c < now.size(); ++c)
    if (!kept.constraints[c].whole)
      largest = std::max(largest, std::abs(now[c] / kept.constraints[c].rest * rest_sum / sum - 1));
  return largest;
}

TEST(KeptVolume, KeepsThatOfParts) {
  const SimulationSurface surface = skinned_tube(SkinningKind::volume);
  ASSERT_EQ(surface.skinning.volume->constraints.size(), 3u);  // the whole and two parts
  for (const Bend& b : bends) {
    const std::vector<Affine> bones = bent_tube(b.bend, b.twist);
    EXPECT_LE(largest_part_error(surface, bones, posed(surface, bones)), 5e-3) << b.name;
  }
}

// Second differences over time, the largest of all vertices.
double roughness(const SimulationSurface& surface) {
  constexpr int frames = 60;
  std::vector<std::vector<Vec3>> x;
  for (int f = 0; f <= frames; ++f)
    x.push_back(posed(surface, bent_tube(0.375 * pi * (1 - std::cos(pi * f / frames)))));
  double most = 0;
  for (std::size_t f = 1; f + 1 < x.size(); ++f)
    for (std::size_t v = 0; v < x[f].size(); ++v) most = std::max(most, norm(x[f + 1][v] - 2 * x[f][v] + x[f - 1][v]));
  return most;
}

TEST(KeptVolume, MovesAsSmoothlyAsTheGoal) {
  EXPECT_LE(roughness(skinned_tube(SkinningKind::volume)),
            1.5 * roughness(skinned_tube(SkinningKind::dual_quaternion)));
}

TEST(KeptVolume, SquashAndStretchKeepsIt) {
  const SimulationSurface surface = skinned_tube(SkinningKind::volume);
  const Vec3 joint{0, 0.5, 0};
  for (const double scale : {0.7, 1.4}) {
    const Mat3 stretch = Mat3::diagonal({1, scale, 1});
    const std::vector<Affine> bones{Affine{}, Affine{stretch, joint - stretch * joint}};
    EXPECT_LE(std::abs(volume_change(surface, posed(surface, bones))), 1e-3) << scale;
  }
}

// Paint says how readily skin moves: none where it is 0, and the volume is kept by the rest.
TEST(KeptVolume, PaintedSkinGivesWayAsItIsPainted) {
  SimulationSurface painted = skinned_tube(SkinningKind::volume);
  const SimulationSurface plain = painted, skinned = skinned_tube(SkinningKind::dual_quaternion);
  std::vector<double>& give = painted.fields[field("give")];
  for (const Vec3& x : painted.rest.positions) give.push_back(x.z > 0 ? 0 : -1);  // -1: as it is found
  set_skinning(SkinningKind::volume, painted);
  const std::vector<Affine> bones = bent_tube(0.75 * pi);
  const std::vector<Vec3> now = posed(painted, bones), alone = posed(skinned, bones), before = posed(plain, bones);
  double elsewhere = 0;
  for (std::size_t v = 0; v < now.size(); ++v) {
    if (give[v] == 0)
      EXPECT_LT(distance(now[v], alone[v]), 1e-12) << v;
    else
      elsewhere = std::max(elsewhere, distance(now[v], before[v]));
  }
  EXPECT_GT(elsewhere, 1e-5) << "the other half makes up for it";
  EXPECT_LE(std::abs(volume_change(painted, now)), 1e-3);
  // Paint of -1 alone is none, and twice the same paint changes nothing but by its ratios.
  give.assign(give.size(), -1);
  set_skinning(SkinningKind::volume, painted);
  EXPECT_EQ(posed(painted, bones), before);
  give.assign(give.size(), 0.25);
  set_skinning(SkinningKind::volume, painted);
  const std::vector<Vec3> quarter = posed(painted, bones);
  give.assign(give.size(), 0.5);
  set_skinning(SkinningKind::volume, painted);
  const std::vector<Vec3> half = posed(painted, bones);
  for (std::size_t v = 0; v < half.size(); ++v) EXPECT_LT(distance(half[v], quarter[v]), 1e-6);
}

TEST(KeptVolume, ACharacterThatGrowsGrows) {
  const SimulationSurface surface = skinned_tube(SkinningKind::volume);
  for (const double scale : {0.001, 0.5, 2.0}) {
    const Affine grown{Mat3::identity() * scale, {}};
    const std::vector<Vec3> x = posed(surface, std::vector<Affine>{grown, grown});
    for (std::size_t v = 0; v < x.size(); ++v)
      EXPECT_LE(distance(x[v], scale * surface.rest.positions[v]), 1e-9 * scale);
  }
}

// The tube without a cap's triangles, closed off, and a ball of its own on the lower bone.
TEST(KeptVolume, ClosesHolesAndKeepsPiecesApart) {
  SimulationSurface surface = skinned_tube(SkinningKind::linear);
  const std::size_t tube = surface.rest.positions.size();
  const auto is_middle_of_cap = [&](int v) {
    const Vec3& x = surface.rest.positions[static_cast<std::size_t>(v)];
    return x.y > 0.9999 && std::hypot(x.x, x.z) < 1e-6;
  };
  EXPECT_GT(std::erase_if(surface.rest.triangles,
                          [&](const Triangle& t) { return std::any_of(t.begin(), t.end(), is_middle_of_cap); }),
            0u);
  append(surface.rest, sphere({1, 0.2, 0}, 0.1));
  surface.influences.resize(surface.rest.positions.size(), on(0));
  set_skinning(SkinningKind::volume, surface);
  const KeptVolume& kept = *surface.skinning.volume;
  ASSERT_TRUE(kept.constraints[0].whole);
  EXPECT_FALSE(kept.constraints[1].whole);  // the ball, on one bone, needs no constraint
  EXPECT_NEAR(kept.constraints[0].rest, pi * 0.12 * 0.12, 0.02 * pi * 0.12 * 0.12);
  const std::vector<Affine> bones = bent_tube(pi / 2);
  const std::vector<Vec3> x = posed(surface, bones);
  EXPECT_LE(std::abs(constrained_volumes(kept, bones, x)[0] / kept.constraints[0].rest - 1), 1e-3);
  for (std::size_t v = tube; v < x.size(); ++v) EXPECT_EQ(x[v], surface.rest.positions[v]);
}

TEST(KeptVolume, SkinOnTheBoneStays) {
  const SimulationSurface surface = skinned_tube(SkinningKind::volume);
  const KeptVolume& kept = *surface.skinning.volume;
  const double most = *std::max_element(kept.give.begin(), kept.give.end());
  EXPECT_GT(most, 0);
  int on_axis = 0;
  for (std::size_t v = 0; v < kept.give.size(); ++v) {
    const Vec3& x = surface.rest.positions[v];
    if (std::hypot(x.x, x.z) > 1e-6) continue;
    ++on_axis;  // the middles of the caps lie on the bones' ends
    EXPECT_LT(kept.give[v], 0.05 * most);
  }
  EXPECT_EQ(on_axis, 2);
}

}  // namespace
}  // namespace sinew
