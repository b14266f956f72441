#include "sinew/deform/surface/fit/weak_directions.h"

#include <gtest/gtest.h>

#include "sinew/deform/surface/fit/fit_surface.h"
#include "sinew/linalg/rotation.h"
#include "tests/deform/surface/surface_motions.h"

namespace sinew {
namespace {

Mat3 restoration_of(const SurfaceModel& model, std::size_t i) {
  return to_matrix(model.shape[i]) * model.parameters[i].alpha;
}

RestorationShape turned(const Vec3& eigenvalues, const Quat& q) {
  const Mat3 r = to_matrix(q), s = r * Mat3::diagonal(eigenvalues) * transpose(r);
  return {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(0, 2), s(1, 2)};
}

TEST(WeakDirections, AreLiftedToAShareOfTheLargest) {
  SurfaceModel model = test::tube(4, 6);
  test::set_parameters(model, {.alpha = 0.2});
  const Quat q = axis_angle(normalized(Vec3{1, 2, -1}), 0.7);
  model.shape.assign(model.rest.size(), {});
  model.shape[1] = turned({2.4, 0.6, 0}, q);    // flat
  model.shape[2] = turned({3, 0, 0}, q);        // along one line
  model.shape[3] = turned({1.5, 1.2, 0.3}, q);  // weak, but not too weak
  const SurfaceModel before = model;
  lift_weak_directions(model);
  const auto expect = [&](std::size_t i, const Vec3& eigenvalues) {
    const Mat3 r = to_matrix(q), expected = r * Mat3::diagonal(eigenvalues * 0.2) * transpose(r);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(restoration_of(model, i).m[k], expected.m[k], 1e-14) << i;
    EXPECT_NEAR(trace(to_matrix(model.shape[i])), 3, 1e-12);
  };
  expect(1, {2.4, 0.6, 0.24});
  expect(2, {3, 0.3, 0.3});
  expect(3, {1.5, 1.2, 0.3});
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}}) EXPECT_EQ(model.shape[i], before.shape[i]);
  EXPECT_EQ(model.parameters[0], before.parameters[0]);
}

TEST(WeakDirections, ZeroAndNoShapesStay) {
  SurfaceModel model = test::tube(4, 6);
  test::set_parameters(model, {.alpha = 0});
  model.shape.assign(model.rest.size(), turned({3, 0, 0}, Quat{}));
  lift_weak_directions(model);
  EXPECT_EQ(model.parameters[0].alpha, 0);
  model.shape.clear();
  lift_weak_directions(model);
  EXPECT_TRUE(model.shape.empty());
}

// Flesh that an example moves along one line only, and there as if nothing held it.
TEST(WeakDirections, AFitLeavesNone) {
  SurfaceModel truth = test::tube(9, 8);
  test::set_parameters(truth, {.alpha = 0.1, .delta = 0.05});
  truth.shape.assign(truth.rest.size(), {3, 0, 0, 0, 0, 0});
  const std::vector<SurfaceExample> examples{test::example_of(truth, test::swinging_motion(truth, 60, 0, 0.5))};
  SurfaceModel model = truth;
  fit_surface(model, examples, {});
  for (std::size_t i = 0; i < model.rest.size(); ++i) {
    const SignedSvd svd = signed_svd(to_matrix(model.shape[i]));
    EXPECT_GE(svd.sigma.z, (least_restoration - 1e-9) * svd.sigma.x) << i;
  }
}

}  // namespace
}  // namespace sinew
