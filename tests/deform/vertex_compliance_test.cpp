// Compliance between vertices: entries of the inverse of a step's system, in whatever company they are asked for.
#include "sinew/deform/tetrahedra/vertex_compliance.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace sinew {
namespace {

constexpr int side = 9, count = side * side;

// A sheet of points with springs to their neighbours, stiffer one way than the other.
BlockMatrix sheet() {
  std::vector<std::vector<int>> columns(count);
  for (int i = 0; i < count; ++i) {
    if (i >= side) columns[static_cast<std::size_t>(i)].push_back(i - side);
    if (i % side > 0) columns[static_cast<std::size_t>(i)].push_back(i - 1);
    columns[static_cast<std::size_t>(i)].push_back(i);
    if (i % side + 1 < side) columns[static_cast<std::size_t>(i)].push_back(i + 1);
    if (i + side < count) columns[static_cast<std::size_t>(i)].push_back(i + side);
  }
  BlockMatrix matrix;
  matrix.rows = count;
  matrix.row_start = {0};
  for (int i = 0; i < count; ++i) {
    for (const int j : columns[static_cast<std::size_t>(i)]) {
      matrix.column.push_back(j);
      const double x = i == j ? 4.5 : -1, y = i == j ? 9 : -2;
      matrix.block.push_back(Mat3{{x, 0.1, 0, 0.1, y, 0, 0, 0, x}});
    }
    matrix.row_start.push_back(static_cast<int>(matrix.column.size()));
  }
  return matrix;
}

std::vector<VertexDirection> along_axes(const std::vector<int>& vertices) {
  std::vector<VertexDirection> directions;
  for (const int v : vertices)
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) directions.push_back({v, axis});
  return directions;
}

TEST(VertexCompliance, IsTheInverse) {
  const BlockMatrix matrix = sheet();
  BlockCholesky factor;
  factor.factor(matrix);
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  VertexCompliance compliance(all, count);
  const std::vector<int> touched{5, 17, 18, 70};
  const std::vector<VertexDirection> directions = along_axes(touched);
  std::vector<double> found(directions.size() * directions.size());
  compliance.between(directions, factor, found);
  for (std::size_t j = 0; j < directions.size(); ++j) {
    std::vector<double> force(3 * count, 0.0), moved(force.size());
    force[3 * static_cast<std::size_t>(touched[j / 3]) + j % 3] = 1;
    factor.solve(force, moved);
    for (std::size_t i = 0; i < directions.size(); ++i)
      EXPECT_NEAR(found[i * directions.size() + j], moved[3 * static_cast<std::size_t>(touched[i / 3]) + i % 3], 1e-7)
          << i << ' ' << j;  // of at most 0.3, kept as floats
  }
}

TEST(VertexCompliance, AmongAFewIsTheSameToTheLastBit) {
  BlockCholesky factor;
  factor.factor(sheet());
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  VertexCompliance whole(all, count), few(all, count);
  for (const std::vector<int>& touched : {std::vector<int>{5, 17, 18, 70}, {5, 17, 18, 70}, {17, 18}, {0, 5, 17, 80}}) {
    std::vector<VertexDirection> directions = along_axes(touched);
    directions[1].along = {0.6, 0.8, 0};
    std::vector<double> expected(directions.size() * directions.size()), found(expected.size());
    whole.between(directions, factor, expected);
    few.between_few(directions, factor, found);
    EXPECT_EQ(found, expected);
  }
}

TEST(VertexCompliance, WhatIsPreparedHasTheSameBits) {
  BlockCholesky factor;
  factor.factor(sheet());
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  VertexCompliance plain(all, count), prepared(all, count);
  prepared.prepare(std::vector<int>{3, 17, 18, 50}, 2, factor);
  prepared.prepare(std::vector<int>{3, 17, 18, 50}, 2, factor);
  const std::vector<VertexDirection> directions = along_axes(std::vector<int>{5, 17, 18, 70});
  std::vector<double> expected(directions.size() * directions.size()), found(expected.size());
  plain.between(directions, factor, expected);
  prepared.between(directions, factor, found);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace sinew
