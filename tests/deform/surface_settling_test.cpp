// Flesh that would not come to rest, and what is done about it.
#include <gtest/gtest.h>

#include "sinew/deform/surface_dynamics/settling.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

SurfaceModel tube(const VertexParameters& parameters) {
  SurfaceModel model = test::tube(24, 20, 2);
  model.parameters.assign(model.rest.size(), parameters);
  return model;
}

TEST(Settling, DampedFleshSettlesAndKeepsItsParameters) {
  SurfaceModel model = tube({.alpha = 0.1, .beta = 0.1, .lambda = 0.1, .delta = 0.1});
  const Settling settling = try_settling(model);
  EXPECT_GT(settling.early, 0);
  EXPECT_LT(settling.late, 1e-3 * settling.early);
  EXPECT_EQ(make_settle(model), 0);
  for (const VertexParameters& p : model.parameters) EXPECT_EQ(p.delta, 0.1);
}

// Hardly any restoration against much damping: it takes half a minute to come back, and more damping would make it longer.
TEST(Settling, FleshThatCreepsBackIsLeftAlone) {
  SurfaceModel model = tube({.alpha = 0.0005, .delta = 0.95});
  EXPECT_EQ(make_settle(model), 0);
  for (const VertexParameters& p : model.parameters) EXPECT_EQ(p.delta, 0.95);
}

TEST(Settling, FleshThatFeedsItsOwnWavesGetsDamping) {
  SurfaceModel model = tube({.alpha = 0.02, .beta = 0.3, .lambda = 0.05});
  const Settling before = try_settling(model);
  EXPECT_GT(before.late, before.early);
  const double least = make_settle(model);
  EXPECT_GT(least, 0);
  EXPECT_LE(least, 0.15);
  const Settling after = try_settling(model);
  EXPECT_LT(after.late, 0.5 * after.early);
  for (const VertexParameters& p : model.parameters) EXPECT_EQ(p.delta, least);
}

}  // namespace
}  // namespace sinew
