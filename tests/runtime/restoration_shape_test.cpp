// Restoration that differs between directions: in the file, and in the run-time's step against the library's own.
#include <gtest/gtest.h>

#include <random>

#include "sinew/deform/surface/surface_body.h"
#include "sinew/deform/surface/surface_motion.h"
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

std::vector<Affine> swung(const SurfaceModel& model, double time) {
  std::vector<Affine> bones;
  for (std::size_t b = 0; b < model.bones.size(); ++b) {
    const double angle = 0.8 * std::sin(5 * time) * static_cast<double>(b);
    const Quat turn{0, 0, std::sin(angle / 2), std::cos(angle / 2)};
    bones.push_back({to_matrix(turn), {0.1 * std::sin(7 * time), 0.05 * std::cos(9 * time), 0}});
  }
  return bones;
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

TEST(RestorationShape, ARunTimeStepIsTheLibrarysOwn) {
  const std::vector<std::byte> file = cook_runtime_file(anisotropic_tube());
  const SurfaceModel model = read_runtime_file(file, "tube.sinew");
  SurfaceBody body(std::make_shared<const OpenSurfaceModel>(file, "tube.sinew"));
  PosedSurface now, next;
  pose_surface(model, swung(model, 0), now);
  pose_surface(model, swung(model, model.step), next);
  SurfaceState state = rest_in_goal(model, swung(model, 0), now, next), after;
  body.reset(swung(model, 0), swung(model, model.step));
  double moved = 0;
  for (int k = 1; k <= 120; ++k) {
    pose_surface(model, swung(model, k * model.step), next);
    step_surface(model, now, next, state, after);
    std::swap(state, after);
    std::swap(now, next);
    body.step(swung(model, k * model.step));
    std::vector<Vec3> positions;
    body.positions(positions);
    for (std::size_t v = 0; v < positions.size(); ++v) {
      ASSERT_LT(distance(positions[v], state.position[v]), 2e-5 * model.height) << "step " << k << " vertex " << v;
      moved = std::max(moved, distance(now.goal[v], state.position[v]));
    }
  }
  EXPECT_GT(moved, 0.01 * model.height);
}

}  // namespace
}  // namespace sinew
