// Flesh that would not come to rest, and what is done about it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/deform/surface/fit/settling.h"
#include "tests/deform/surface/surface_motions.h"
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

// Hardly any restoration against much damping: it takes half a minute to come back, and more damping would make it
// longer.
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

// A joint that turns by `angle` within `turning` seconds, without a jerk, and then stands still.
SurfaceMotion one_bend(const SurfaceModel& model, double angle, double turning, double seconds) {
  SurfaceMotion motion;
  for (int k = 0; k * model.step < seconds; ++k) {
    const double share = std::min(1.0, k * model.step / turning);
    std::vector<Affine> bones(model.bones.size());
    bones.back() = test::turned({0, 0, 1}, angle * share * share * share * (10 - 15 * share + 6 * share * share),
                                model.segments.back().head);
    motion.bones.push_back(bones);
  }
  return motion;
}

// Flesh that swings with a damping ratio of 0.02 and 1.35 Hz.
SurfaceModel ringing_tube() { return tube({.alpha = 0.02, .delta = 2 * 0.02 * std::sqrt(0.02)}); }

TEST(Settling, ASlowBendDoesNotSayHowLongFleshRings) {
  SurfaceModel model = ringing_tube();
  const std::vector<SurfaceExample> examples{test::example_of(model, one_bend(model, 1, 8, 9))};
  EXPECT_EQ(damp_where_examples_are_silent(model, examples), 0.3);
  for (const VertexParameters& p : model.parameters) EXPECT_NEAR(p.delta, 0.6 * std::sqrt(0.02), 1e-12);
  const Settling before = try_settling(ringing_tube()), after = try_settling(model);
  // After the first second, by how much sooner a swing of damping ratio 0.3 dies down than one of 0.02.
  const double frequency = std::sqrt(0.02) / model.step;  // radians per second
  EXPECT_LT(after.early, std::exp(-(0.3 - 0.02) * frequency) * before.early);
}

TEST(Settling, FleshThatIsSeenToRingKeepsOnRinging) {
  SurfaceModel model = ringing_tube();
  const std::vector<SurfaceExample> examples{test::example_of(model, one_bend(model, 1, 0.2, 5))};
  EXPECT_EQ(damp_where_examples_are_silent(model, examples), 0);
  for (const VertexParameters& p : model.parameters) EXPECT_EQ(p.delta, 2 * 0.02 * std::sqrt(0.02));
}

}  // namespace
}  // namespace sinew
