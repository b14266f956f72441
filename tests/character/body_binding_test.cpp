// Values carried from the surface into the volume.
#include "sinew/character/body_binding.h"

#include <gtest/gtest.h>

#include "sinew/mesh/volume_meshing.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

TriangleMesh limb(double size = 1) {
  TriangleMesh mesh = tube(
      16, 12,
      [=](double t) {
        return Vec3{0, t * size, 0};
      },
      [=](double) { return 0.15 * size; },
      [](double) {
        return Vec3{1, 0, 0};
      },
      {0, 0, 0}, {0, size, 0}, {0, 0, 1});
  if (signed_volume(mesh) < 0) reverse(mesh);
  return mesh;
}

VolumeMesh volume_of(const TriangleMesh& surface) {
  VolumeMeshingOptions options;
  options.target_tetrahedra = 1500;
  return mesh_volume(surface, options);
}

TEST(ExtendIntoVolume, ConstantsStayConstant) {
  const TriangleMesh surface = limb();
  const VolumeMesh volume = volume_of(surface);
  const std::vector<double> extended =
      extend_into_volume(volume.mesh, volume.embedding, std::vector<double>(surface.positions.size(), 3.5), 1);
  for (double value : extended) EXPECT_NEAR(value, 3.5, 1e-4);
}

TEST(ExtendIntoVolume, MeetsTheSurfaceAndStaysBetweenItsValues) {
  const TriangleMesh surface = limb();
  const VolumeMesh volume = volume_of(surface);
  std::vector<double> heights;
  for (const Vec3& x : surface.positions) heights.push_back(x.y);
  const std::vector<double> extended = extend_into_volume(volume.mesh, volume.embedding, heights, 1);
  for (std::size_t s = 0; s < surface.positions.size(); ++s) {
    const EmbeddedPoint& point = volume.embedding.points[s];
    double value = 0;
    for (std::size_t k = 0; k < 4; ++k)
      value +=
          point.weights[k] *
          extended[static_cast<std::size_t>(volume.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)][k])];
    EXPECT_NEAR(value, heights[s], 0.03);
  }
  for (double value : extended) {
    EXPECT_GT(value, -0.15);
    EXPECT_LT(value, 1.15);
  }
}

TEST(ExtendIntoVolume, DoesNotDependOnSize) {
  const TriangleMesh small = limb(1), large = limb(64);  // a power of two: the same mesh but for its scale
  const VolumeMesh a = volume_of(small), b = volume_of(large);
  ASSERT_EQ(a.mesh.positions.size(), b.mesh.positions.size());
  std::vector<double> values;
  for (const Vec3& x : small.positions) values.push_back(x.y > 0.5);
  const std::vector<double> u = extend_into_volume(a.mesh, a.embedding, values, 1),
                            v = extend_into_volume(b.mesh, b.embedding, values, 1);
  for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], v[k], 1e-9);
}

TEST(BodyInfluences, ArePositiveSortedAndSumToOne) {
  SimulationSurface surface;
  surface.rest = limb();
  surface.bones.resize(2);
  for (const Vec3& x : surface.rest.positions) {
    const double upper = std::clamp(x.y * 2 - 0.5, 0.0, 1.0);
    Influences influences;
    for (const auto& [bone, weight] : {std::pair{upper > 0.5 ? 1 : 0, std::max(upper, 1 - upper)},
                                       std::pair{upper > 0.5 ? 0 : 1, std::min(upper, 1 - upper)}}) {
      if (weight <= 0) continue;
      influences.joint[static_cast<std::size_t>(influences.count)] = bone;
      influences.weight[static_cast<std::size_t>(influences.count++)] = weight;
    }
    surface.influences.push_back(influences);
  }
  const VolumeMesh volume = volume_of(surface.rest);
  const std::vector<Influences> body = body_influences(volume.mesh, volume.embedding, surface);
  ASSERT_EQ(body.size(), volume.mesh.positions.size());
  for (std::size_t v = 0; v < body.size(); ++v) {
    ASSERT_GT(body[v].count, 0);
    double sum = 0, upper = 0;
    for (int k = 0; k < body[v].count; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      EXPECT_GT(body[v].weight[slot], 0);
      if (k > 0) {
        EXPECT_LE(body[v].weight[slot], body[v].weight[slot - 1]);
      }
      sum += body[v].weight[slot];
      if (body[v].joint[slot] == 1) upper += body[v].weight[slot];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(upper, std::clamp(volume.mesh.positions[v].y * 2 - 0.5, 0.0, 1.0), 0.12);
  }
}

}  // namespace
}  // namespace sinew
