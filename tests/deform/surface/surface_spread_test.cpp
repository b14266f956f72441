// Parameters of what an example does not show.
#include <gtest/gtest.h>

#include "sinew/deform/surface/fit/spread_parameters.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

TEST(SpreadParameters, WhatIsShownStaysAndTheRestIsBetween) {
  SurfaceModel model = test::sheet(21, 5);
  const std::size_t n = model.rest.size();
  std::vector<double> shown(n);
  const double left = model.rest.front().x, width = model.rest.back().x - left;
  const auto along = [&](std::size_t i) { return (model.rest[i].x - left) / width; };
  for (std::size_t i = 0; i < n; ++i) {
    const double s = along(i);
    shown[i] = s < 0.28 || s > 0.72 ? 1.0 : 0.0;
    model.parameters[i] = {.alpha = s < 0.28 ? 0.1 : s > 0.72 ? 0.5 : 0.9, .beta = 0.3, .delta = s < 0.28 ? 0.2 : 0.4};
  }
  spread_parameters(model, shown);
  double middle = 0;  // mean over the column half way: by symmetry that of both ends
  for (std::size_t i = 0; i < n; ++i) {
    const double s = along(i), alpha = model.parameters[i].alpha;
    EXPECT_EQ(model.parameters[i].beta, 0.3);
    if (s < 0.25 || s > 0.75) {
      EXPECT_NEAR(alpha, s < 0.25 ? 0.1 : 0.5, 0.01);
    }
    EXPECT_GE(alpha, 0.1 - 1e-12);
    EXPECT_LE(alpha, 0.5 + 1e-3);
    if (std::abs(s - 0.5) < 0.01) middle += alpha / 5;
  }
  EXPECT_NEAR(middle, 0.3, 1e-3);
}

TEST(SpreadParameters, AnExampleThatShowsNothingChangesNothing) {
  SurfaceModel model = test::sheet(5, 5);
  const std::vector<VertexParameters> before = model.parameters;
  spread_parameters(model, std::vector<double>(model.rest.size()));
  EXPECT_EQ(model.parameters, before);
}

}  // namespace
}  // namespace sinew
