// Cores, thickness and flesh depth of a cylinder around one bone, where all of them are known.
#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/character/body_binding.h"
#include "sinew/mesh/volume/volume_meshing.h"
#include "tests/character/influences.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

constexpr double radius = 0.2, length = 2;

struct Cylinder {
  SimulationSurface surface;
  VolumeMesh volume;
  std::vector<Influences> influences;
};

Cylinder cylinder(double size = 1) {
  Cylinder result;
  result.surface.rest = upright_tube(32, 48, length * size, radius * size);
  result.surface.influences.assign(result.surface.rest.positions.size(), on(0));
  Bone bone;
  bone.segments.push_back({{0, 0.3 * size, 0}, {0, (length - 0.3) * size, 0}});
  result.surface.bones.push_back(bone);
  VolumeMeshingOptions options;
  options.target_tetrahedra = 6000;
  result.volume = mesh_volume(result.surface.rest, options);
  result.influences.assign(result.volume.mesh.positions.size(), on(0));
  return result;
}

FleshMap map_of(const Cylinder& c, double core) {
  FleshMapOptions options;
  options.core_fraction = {core};
  return map_flesh(c.volume.mesh, c.influences, c.surface, options);
}

// Away from the bone's ends, where distances are those across the axis.
bool in_the_middle(const Vec3& x) { return x.y > 0.5 && x.y < length - 0.5; }

TEST(FleshMap, ThicknessAndDepthOfACylinder) {
  const Cylinder c = cylinder();
  const FleshMap map = map_of(c, 0.5);
  for (std::size_t v = 0; v < c.volume.mesh.positions.size(); ++v)
    if (in_the_middle(c.volume.mesh.positions[v])) {
      EXPECT_NEAR(map.thickness[v], radius, 0.01 * radius);
    }
  for (std::size_t s = 0; s < map.depth.size(); ++s)
    if (in_the_middle(c.surface.rest.positions[s])) {
      EXPECT_NEAR(map.depth[s], 0.5 * radius, 0.02 * radius);
    }
}

TEST(FleshMap, ProximityFallsFromTheCoreToTheSkin) {
  const Cylinder c = cylinder();
  const FleshMap map = map_of(c, 0.5);
  std::size_t cores = 0;
  for (std::size_t v = 0; v < c.volume.mesh.positions.size(); ++v) {
    const Vec3& x = c.volume.mesh.positions[v];
    if (!in_the_middle(x)) continue;
    const double ratio = std::hypot(x.x, x.z) / radius;
    EXPECT_GE(map.bone_proximity[v], 0);
    EXPECT_LE(map.bone_proximity[v], 1);
    EXPECT_NEAR(map.bone_distance[v], std::hypot(x.x, x.z), 1e-9);
    if (ratio > 0.95) {
      EXPECT_EQ(map.bone_proximity[v], 0) << ratio;
    }
    if (map.core[v]) {
      ++cores;
      EXPECT_LT(ratio, 0.51);
      EXPECT_EQ(map.bone_proximity[v], 1);
    }
  }
  EXPECT_GT(cores, 10u);
}

TEST(FleshMap, AThickerCoreHoldsMore) {
  const Cylinder c = cylinder();
  const auto count = [&](double core) {
    const FleshMap map = map_of(c, core);
    return std::count(map.core.begin(), map.core.end(), 1);
  };
  EXPECT_LT(count(0.2), count(0.5));
  EXPECT_LT(count(0.5), count(0.9));
}

TEST(FleshMap, ScalesWithTheCharacter) {
  const Cylinder small = cylinder(1), large = cylinder(32);
  const FleshMap a = map_of(small, 0.5), b = map_of(large, 0.5);
  ASSERT_EQ(a.core.size(), b.core.size());
  EXPECT_EQ(a.core, b.core);
  for (std::size_t s = 0; s < a.depth.size(); ++s) EXPECT_NEAR(32 * a.depth[s], b.depth[s], 1e-9);
  for (std::size_t v = 0; v < a.solid_depth.size(); ++v) EXPECT_NEAR(32 * a.solid_depth[v], b.solid_depth[v], 1e-9);
}

// A wing whose only bone is a short one at its root: its tip is far from the bone, but not deep.
TEST(FleshMap, NoFleshIsDeeperThanTheSolidIsThick) {
  Cylinder c = cylinder();
  c.surface.bones[0].segments[0] = {{0, 0.1, 0}, {0, 0.3, 0}};
  const FleshMap map = map_of(c, 0.5);
  EXPECT_LE(*std::max_element(map.depth.begin(), map.depth.end()), 2 * radius);
  // Thickness is looked for at the body's vertices, one of which is within a cell of the axis.
  EXPECT_GE(*std::max_element(map.depth.begin(), map.depth.end()), 2 * (radius - c.volume.cell_size));
}

}  // namespace
}  // namespace sinew
