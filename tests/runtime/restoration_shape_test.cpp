// Restoration that differs between directions, in the file; library_step_test.cpp has it in steps.
#include <gtest/gtest.h>

#include <random>

#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

SurfaceModel anisotropic_tube() {
  SurfaceModel model = test::tube(12, 10, 3);
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    model.parameters[v] = {.alpha = 0.3, .beta = 0.2, .gamma = 0.1, .lambda = 0.05, .delta = 0.1};
    Mat3 root;
    for (double& r : root.m) r += 0.4 * uniform(generator);
    const Mat3 s = root * transpose(root) * (3 / trace(root * transpose(root)));
    model.shape.push_back({s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(0, 2), s(1, 2)});
  }
  return model;
}

TEST(RestorationShape, ComesBackFromTheFile) {
  const SurfaceModel model = anisotropic_tube();
  const SurfaceModel back = read_runtime_file(cook_runtime_file(model), "tube.sinew");
  ASSERT_EQ(back.shape.size(), model.shape.size());
  for (std::size_t v = 0; v < model.shape.size(); ++v) {
    const Mat3 a = to_matrix(model.shape[v]), b = to_matrix(back.shape[v]);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(a.m[k], b.m[k], 0.03);
    EXPECT_NEAR(trace(b), 3, 1e-5);
  }
}

}  // namespace
}  // namespace sinew
