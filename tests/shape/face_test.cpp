// Faces of heads, by their skin.
#include "sinew/shape/face.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace sinew {
namespace {

// A closed tube of rings around `axis`, which thins out towards both ends.
void add_ellipsoid(const Vec3& middle, const Vec3& along, double around, TriangleMesh& mesh) {
  constexpr int rings = 16, sides = 24;
  const Vec3 axis = normalized(along), x = normalized(cross(axis, {1, 0, 0})), y = cross(axis, x);
  const auto first = static_cast<int>(mesh.positions.size());
  for (int i = 0; i <= rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const double height = std::numbers::pi * i / rings, angle = 2 * std::numbers::pi * k / sides;
      mesh.positions.push_back(middle - std::cos(height) * along +
                               around * std::sin(height) * (std::cos(angle) * x + std::sin(angle) * y));
    }
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const int a = first + sides * i + k, b = first + sides * i + (k + 1) % sides;
      mesh.triangles.push_back({a, b, a + sides});
      mesh.triangles.push_back({b, b + sides, a + sides});
    }
}

TEST(Face, OfAPersonIsAsLargeAsTheHeadAndItsMouthBelowTheMiddle) {
  TriangleMesh head;
  add_ellipsoid({0, 1.6, 0}, {0, 0.13, 0}, 0.1, head);
  const Face face = find_face(head.positions, head, false, {});
  EXPECT_NEAR(face.size, face.head, 0.2 * face.head);
  EXPECT_LT(face.anchor.y, face.middle.y - 0.1 * face.head);
  EXPECT_GT(face.anchor.y, face.middle.y - 0.5 * face.head);
  EXPECT_GT(face.anchor.z, 0.8 * 0.1);
  EXPECT_GT(face.left.x, 0.99);
}

TEST(Face, TheMouthIsAtTheLipsBelowANose) {
  TriangleMesh head;
  add_ellipsoid({0, 1.6, 0}, {0, 0.13, 0}, 0.1, head);
  add_ellipsoid({0, 1.59, 0.1}, {0, 0, 0.03}, 0.012, head);
  const Face without = find_face(head.positions, head, false, {});
  EXPECT_LT(without.anchor.y, 1.58) << "below the nose";
  EXPECT_LT(without.anchor.z, 0.11);
  add_ellipsoid({0, 1.56, 0.093}, {0, 0, 0.012}, 0.008, head);
  const Face face = find_face(head.positions, head, false, {});
  EXPECT_NEAR(face.anchor.y, 1.56, 0.003);
  EXPECT_NEAR(face.anchor.z, 0.105, 0.002);
  EXPECT_NEAR(find_face(head.positions, head, true, {}).anchor.z, 0.13, 1e-9);
}

// A head with a muzzle forwards and down, narrower than it.
TEST(Face, OfAnAnimalIsOnItsMuzzleAndAsSmall) {
  TriangleMesh head;
  add_ellipsoid({0, 1.6, 0}, {0, 0, 0.12}, 0.14, head);
  add_ellipsoid({0, 1.48, 0.14}, {0, -0.1, 0.1}, 0.05, head);
  const Face mouth = find_face(head.positions, head, false, {}), nose = find_face(head.positions, head, true, {});
  EXPECT_NEAR(nose.anchor.z, 0.255, 0.02);
  EXPECT_LT(nose.size, 0.6 * nose.head);
  EXPECT_LT(mouth.anchor.y, nose.anchor.y - 0.005) << "below the tip";
  EXPECT_GT(mouth.anchor.z, 0.15);
  EXPECT_EQ(mouth.size, nose.size);
  // Places beyond the muzzle's width go back along it.
  const Vec3 beside = nose.beside({3 * nose.half_width, 0, 0});
  EXPECT_LT(beside.x, nose.half_width);
  EXPECT_LT(beside.z, nose.anchor.z - nose.half_width);
  EXPECT_LT(distance(nose.beside({0.2 * nose.half_width, 0, 0}), nose.anchor + Vec3{0.2 * nose.half_width, 0, 0}),
            1e-12);
}

void add_box(const Vec3& low, const Vec3& high, TriangleMesh& mesh) {
  const auto first = static_cast<int>(mesh.positions.size());
  for (int corner = 0; corner < 8; ++corner)
    mesh.positions.push_back({corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z});
  for (const Triangle& t : {Triangle{0, 2, 1},
                            {1, 2, 3},
                            {4, 5, 6},
                            {5, 7, 6},
                            {0, 1, 4},
                            {1, 5, 4},
                            {2, 6, 3},
                            {3, 6, 7},
                            {0, 4, 2},
                            {2, 4, 6},
                            {1, 3, 5},
                            {3, 7, 5}})
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

// The vertices of coarse faces are beside the middle, in pairs.
TEST(Face, IsInTheMiddleWhereNoVertexIs) {
  TriangleMesh head;
  add_box({-0.1, 1.5, -0.1}, {0.1, 1.7, 0.1}, head);
  add_box({-0.02, 1.54, 0.1}, {0.02, 1.58, 0.2}, head);
  const Vec3 anchor = find_face(head.positions, head, true, {}).anchor;
  EXPECT_NEAR(anchor.x, 0, 1e-12);
  EXPECT_NEAR(anchor.z, 0.2, 1e-12);
}

TEST(Face, APlaceThatIsGivenIsTheAnchor) {
  TriangleMesh head;
  add_ellipsoid({0, 1.6, 0}, {0, 0.13, 0}, 0.1, head);
  const Vec3 mouth{0.1, 1.57, 0};  // it looks along +x
  const Face face = find_face(head.positions, head, false, mouth);
  EXPECT_EQ(face.anchor, mouth);
  EXPECT_LT(distance(face.forward, {1, 0, 0}), 1e-9);
  EXPECT_LT(distance(face.left, {0, 0, -1}), 1e-9);
}

}  // namespace
}  // namespace sinew
