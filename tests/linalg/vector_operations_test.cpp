#include "sinew/linalg/vector_operations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/dot_kernel.h"

namespace sinew {
namespace {

constexpr std::size_t length = 10'007;  // several chunks and a rest

std::vector<double> wave(double frequency) {
  std::vector<double> x(length);
  for (std::size_t k = 0; k < length; ++k) x[k] = std::sin(frequency * static_cast<double>(k) + 1);
  return x;
}

double plain_dot_in_eight_sums(const double* a, const double* b, std::size_t count) {
  double sum[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  for (; i < count; ++i) sum[0] += a[i] * b[i];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

TEST(VectorOperations, TheKernelHasTheBitsOfPlainLoops) {
  const std::vector<double> a = wave(0.7), b = wave(1.3);
  for (std::size_t count = 0; count < 70; ++count)
    for (std::size_t from : {0u, 1u, 3u})
      EXPECT_EQ(dot_in_eight_sums(a.data() + from, b.data() + from, count),
                plain_dot_in_eight_sums(a.data() + from, b.data() + from, count));
}

TEST(VectorOperations, DotProductsOfKnownSeries) {
  std::vector<double> numbers(length), ones(length, 1.0);
  for (std::size_t k = 0; k < length; ++k) numbers[k] = static_cast<double>(k + 1);
  EXPECT_EQ(dot(numbers, ones), 0.5 * 10'007 * 10'008);
  EXPECT_EQ(dot(numbers, numbers), 10'007.0 * 10'008 * 20'015 / 6);
  EXPECT_EQ(dot(std::vector<double>{}, std::vector<double>{}), 0);
}

TEST(VectorOperations, SumsGoNumberByNumber) {
  const std::vector<std::vector<double>> x{wave(0.1), wave(0.2)};
  const std::vector<double> factors{2, -0.5}, start = wave(0.3);
  std::vector<double> one_by_one = start, together = start, twice(length);
  for (std::size_t j = 0; j < 2; ++j) add_scaled(factors[j], x[j], one_by_one);
  add_combination(factors, x, together);
  EXPECT_EQ(one_by_one, together);
  scale(2, start, twice);
  for (std::size_t k = 0; k < length; ++k) {
    EXPECT_DOUBLE_EQ(together[k], start[k] + 2 * x[0][k] - 0.5 * x[1][k]);
    EXPECT_EQ(twice[k], 2 * start[k]);
  }
}

TEST(VectorOperations, WhatIsLeftIsPerpendicularToTheBasis) {
  std::vector<std::vector<double>> basis;
  std::vector<double> work;
  for (const double frequency : {0.1, 0.5, 1.7}) {
    std::vector<double> v = wave(frequency), h(3);
    orthogonalize(basis, v, h, work);
    scale(1 / std::sqrt(dot(v, v)), v, v);
    basis.push_back(v);
  }
  const std::vector<double> start = wave(0.9);
  std::vector<double> v = start, h(3);
  const double squared = orthogonalize(basis, v, h, work);
  EXPECT_NEAR(squared, dot(v, v), 1e-12 * squared);
  double together = squared;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(dot(basis[i], v), 0, 1e-11);
    EXPECT_NEAR(h[i], dot(basis[i], start), 1e-11);
    together += h[i] * h[i];
  }
  EXPECT_NEAR(together, dot(start, start), 1e-9);  // Pythagoras
}

TEST(VectorOperations, SameBitsForAnyNumberOfThreads) {
  const std::vector<double> a = wave(0.1), b = wave(0.23);
  const int before = thread_count();
  set_thread_count(1);
  const double alone = dot(a, b);
  for (const int threads : {2, 3, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(dot(a, b), alone);
  }
  set_thread_count(before);
}

}  // namespace
}  // namespace sinew
