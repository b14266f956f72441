// What every rig's derivatives are held to.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sinew/character/rig.h"

namespace sinew::test {

inline std::vector<double> rest_parameters(const Rig& rig) {
  std::vector<double> p;
  for (const RigParameter& parameter : rig.parameters()) p.push_back(parameter.rest);
  return p;
}

// Within `share` of each range.
inline std::vector<double> random_parameters(const Rig& rig, unsigned seed, double share = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(0, 1);
  std::vector<double> p;
  for (const RigParameter& parameter : rig.parameters())
    p.push_back(parameter.rest +
                share * (parameter.lower + (parameter.upper - parameter.lower) * number(random) - parameter.rest));
  return p;
}

inline std::vector<Vec3> evaluated(Rig& rig, const std::vector<double>& p) {
  std::vector<Vec3> s(rig.vertices());
  rig.evaluate(p, s);
  return s;
}

inline double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(is_finite(a[i] - b[i])) << i;
    largest = std::max(largest, distance(a[i], b[i]));
  }
  return largest;
}

inline std::vector<Vec3> dense_column(const RigJacobian& jacobian, std::size_t column, std::size_t vertices) {
  std::vector<Vec3> dense(vertices);
  for (int i = jacobian.start[column]; i < jacobian.start[column + 1]; ++i)
    dense[static_cast<std::size_t>(jacobian.vertex[static_cast<std::size_t>(i)])] =
        jacobian.derivative[static_cast<std::size_t>(i)];
  return dense;
}

// Differences of order four: error of the order of step^4, 1e-12 and less here, and of rounding / step.
inline std::vector<Vec3> difference_column(Rig& rig, const std::vector<double>& p, std::size_t column) {
  const double step = 1e-3 * (rig.parameters()[column].upper - rig.parameters()[column].lower);
  const auto at = [&](double h) {
    std::vector<double> moved = p;
    moved[column] += h;
    return evaluated(rig, moved);
  };
  const std::vector<Vec3> a = at(step), b = at(-step), c = at(2 * step), d = at(-2 * step);
  std::vector<Vec3> result(a.size());
  for (std::size_t v = 0; v < a.size(); ++v) result[v] = (8.0 * (a[v] - b[v]) - (c[v] - d[v])) / (12 * step);
  return result;
}

// Every column against differences: relative to the column's largest derivative, and absolute for what is 0.
inline void expect_exact_jacobian(Rig& rig, const std::vector<double>& p, double relative) {
  std::vector<int> columns;
  for (std::size_t c = 0; c < p.size(); ++c) columns.push_back(static_cast<int>(c));
  RigJacobian jacobian;
  ASSERT_TRUE(rig.jacobian(p, columns, jacobian));
  ASSERT_EQ(jacobian.columns(), columns.size());
  for (std::size_t c = 0; c < p.size(); ++c) {
    for (int i = jacobian.start[c] + 1; i < jacobian.start[c + 1]; ++i)
      ASSERT_LT(jacobian.vertex[static_cast<std::size_t>(i) - 1], jacobian.vertex[static_cast<std::size_t>(i)]);
    const std::vector<Vec3> expected = difference_column(rig, p, c);
    double size = 0;
    for (const Vec3& v : expected) size = std::max(size, norm(v));
    EXPECT_LE(largest_distance(dense_column(jacobian, c, rig.vertices()), expected), relative * std::max(size, 1e-4))
        << rig.parameters()[c].name << ", size " << size;
  }
}

}  // namespace sinew::test
