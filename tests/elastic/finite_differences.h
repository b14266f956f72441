// Derivatives of elastic potentials against central differences.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstring>
#include <utility>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/elastic/elastic_potential.h"
#include "tests/linalg/dense.h"

namespace sinew::test {

inline Eigen::VectorXd flat(const std::vector<Vec3>& vectors) {
  Eigen::VectorXd numbers(static_cast<Eigen::Index>(3 * vectors.size()));
  for (std::size_t v = 0; v < vectors.size(); ++v)
    for (std::size_t c = 0; c < 3; ++c) numbers(static_cast<Eigen::Index>(3 * v + c)) = vectors[v][c];
  return numbers;
}

inline Eigen::VectorXd gradient_of(ElasticPotential& potential, const std::vector<Vec3>& q) {
  std::vector<Vec3> gradient(q.size());
  potential.gradient(q, gradient);
  return flat(gradient);
}

inline Eigen::MatrixXd hessian_of(ElasticPotential& potential, const std::vector<Vec3>& q) {
  BlockMatrix hessian = potential.hessian_pattern();
  potential.hessian(q, hessian);
  return dense(hessian);
}

// Relative to the norms of gradient and Hessian.
inline void check_derivatives(ElasticPotential& potential, const std::vector<Vec3>& q, double step, double tolerance) {
  const Eigen::VectorXd gradient = gradient_of(potential, q);
  const Eigen::MatrixXd hessian = hessian_of(potential, q);
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-12 * hessian.norm());
  Eigen::VectorXd gradient_by_differences(gradient.size());
  Eigen::MatrixXd hessian_by_differences(gradient.size(), gradient.size());
  for (std::size_t v = 0; v < q.size(); ++v)
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<Vec3> left = q, right = q;
      left[v][c] -= step;
      right[v][c] += step;
      const auto i = static_cast<Eigen::Index>(3 * v + c);
      gradient_by_differences(i) = (potential.energy(right) - potential.energy(left)) / (2 * step);
      hessian_by_differences.col(i) = (gradient_of(potential, right) - gradient_of(potential, left)) / (2 * step);
    }
  EXPECT_LT((gradient - gradient_by_differences).norm(), tolerance * gradient.norm());
  EXPECT_LT((hessian - hessian_by_differences).norm(), tolerance * hessian.norm());
}

// Energy, gradient and Hessian have the same bits for any number of threads.
inline void check_thread_independence(ElasticPotential& potential, const std::vector<Vec3>& q) {
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    const Eigen::VectorXd gradient = gradient_of(potential, q);
    BlockMatrix hessian = potential.hessian_pattern();
    potential.hessian(q, hessian);
    std::vector<double> numbers(gradient.begin(), gradient.end());
    numbers.push_back(potential.energy(q));
    for (const Mat3& block : hessian.block) numbers.insert(numbers.end(), block.m, block.m + 9);
    results.push_back(std::move(numbers));
  }
  set_thread_count(0);
  for (const std::vector<double>& result : results)
    EXPECT_EQ(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(double)), 0);
}

}  // namespace sinew::test
