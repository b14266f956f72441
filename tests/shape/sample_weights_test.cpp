#include "sinew/shape/sample_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sinew/base/error.h"

namespace sinew {
namespace {

std::vector<double> weights_at(const SampleWeights& samples, std::vector<double> gamma) {
  std::vector<double> weights(samples.samples());
  samples.find(gamma, weights);
  return weights;
}

TEST(SampleWeights, OneControlIsPiecewiseLinearAndConstantBeyond) {
  const SampleWeights samples({{0}, {30}, {90}});
  EXPECT_EQ(weights_at(samples, {-10}), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(weights_at(samples, {0}), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(weights_at(samples, {30}), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(weights_at(samples, {45}), (std::vector<double>{0, 0.75, 0.25}));
  EXPECT_EQ(weights_at(samples, {200}), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(weights_at(SampleWeights(std::vector<std::vector<double>>{{5}}), {200}), std::vector<double>{1});
}

TEST(SampleWeights, RadialFunctionsAreExactAtTheSamplesAndSumToOne) {
  const SampleWeights samples({{0, 0}, {90, 0}, {90, 45}, {20, -60}, {0, 30}});
  const std::vector<std::vector<double>> at{{0, 0}, {90, 0}, {90, 45}, {20, -60}, {0, 30}};
  for (std::size_t k = 0; k < at.size(); ++k) {
    for (const double off : {0.0, 1e-9}) {
      const std::vector<double> weights = weights_at(samples, {at[k][0] + off, at[k][1]});
      for (std::size_t j = 0; j < weights.size(); ++j) {
        EXPECT_NEAR(weights[j], j == k ? 1 : 0, off);
      }
    }
  }
  for (const std::vector<double>& gamma : {std::vector<double>{33, 12}, {-50, 100}, {400, 400}}) {
    const std::vector<double> weights = weights_at(samples, gamma);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12);
  }
}

// The radial functions are the generalisation of algorithm 6.1: on a line they are piecewise linear.
TEST(SampleWeights, RadialFunctionsOnALineArePiecewiseLinear) {
  const SampleWeights line({{0, 0}, {3, 4}, {6, 8}}), one({{0}, {5}, {10}});
  for (const double t : {-3.0, 0.7, 5.0, 9.1, 14.0}) {
    const std::vector<double> a = weights_at(line, {0.6 * t, 0.8 * t}), b = weights_at(one, {t});
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-12) << t;
  }
}

TEST(SampleWeights, TwoSamplesAtOnePlaceAreRefused) {
  EXPECT_THROW(SampleWeights(std::vector<std::vector<double>>{{1}, {1}}), Error);
  EXPECT_THROW(SampleWeights({{1, 2}, {0, 2}, {1, 2}}), Error);
}

}  // namespace
}  // namespace sinew
