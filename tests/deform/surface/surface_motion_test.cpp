#include "sinew/deform/surface/surface_motion.h"
#include "sinew/deform/surface/fit/build_surface_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/rig/linear_blend.h"
#include "tests/deform/surface/surface_motions.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using test::swinging;
using test::tube;

Affine scaled(double x, double y, double z) { return {Mat3{{x, 0, 0, 0, y, 0, 0, 0, z}}, {}}; }

TEST(SurfaceMotion, GirthStretchIsTheRootOfTheCrossSectionsArea) {
  const SurfaceSegment up{0, {0, 0, 0}, {0, 2, 0}}, point{0, {1, 1, 1}, {1, 1, 1}};
  // Roots of products of columns no longer than 8.
  const double rounding = test::rounding_of(8, 12);
  EXPECT_NEAR(girth_stretch(up, test::turned({1, 2, 3}, 1.2)), 1, rounding);
  EXPECT_NEAR(girth_stretch(point, test::turned({1, 2, 3}, 1.2)), 1, rounding);
  EXPECT_NEAR(girth_stretch(up, scaled(1, 5, 1)), 1, rounding);
  EXPECT_NEAR(girth_stretch(up, scaled(3, 5, 3)), 3, rounding);
  EXPECT_NEAR(girth_stretch(up, scaled(4, 1, 1)), 2, rounding);
  EXPECT_NEAR(girth_stretch(up, scaled(-4, 1, 1)), 2, rounding);  // a mirrored bone
  EXPECT_NEAR(girth_stretch(point, scaled(1, 1, 8)), 2, rounding);
  EXPECT_EQ(girth_stretch(up, scaled(1, 0, 1)), 0);  // flat: no number to divide by
  // In any direction of the segment, scale along it does not matter and scale across it does wholly.
  const Affine turn = test::turned({1, -1, 2}, 0.8);
  const SurfaceSegment leaning{0, turn * Vec3{0, 0, 0}, turn * Vec3{0, 2, 0}};
  EXPECT_NEAR(girth_stretch(leaning, turn * scaled(3, 5, 3) * inverse(turn)), 3, 1e-13);
}

TEST(SurfaceMotion, GoalsAreTheSkinnedRest) {
  const SurfaceModel model = tube(9, 8);
  const std::vector<Affine> bones = swinging(model, 0.4);
  PosedSurface posed;
  pose_surface(model, bones, posed);
  // Bones of a tube of 1 m, blended and multiplied in one order or the other; then lengths to segments.
  const double rounding = test::rounding_of(1, 20);
  for (std::size_t i = 0; i < model.rest.size(); ++i)
    EXPECT_LE(distance(posed.goal[i], blended_bone(model.influences[i], bones) * model.rest[i]), rounding);
  ASSERT_EQ(posed.spoke_length.size(), model.spokes.size());
  for (std::size_t i = 0; i < model.rest.size(); ++i)
    for (int k = model.first_spoke[i]; k < model.first_spoke[i + 1]; ++k) {
      const auto spoke = static_cast<std::size_t>(k);
      const SurfaceSegment& s = posed.segments[static_cast<std::size_t>(model.spokes[spoke].segment)];
      EXPECT_NEAR(posed.spoke_length[spoke], distance(posed.goal[i], nearest_on_segment(s.head, s.tail, posed.goal[i])),
                  rounding);
    }
  EXPECT_TRUE(posed.bone_rotation.empty());
  EXPECT_LE(distance(posed.segments[1].tail, bones[1] * model.segments[1].tail), rounding);
}

TEST(SurfaceMotion, WithFullRestorationAndDampingTheSurfaceIsTheRigs) {
  SurfaceModel model = tube(9, 8);
  test::set_parameters(model, {.alpha = 1, .delta = 1});
  const SurfaceMotion motion = test::swinging_motion(model, 40);
  const std::vector<SurfaceState> states = test::simulated(model, motion);
  PosedSurface posed;
  for (std::size_t k = 0; k < states.size(); ++k) {
    pose_surface(model, motion.bones[k], posed);
    for (std::size_t i = 0; i < model.rest.size(); ++i)
      EXPECT_LE(distance(states[k].position[i], posed.goal[i]), 1e-12);
  }
}

// x'' = alpha (g - x) with damping, in steps: x_k+1 - (2 - alpha - delta) x_k + (1 - delta) x_k-1 = alpha g has
// the solution r^k cos(k phi + c) about the goal with r^2 = 1 - delta and 2 r cos phi = 2 - alpha - delta.
TEST(SurfaceMotion, AVertexAloneIsADampedOscillator) {
  SurfaceModel model;
  model.rest = {{0, 0, 0}};
  model.normals = {{0, 1, 0}};
  model.influences = {test::influence({{0, 1}})};
  model.bones.push_back({"bone", {}});
  model.first_neighbour = model.first_spoke = {0, 0};
  const double alpha = 0.08, delta = 0.05;
  model.parameters = {{.alpha = alpha, .delta = delta}};
  PosedSurface posed;
  pose_surface(model, std::vector<Affine>(1), posed);
  const double radius = std::sqrt(1 - delta), phase = std::acos((2 - alpha - delta) / (2 * radius));
  // Started by hand on the closed form at k = 0, with the change that led there.
  const auto closed = [&](double k) { return 0.3 * std::pow(radius, k) * std::cos(k * phase + 0.4); };
  SurfaceState state{{{closed(0), 0, 0}}, {{closed(0) - closed(-1), 0, 0}}, {Quat{}}}, after;
  for (int k = 1; k <= 200; ++k) {
    step_surface(model, posed, posed, state, after);
    std::swap(state, after);
    ASSERT_NEAR(state.position[0].x, closed(k), 1e-12) << k;
  }
}

// The whole chain turned and moved rigidly shows the same motion, turned and moved.
TEST(SurfaceMotion, IsTheSameInAnyFrameOfTheWorld) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = tube(9, 8);
    model.reference = reference;
    test::set_smooth_parameters(model);
    test::set_smooth_shape(model);
    const SurfaceMotion motion = test::swinging_motion(model, 60);
    SurfaceMotion elsewhere = motion;
    Affine frame = test::turned({1, 2, -1}, 2);
    frame.translation = {4, -3, 7};
    for (auto& bones : elsewhere.bones)
      for (Affine& bone : bones) bone = frame * bone;
    const auto here = test::simulated(model, motion), there = test::simulated(model, elsewhere);
    double most = 0;
    for (std::size_t i = 0; i < model.rest.size(); ++i)
      most = std::max(most, distance(frame * here.back().position[i], there.back().position[i]));
    EXPECT_LE(most, 1e-11);
  }
}

// No length in it is metres. Sizes are powers of two, so that not even rounding differs; vertices on the bones and upon
// each other are what constants are for.
TEST(SurfaceMotion, IsTheSameAtAnySize) {
  for (const double size : {1.0 / 1024, 64.0}) {
    for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
      SurfaceModel model = test::line(30, true);
      model.reference = reference;
      model.rest[5] = model.rest[4];  // whose other neighbour is a twig's length away
      model.rest[34] = model.rest[8];
      test::set_smooth_parameters(model);
      const SurfaceMotion motion = test::swinging_motion(model, 60);
      SurfaceModel small = model;
      small.height *= size, small.reach *= size;
      for (Vec3& x : small.rest) x *= size;
      for (SurfaceSegment& s : small.segments) s.head *= size, s.tail *= size;
      SurfaceMotion there = motion;
      for (auto& bones : there.bones)
        for (Affine& bone : bones) bone.translation *= size;
      const auto large_states = test::simulated(model, motion), small_states = test::simulated(small, there);
      for (std::size_t k = 0; k < large_states.size(); ++k)
        for (std::size_t i = 0; i < model.rest.size(); ++i)
          ASSERT_EQ(small_states[k].position[i] / size, large_states[k].position[i]) << size << ' ' << k << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace sinew
