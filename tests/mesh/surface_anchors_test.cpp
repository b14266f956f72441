// Points that a deforming surface carries: where they go, and how that changes.
#include "sinew/mesh/volume/surface_anchors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sinew {
namespace {

class Numbers {
 public:
  double operator()() { return uniform_(random_); }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }

 private:
  std::mt19937_64 random_{17};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

// A surface of six vertices, and a point beside it that rides on the first three and turns with the last three.
struct Riding {
  std::vector<Vec3> surface;
  SurfaceAnchor anchor;
  Vec3 point;

  explicit Riding(Numbers& numbers, bool shared_vertices) {
    for (int v = 0; v < 6; ++v) surface.push_back(numbers.vector());
    anchor.vertex = {0, 1, 2};
    anchor.weight = {0.2, 0.5, 0.3};
    anchor.frame = shared_vertices ? std::array<int, 3>{2, 0, 4} : std::array<int, 3>{3, 4, 5};
    const Vec3 offset = 0.4 * numbers.vector();
    anchor.offset = offset_in_frame(anchor.frame, surface, offset);
    point = 0.2 * surface[0] + 0.5 * surface[1] + 0.3 * surface[2] + offset;
  }
};

TEST(SurfaceAnchors, AxesAreARotationInThePlaneOfTheirPoints) {
  Numbers numbers;
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3 a = numbers.vector(), b = numbers.vector(), c = numbers.vector();
    const Mat3 axes = frame_axes(a, b, c);
    EXPECT_LT(frobenius_norm(transpose(axes) * axes - Mat3::identity()), 1e-14);
    EXPECT_NEAR(determinant(axes), 1, 1e-14);
    EXPECT_NEAR(dot(axes.column(0), b - a), distance(a, b), 1e-14);
    EXPECT_NEAR(dot(axes.column(2), c - a), 0, 1e-14);
    EXPECT_GT(dot(axes.column(1), c - a), 0);
  }
}

TEST(SurfaceAnchors, StandWhereTheyWereMadeAndGoAlongWithRigidMotion) {
  Numbers numbers;
  for (int trial = 0; trial < 20; ++trial) {
    const Riding riding(numbers, trial % 2 == 1);
    EXPECT_LT(distance(anchored_position(riding.anchor, riding.surface), riding.point), 1e-14);
    const Mat3 turn = to_matrix(normalized(Quat{numbers(), numbers(), numbers(), numbers()}));
    const Vec3 shift = 3.0 * numbers.vector();
    std::vector<Vec3> moved;
    for (const Vec3& p : riding.surface) moved.push_back(turn * p + shift);
    EXPECT_LT(distance(anchored_position(riding.anchor, moved), turn * riding.point + shift), 1e-13);
  }
}

TEST(SurfaceAnchors, OnTheSurfaceFollowAnyAffineMap) {
  Numbers numbers;
  SurfaceAnchor anchor;
  anchor.vertex = {2, 0, 1};
  anchor.weight = {0.25, 0, 0.75};
  EXPECT_TRUE(anchor.on_surface());
  const Affine map{Mat3::from_columns(numbers.vector(), numbers.vector(), numbers.vector()), numbers.vector()};
  std::vector<Vec3> surface, moved;
  for (int v = 0; v < 3; ++v) surface.push_back(numbers.vector()), moved.push_back(map * surface.back());
  EXPECT_LT(distance(anchored_position(anchor, moved), map * anchored_position(anchor, surface)), 1e-14);
}

TEST(SurfaceAnchors, DerivativesAreThoseOfDifferences) {
  Numbers numbers;
  constexpr double step = 1e-6;
  for (int trial = 0; trial < 10; ++trial) {
    const Riding riding(numbers, false);
    Mat3 together = Mat3::zero();
    for (std::size_t which = 0; which < 6; ++which) {
      const Mat3 derivative = anchor_derivative(riding.anchor, riding.surface, which);
      together += derivative;
      const auto vertex =
          static_cast<std::size_t>(which < 3 ? riding.anchor.vertex[which] : riding.anchor.frame[which - 3]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<Vec3> less = riding.surface, more = riding.surface;
        less[vertex][axis] -= step;
        more[vertex][axis] += step;
        const Vec3 difference =
            (anchored_position(riding.anchor, more) - anchored_position(riding.anchor, less)) / (2 * step);
        EXPECT_LT(distance(derivative.column(axis), difference), 1e-8 * (1 + norm(difference))) << which;
      }
    }
    // All vertices together move the point as they do.
    EXPECT_LT(frobenius_norm(together - Mat3::identity()), 1e-13);
  }
}

TEST(SurfaceAnchors, DerivativesTurnWithTheSurface) {
  // Of an infinitesimal rotation w about the origin: sum of d (w x s) = w x point.
  Numbers numbers;
  const Riding riding(numbers, true);
  const Vec3 turn = numbers.vector();
  Vec3 moved;
  for (std::size_t which = 0; which < 6; ++which) {
    const auto vertex =
        static_cast<std::size_t>(which < 3 ? riding.anchor.vertex[which] : riding.anchor.frame[which - 3]);
    moved += anchor_derivative(riding.anchor, riding.surface, which) * cross(turn, riding.surface[vertex]);
  }
  EXPECT_LT(distance(moved, cross(turn, riding.point)), 1e-13);
}

}  // namespace
}  // namespace sinew
