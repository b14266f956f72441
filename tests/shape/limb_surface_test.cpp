#include "sinew/shape/limb_surface.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

// Two plates, at y = 0 facing up and at y = 1 facing down, which are limbs 0 and 1.
LimbSurface plates(double slack) {
  TriangleMesh mesh;
  for (const double y : {0.0, 1.0})
    for (const Vec3& p : {Vec3{-5, y, -5}, Vec3{5, y, -5}, Vec3{0, y, 5}}) mesh.positions.push_back(p);
  mesh.triangles = {{0, 2, 1}, {3, 4, 5}};
  const std::vector<std::vector<int>> limbs{{0}, {1}};
  return {mesh, limbs, slack};
}

TEST(LimbSurface, TheLimbIsPreferredUpToASlack) {
  const LimbSurface near = plates(0.5), far = plates(2);
  const Vec3 low{0, 0.1, 0};
  EXPECT_EQ(near.closest(low, -1).triangle, 0);
  EXPECT_EQ(near.closest(low, 1).triangle, 0) << "0.8 farther";
  EXPECT_EQ(far.closest(low, 1).triangle, 1);
  EXPECT_EQ(far.closest(low, 0).triangle, 0);
  EXPECT_EQ(far.closest(low, 7).triangle, 0) << "a limb that it does not have";
  EXPECT_NEAR(far.closest(low, 1).squared_distance, 0.81, 1e-12);
}

TEST(LimbSurface, OnlyWhatFacesAlikeCounts) {
  const LimbSurface surface = plates(2);
  const Vec3 low{0, 0.1, 0}, up{0, 1, 0};
  EXPECT_EQ(surface.closest_facing(low, up, -1, 2).triangle, 0);
  EXPECT_EQ(surface.closest_facing(low, -up, -1, 2).triangle, 1);
  EXPECT_EQ(surface.closest_facing(low, -up, -1, 0.5).triangle, -1) << "beyond reach";
  EXPECT_EQ(surface.closest_facing(low, up, 1, 2).triangle, 0) << "the limb faces away";
}

}  // namespace
}  // namespace sinew
