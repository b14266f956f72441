// A step against what is known of it.
#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, distance(a[i], b[i]));
  return most;
}

TEST(RuntimeStep, RestIsRest) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(20, 16, 3);
    model.reference = reference;
    test::set_parameters(model, test::soft);
    const test::RuntimeModel opened(model);
    const test::RuntimeBody body(opened);
    const test::Bones bones = test::rest_bones(model);
    test::must(sinew_body_reset(body.body, bones.data(), nullptr));
    for (int i = 0; i < 1000; ++i) test::must(sinew_body_step(body.body, bones.data()));
    EXPECT_LT(farthest(body.positions(), model.rest), 2e-6);
    EXPECT_LT(farthest(body.normals(), model.normals), 1e-4);
  }
}

// z^2 - (2 - k - c) z + (1 - c) = 0, with k = alpha and c = delta, for one vertex whose goal has jumped and stands.
TEST(RuntimeStep, AFreeVertexIsADampedOscillator) {
  SurfaceModel model = test::sheet(1, 1);
  model.reach = 10;
  test::set_parameters(model, {0.04, 0, 0, 0, 0.0225});
  const VertexParameters p = decode_parameters(encode_parameters(model.parameters[0]));
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  Affine moved;
  test::must(sinew_body_reset(body.body, test::to_bones({moved}).data(), nullptr));
  const float centre[3] = {0, 0, 0}, push[3] = {0.6f, 0, 0};
  test::must(sinew_body_poke(body.body, centre, 1, push));
  using Complex = std::complex<double>;
  const double k = p.alpha, c = p.delta, b = 2 - k - c;
  const Complex root = std::sqrt(Complex(b * b - 4 * (1 - c)));
  const Complex z1 = (b + root) / 2.0, z2 = (b - root) / 2.0;
  // x_0 = 0 and x_1 = h (1 - c) v_0.
  const double first = model.step * (1 - c) * 0.6;
  for (int i = 1; i <= 300; ++i) {
    test::must(sinew_body_step(body.body, test::to_bones({moved}).data()));
    const Complex expected = first * (std::pow(z1, i) - std::pow(z2, i)) / (z1 - z2);
    EXPECT_NEAR(body.positions()[0].x, expected.real(), 2e-6) << i;
  }
}

TEST(RuntimeStep, DeltaOfOneFollowsTheGoal) {
  SurfaceModel model = test::tube(20, 16, 2);
  test::set_parameters(model, {0, 0, 0, 0, 1});
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened), goal(opened);
  test::must(sinew_body_reset(body.body, test::rest_bones(model).data(), nullptr));
  for (int i = 1; i <= 100; ++i) {
    const test::Bones bones = test::bent(model, std::sin(0.1 * i), {0.02 * i, 0.3 * std::sin(0.2 * i), 0});
    test::must(sinew_body_step(body.body, bones.data()));
    test::must(sinew_body_reset(goal.body, bones.data(), nullptr));
    EXPECT_LT(farthest(body.positions(), goal.positions()), 1e-5);
  }
}

}  // namespace
}  // namespace sinew
