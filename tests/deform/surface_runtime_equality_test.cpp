// The C run-time, in single precision and with parameters of 8 bits, against the steps that fitting makes: what is
// learned is what ships.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/deform/surface_dynamics/runtime_file.h"
#include "tests/deform/surface_motions.h"

namespace sinew {
namespace {

struct Difference {
  double largest = 0, last = 0;   // distance over the motion and at its end, as a share of the model's height
  double farthest_from_goal = 0;  // metres
};

// Both have what the file holds. `size`: of the dance.
Difference difference_of(const SurfaceModel& source, std::size_t frames, double size) {
  const std::vector<std::byte> file = cook_runtime_file(source);
  const SurfaceModel model = read_runtime_file(file, "model");
  EXPECT_EQ(model.shape.size(), source.shape.size());
  const SurfaceMotion motion = test::swinging_motion(model, frames, 0, size);
  const test::RuntimeModel runtime(file);
  const test::RuntimeBody body(runtime);
  // The run-time's matrices are in single precision: both see the same ones.
  SurfaceMotion rounded = motion;
  for (auto& bones : rounded.bones)
    for (Affine& bone : bones) {
      for (double& v : bone.linear.m) v = static_cast<double>(static_cast<float>(v));
      for (std::size_t k = 0; k < 3; ++k)
        bone.translation[k] = static_cast<double>(static_cast<float>(bone.translation[k]));
    }
  PosedSurface now, next;
  pose_surface(model, rounded.bones[0], now);
  SurfaceState state = rest_in_goal(model, rounded.bones[0], now, now), after;  // as sinew_body_reset: at rest
  test::must(sinew_body_reset(body.body, test::to_bones(motion.bones[0]).data(), nullptr));
  Difference difference;
  for (std::size_t k = 1; k < frames; ++k) {
    pose_surface(model, rounded.bones[k], next);
    step_surface(model, now, next, state, after);
    std::swap(state, after);
    std::swap(now, next);
    test::must(sinew_body_step(body.body, test::to_bones(motion.bones[k]).data()));
    const std::vector<Vec3> positions = body.positions();
    difference.last = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      difference.last = std::max(difference.last, distance(positions[i], state.position[i]) / model.height);
      difference.farthest_from_goal = std::max(difference.farthest_from_goal, distance(state.position[i], now.goal[i]));
    }
    difference.largest = std::max(difference.largest, difference.last);
  }
  return difference;
}

void expect_equal(ShapeReference reference, bool shape) {
  SurfaceModel model = test::tube(25, 16);
  model.reference = reference;
  test::set_smooth_parameters(model);
  if (shape) test::set_smooth_shape(model);
  const Difference difference = difference_of(model, 301, 0.5);
  EXPECT_LE(difference.largest, 1e-5);
  EXPECT_GT(difference.farthest_from_goal, 0.05);  // it does swing
}

TEST(SurfaceRuntimeEquality, AgainstTheRigsShape) { expect_equal(ShapeReference::rig, false); }
TEST(SurfaceRuntimeEquality, AgainstTheRestShape) { expect_equal(ShapeReference::rest, false); }
TEST(SurfaceRuntimeEquality, WithRestorationThatDiffersBetweenDirections) {
  expect_equal(ShapeReference::rig, true);
  expect_equal(ShapeReference::rest, true);
}

TEST(SurfaceRuntimeEquality, WhereVerticesAreHeldAtTheirReach) {
  SurfaceModel model = test::tube(25, 16);
  test::set_smooth_parameters(model);
  model.reach = 0.04;
  const Difference difference = difference_of(model, 301, 0.5);
  EXPECT_LE(difference.largest, 1e-5);
  EXPECT_NEAR(difference.farthest_from_goal, 0.04, 1e-5);
}

// Flesh that is thrown farther than its tube is thick turns neighbourhoods by more in a step than the two Newton steps
// of the run-time follow, so that for some steps its rotations lag behind those of the library. Both come to the same
// again.
TEST(SurfaceRuntimeEquality, AfterAWildDanceBothMeetAgain) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(25, 16);
    model.reference = reference;
    test::set_smooth_parameters(model);
    const Difference difference = difference_of(model, 301, 1);
    EXPECT_GT(difference.farthest_from_goal, 0.15);
    EXPECT_LE(difference.largest, 0.02);
    EXPECT_LE(difference.last, 1e-5);
  }
}

}  // namespace
}  // namespace sinew
