// The surface model's mathematics stands twice: in the library in double precision, vertex by vertex, for fitting
// (vertex_terms.h, surface_motion.h), and in the run-time in floats, over blocks of vertices, from the codes of its
// file. Here both take the same steps, with every term, in both references.
#include <gtest/gtest.h>

#include <random>

#include "sinew/deform/surface/surface_body.h"
#include "sinew/deform/surface/surface_motion.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

struct StepCase {
  const char* name;
  ShapeReference reference = ShapeReference::rig;
  bool shaped = false;  // restoration differs between directions
  double stretch = 0;   // of the bones, across their segments
};
void PrintTo(const StepCase& c, std::ostream* to) { *to << c.name; }

SurfaceModel tube_of(const StepCase& c) {
  SurfaceModel model = test::tube(12, 10, 3);
  model.reference = c.reference;
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    model.parameters[v] = {.alpha = 0.3, .beta = 0.2, .gamma = 0.1, .lambda = 0.05, .delta = 0.1};
    if (!c.shaped) continue;
    Mat3 root;
    for (double& r : root.m) r += 0.4 * uniform(generator);
    const Mat3 s = root * transpose(root) * (3 / trace(root * transpose(root)));
    model.shape.push_back({s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(0, 2), s(1, 2)});
  }
  return model;
}

std::vector<Affine> swung(const SurfaceModel& model, double stretch, double time) {
  std::vector<Affine> bones;
  for (std::size_t b = 0; b < model.bones.size(); ++b) {
    const double angle = 0.8 * std::sin(5 * time) * static_cast<double>(b);
    const Quat turn{0, 0, std::sin(angle / 2), std::cos(angle / 2)};
    const double wider = 1 + stretch * std::sin(6 * time);
    bones.push_back({to_matrix(turn) * Mat3::diagonal({1, wider, wider * wider}),
                     {0.1 * std::sin(7 * time), 0.05 * std::cos(9 * time), 0}});
  }
  return bones;
}

class LibraryStep : public testing::TestWithParam<StepCase> {};

TEST_P(LibraryStep, IsTheRunTimes) {
  const StepCase& c = GetParam();
  const std::vector<std::byte> file = cook_runtime_file(tube_of(c));
  const SurfaceModel model = read_runtime_file(file, "tube.sinew");
  const auto bones = [&](int step) { return swung(model, c.stretch, step * model.step); };
  SurfaceBody body(std::make_shared<const OpenSurfaceModel>(file, "tube.sinew"));
  PosedSurface now, next;
  pose_surface(model, bones(0), now);
  pose_surface(model, bones(1), next);
  SurfaceState state = rest_in_goal(model, bones(0), now, next), after;
  body.reset(bones(0), bones(1));
  double moved = 0;
  for (int k = 1; k <= 120; ++k) {
    pose_surface(model, bones(k), next);
    step_surface(model, now, next, state, after);
    std::swap(state, after);
    std::swap(now, next);
    body.step(bones(k));
    std::vector<Vec3> positions;
    body.positions(positions);
    for (std::size_t v = 0; v < positions.size(); ++v) {
      ASSERT_LT(distance(positions[v], state.position[v]), 2e-5 * model.height) << "step " << k << " vertex " << v;
      moved = std::max(moved, distance(now.goal[v], state.position[v]));
    }
  }
  EXPECT_GT(moved, 0.01 * model.height);
}

INSTANTIATE_TEST_SUITE_P(All, LibraryStep,
                         testing::Values(StepCase{"Rig"}, StepCase{"RigShaped", ShapeReference::rig, true},
                                         StepCase{"RigStretched", ShapeReference::rig, false, 0.2},
                                         StepCase{"Rest", ShapeReference::rest},
                                         StepCase{"RestShaped", ShapeReference::rest, true},
                                         StepCase{"RestStretched", ShapeReference::rest, true, 0.2}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace sinew
