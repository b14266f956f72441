#include "sinew/mesh/similarity_fit.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

TEST(SimilarityFit, PointsMovedByASimilarityReturnIt) {
  const Affine known{to_matrix(axis_angle(normalized(Vec3{1, -2, 0.5}), 2.1)) * 1.7, {0.3, -4, 2}};
  std::vector<PointPair> pairs;
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0.2, 0}, Vec3{-0.3, 1, 0.1}, Vec3{0, 0.4, 2}})
    pairs.push_back({p, known * p});
  const Affine found = similarity_fit(pairs);
  for (const PointPair& pair : pairs) EXPECT_LT(distance(found * pair.source, pair.target), 1e-5);
  EXPECT_NEAR(determinant(found.linear), std::pow(1.7, 3), 1e-4);
}

TEST(SimilarityFit, WhatIsOpenStaysAsItIs) {
  EXPECT_THROW(similarity_fit({}), Error);
  const Affine one = similarity_fit(std::vector<PointPair>{{{1, 2, 3}, {2, 2, 3}}});
  EXPECT_EQ(one.linear, Mat3::identity());
  EXPECT_EQ(one.translation, (Vec3{1, 0, 0}));
  // Points on a line say nothing of a turn about it.
  const Affine line = similarity_fit(std::vector<PointPair>{{{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {2, 0, 0}}});
  EXPECT_LT(distance(line * Vec3{0, 1, 0}, {0, 2, 0}), 1e-5);
}

}  // namespace
}  // namespace sinew
