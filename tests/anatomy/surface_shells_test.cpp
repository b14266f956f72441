// Sheets of known thickness, grown on bodies, hung on them, and in one layer; and what is thick, which is none.
#include "sinew/anatomy/surface_shells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/anatomy/anatomy.h"
#include "tests/anatomy/figures.h"

namespace sinew {
namespace {

using namespace test;

constexpr double wing_thickness = 0.12;

// A ball of radius 1 out of which a slab grows along x to 2.2, as wide as the ball; on two bones.
Figure with_wing() {
  Figure f;
  const int body = f.bone(-1, {0, 0, 0}), wing = f.bone(body, {1, 0, 0});
  TriangleMesh mesh = sphere({}, 1, 96);
  for (Vec3& x : mesh.positions) {
    const double out = std::clamp((x.x - 0.3) / 0.15, 0.0, 1.0), grown = out * out * (3 - 2 * out);
    if (x.x > 0.3) x.x = 0.3 + (x.x - 0.3) * (1 + 1.7 * grown);
    const double half = 0.5 * wing_thickness;
    x.z += grown * (std::clamp(x.z, -half, half) - x.z);
  }
  f.piece(mesh, [=](const Vec3& x) { return between(body, wing, (x.x - 0.8) / 0.6); });
  f.bone(-1, {9, 9, 9});
  return f;
}

TEST(SurfaceShells, AWingThatGrowsOnABody) {
  const Figure f = with_wing();
  const std::vector<ThinShell> shells = find_anatomy(f.surface).shells;
  ASSERT_EQ(shells.size(), 1u);
  const ThinShell& shell = shells[0];
  EXPECT_EQ(shell.bone, 1);
  EXPECT_NEAR(shell.thickness, wing_thickness, 0.1 * wing_thickness);
  EXPECT_EQ(shell.out.size(), shell.vertices.size());
  EXPECT_DOUBLE_EQ(*std::max_element(shell.out.begin(), shell.out.end()), 1);
  std::vector<char> inside(f.surface.rest.positions.size(), 0);
  for (std::size_t k = 0; k < shell.vertices.size(); ++k) {
    const Vec3& x = f.surface.rest.positions[static_cast<std::size_t>(shell.vertices[k])];
    inside[static_cast<std::size_t>(shell.vertices[k])] = 1;
    EXPECT_GT(x.x, 0.2);
    // The way over it is that along x, but for what edges go to and fro.
    if (x.x > 1) {
      EXPECT_NEAR(shell.out[k] * shell.length, x.x - 0.45, 0.35);
    }
  }
  for (std::size_t v = 0; v < inside.size(); ++v)
    if (f.surface.rest.positions[v].x > 0.8) {
      EXPECT_TRUE(inside[v]) << v;
    }  // both sides, and the rim
}

// A slab by itself, of several bones: it begins at the joint nearest to the root.
TEST(SurfaceShells, APieceOfSeveralBonesThatIsThin) {
  Person p = person();
  const int low = p.figure.bone(p.chest, {0, 0.6, -0.3});
  TriangleMesh cape = sphere({0, 0.55, -0.35}, 0.5, 48);
  for (Vec3& x : cape.positions) x.z = -0.35 + 0.03 * (x.z + 0.35);
  const int first = p.figure.piece(cape, [&](const Vec3& x) { return between(low, p.chest, (x.y - 0.5) / 0.4); });
  const std::vector<ThinShell> shells = find_anatomy(p.figure.surface).shells;
  ASSERT_EQ(shells.size(), 1u);
  EXPECT_EQ(shells[0].vertices.front(), first);
  EXPECT_EQ(shells[0].vertices.size(), cape.positions.size());
  double above = 0, below = 1;
  for (std::size_t k = 0; k < shells[0].vertices.size(); ++k) {
    const double y = p.figure.surface.rest.positions[static_cast<std::size_t>(shells[0].vertices[k])].y;
    if (y > 1) above = std::max(above, shells[0].out[k]);
    if (y < 0.1) below = std::min(below, shells[0].out[k]);
  }
  EXPECT_LT(above, below);
}

TEST(SurfaceShells, OneLayerOfTriangles) {
  Person p = person();
  const int low = p.figure.bone(p.chest, {0, 0.6, -0.3});
  const TriangleMesh cape = test::sheet(12, [](double u, double v) {
    return Vec3{0.9 * (v - 0.5), 1 - 0.9 * u, -0.3 - 0.3 * u * u};
  });
  const int first = p.figure.piece(cape, [&](const Vec3& x) { return between(low, p.chest, (x.y - 0.5) / 0.4); });
  const std::vector<ThinShell> shells = find_anatomy(p.figure.surface).shells;
  ASSERT_EQ(shells.size(), 1u);
  EXPECT_EQ(shells[0].vertices.front(), first);
  EXPECT_EQ(shells[0].vertices.size(), cape.positions.size());
  EXPECT_EQ(shells[0].thickness, 0);
}

// Balls, limbs, flat limbs; half a ball that is open, as eyes are, on two bones; a slab on one bone, which is a rigid
// thing.
TEST(SurfaceShells, WhatIsThickOrRigidIsNone) {
  Person p = person();
  TriangleMesh flat = capsule({0.6, 0, 0}, {0.6, 1, 0}, 0.1);
  for (Vec3& x : flat.positions) x.z *= 0.6;
  p.figure.piece(flat, [&](const Vec3& x) { return between(p.hips, p.spine, x.y); });
  TriangleMesh dome = sphere({0, 1.45, 0.2}, 0.15, 24);
  std::erase_if(dome.triangles, [&](const Triangle& t) {
    return std::any_of(t.begin(), t.end(), [&](int v) { return dome.positions[static_cast<std::size_t>(v)].z < 0.2; });
  });
  p.figure.piece(dome, [&](const Vec3& x) { return between(p.chest, p.head, (x.y - 1.2) / 0.4); });
  p.figure.piece(box({0.3, 0.2, 0.3}, {0.6, 0.8, 0.31}), p.chest);
  const Anatomy anatomy = find_anatomy(p.figure.surface);
  EXPECT_TRUE(anatomy.shells.empty());
  EXPECT_EQ(anatomy.rigid.size(), 1u);
}

TEST(SurfaceShells, SizeDoesNotMatter) {
  const std::vector<ThinShell> before = find_anatomy(with_wing().surface).shells;
  for (const double scale : {0.01, 100.0}) {
    Figure f = with_wing();
    for (Vec3& x : f.surface.rest.positions) x = scale * x;
    for (Bone& bone : f.surface.bones) bone.rest_to_joint.translation = scale * bone.rest_to_joint.translation;
    const std::vector<ThinShell> shells = find_anatomy(f.surface).shells;
    ASSERT_EQ(shells.size(), before.size());
    EXPECT_EQ(shells[0].vertices, before[0].vertices);
    EXPECT_NEAR(shells[0].thickness, scale * before[0].thickness, 1e-9 * scale);
  }
}

}  // namespace
}  // namespace sinew
