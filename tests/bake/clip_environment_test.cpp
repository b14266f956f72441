// Settings that act on flesh in a lattice from outside, over a clip.
#include "sinew/session/clip_environment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/cook/methods.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/cook/light_methods.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using namespace test;

FleshSettings in_lattice(Reference reference) {
  FleshSettings settings = quick_settings(reference);
  settings.lattice.file = auto_lattice;
  settings.lattice.cells = 60;
  return settings;
}

CookedFlesh scene_of(const Character& character, const FleshSettings& settings) {
  CookedFlesh scene = prepare_flesh(character, settings);
  if (settings.lattice.file.empty()) return scene;
  scene.lattice =
      prepare_lattice(scene, build_lattice(character, scene.surface, {settings.lattice.cells}).lattice, settings);
  return scene;
}

// Of a bake of the first clip: where vertex v of the only part is in each frame, metres.
std::vector<std::vector<Vec3>> places(const Character& character, const CookedFlesh& scene, const BakeResult& bake) {
  std::vector<std::vector<Vec3>> frames;
  const PartRecording& part = bake.recording.parts[0];
  const auto count = static_cast<std::size_t>(part.vertices);
  for (std::size_t f = 0; f < bake.recording.times.size(); ++f) {
    const std::vector<Affine> bones = bone_transforms(
        character, scene.surface, sample(character.skeleton, &character.clips[0], bake.recording.times[f]));
    VertexFrames frames_of_rig;
    predict_frames(scene.surface.rest.positions, scene.surface.influences, bones, frames_of_rig);
    std::vector<Vec3> frame;
    for (std::size_t v = 0; v < count; ++v) {
      const float* d = &part.displacement[3 * (f * count + v)];
      frame.push_back(frames_of_rig.goal[static_cast<std::size_t>(scene.surface.vertex_of[0][v])] +
                      Vec3{d[0], d[1], d[2]});
    }
    frames.push_back(std::move(frame));
  }
  return frames;
}

TEST(ClipEnvironment, ObstaclesAreMetOverAClip) {
  const Character character = tube_character();
  for (const FleshSettings& body : {in_lattice(Reference::rig), in_lattice(Reference::elastic),
                                    quick_settings(Reference::rig), quick_settings(Reference::elastic)}) {
    FleshSettings settings = body;
    ColliderSettings ball;
    ball.point = {0.36, 0.75, 0};
    ball.radius = 0.12;
    settings.colliders = {ball};
    const CookedFlesh scene = scene_of(character, settings);
    BakeOptions options;
    options.clip = 0;
    options.frames_per_second = 240;  // frames are steps
    const auto depth = [&](const FleshSettings& asked) {
      double deepest = 0;
      for (const std::vector<Vec3>& frame : places(character, scene, bake_flesh(character, scene, asked, options)))
        for (const Vec3& place : frame) deepest = std::max(deepest, ball.radius - distance(place, ball.point));
      return deepest;
    };
    FleshSettings unhindered = settings;
    unhindered.colliders.clear();
    const double without = depth(unhindered), with = depth(settings);
    EXPECT_GT(without, 0.03);
    // What is shown keeps out as what is computed does: to 1e-4 of the deepest, and to single precision.
    EXPECT_LT(with, 2e-4 * without) << with << ' ' << without;
    // Limits of what is shown, where they are asked for, know of no obstacles.
    settings.limit = 0.5;
    const CookedFlesh limited = scene_of(character, settings);
    const auto limits = [](const CookedFlesh& of) {
      return of.lattice ? of.lattice->description.surface_limit : of.body->description.limit;
    };
    EXPECT_FALSE(limits(limited).empty());
    EXPECT_TRUE(limits(scene).empty());
  }
}

// A box on a joint goes, turns and grows as the joint does.
TEST(ClipEnvironment, ABoxMovesWithItsJoint) {
  const Character character = tube_character();
  ColliderSettings box;
  box.shape = ColliderShape::box;
  box.point = {0.1, 0.2, 0.3};
  box.front = {0, 3, 0};
  box.up = {2, 1, 0};  // of which the part along the front does not count
  box.width = 0.4;
  box.height = 0.6;
  box.depth = 0.2;
  const std::vector<ColliderSettings> world{box};
  const Pose rest = sample(character.skeleton, nullptr, 0);
  const BoxCollider standing = MovingColliders(character, world).in(rest).boxes.at(0);
  // Products of three unit axes, of which the joint turns none.
  const double rounding = test::rounding_of(1, 12);
  EXPECT_LT(norm(standing.axes.column(0) - Vec3{0, 0, 1}), rounding);  // up x front
  EXPECT_LT(norm(standing.axes.column(1) - Vec3{1, 0, 0}), rounding);
  EXPECT_LT(norm(standing.axes.column(2) - Vec3{0, 1, 0}), rounding);
  EXPECT_LT(norm(standing.half - Vec3{0.2, 0.3, 0.1}), rounding);
  EXPECT_NEAR(standing.rounding, 0.02, rounding);

  const std::size_t joint = character.skeleton.joints.size() - 1;
  box.joint = character.skeleton.joints[joint].name;
  const std::vector<ColliderSettings> carried{box};
  const MovingColliders colliders(character, carried);
  EXPECT_LT(norm(colliders.in(rest).boxes.at(0).centre - box.point), 1e-9);
  Pose pose = rest;
  const Affine motion{to_matrix(axis_angle({0, 0, 1}, std::numbers::pi / 2)) * 2.0, {1, 0, 0}};
  const double unit = character.metres_per_unit;
  pose.world[joint] = Affine{motion.linear, motion.translation / unit} * rest.world[joint];
  const BoxCollider moved = colliders.in(pose).boxes.at(0);
  EXPECT_LT(norm(moved.centre - motion * box.point), 1e-9);
  EXPECT_LT(norm(moved.axes.column(2) - Vec3{-1, 0, 0}), 1e-12);
  EXPECT_LT(norm(moved.half - Vec3{0.4, 0.6, 0.2}), 1e-9);
  EXPECT_NEAR(moved.rounding, 0.04, 1e-9);
  EXPECT_NO_THROW(check_colliders(colliders.in(pose)));
}

TEST(ClipEnvironment, HandsLeadAndLetGo) {
  const Character character = tube_character();
  const SimulationSurface surface = simulation_surface(character);
  GrabSettings grab;
  grab.point = {0.12, 0.6, 0};
  grab.radius = 0;
  grab.to = {0.2, 0.6, 0};
  grab.begin = 0.2;
  grab.end = 0.5;
  grab.reach = 0.1;
  const ActingSettings settings{{}, {}, {grab}, {}, {}};
  const ClipEnvironment environment(character, surface, settings);
  EXPECT_FALSE(environment.empty());
  const Pose pose = sample(character.skeleton, &character.clips[0], 0.4);
  const std::vector<Affine> bones = bone_transforms(character, surface, pose);
  const Environment held = environment.over({0.4, pose, bones}, {0.4, pose, bones}, 1.0 / 240);
  ASSERT_EQ(held.held.size(), 1u);
  EXPECT_LT(distance(held.held[0].target, grab.to), 1e-12);
  EXPECT_LT(norm(held.held[0].velocity), 1e-12);
  EXPECT_TRUE(environment.over({0.6, pose, bones}, {0.6, pose, bones}, 1.0 / 240).held.empty());
}

// Without a radius a hand holds the skin within 4 % of the height, each vertex as far from where the rig has it.
TEST(ClipEnvironment, AHandHoldsAPatch) {
  const Character character = tube_character();
  const SimulationSurface surface = simulation_surface(character);
  GrabSettings grab;
  grab.point = {0.12, 0.6, 0};
  grab.to = {0.2, 0.7, 0};
  const auto held = [&](std::optional<double> radius) {
    grab.radius = radius;
    const ActingSettings settings{{}, {}, {grab}, {}, {}};
    const ClipEnvironment environment(character, surface, settings);
    const Pose pose = sample(character.skeleton, &character.clips[0], 0.4);
    const std::vector<Affine> bones = bone_transforms(character, surface, pose);
    const std::vector<HeldPoint> points = environment.over({0.4, pose, bones}, {0.4, pose, bones}, 1.0 / 240).held;
    const Vec3 moved = grab.to - carried(surface, nearest_surface_point(surface.rest, grab.point), bones);
    double sum = 0;
    for (const HeldPoint& point : points) {
      EXPECT_LT(distance(point.target, carried(surface, point.point, bones) + moved), 1e-12);
      sum += point.share;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    return points.size();
  };
  const double height = standing_height(surface.rest);
  EXPECT_GT(held(0.1), 3u);
  EXPECT_EQ(held(std::nullopt), held(0.04 * height));
  EXPECT_EQ(held(0.2), most_held_points);  // a larger hand's are farther apart
}

TEST(ClipEnvironment, WhatIsNotThereIsNamed) {
  const Character character = tube_character();
  const SimulationSurface surface = simulation_surface(character);
  const auto refusal = [&](const ActingSettings& asked) {
    return test::refusal(ErrorKind::usage, [&] { const ClipEnvironment environment(character, surface, asked); });
  };
  BeltSettings belt{"", {0, 0.5, 0}, {0, 1, 0}, 0.1, 1, 1, "nowhere"};
  EXPECT_NE(refusal({{}, {}, {}, {belt}, {}}).find("belts[0]"), std::string::npos);
  belt.point = {0, 9, 0};
  EXPECT_NE(refusal({{}, {}, {}, {belt}, {}}).find("no vertex"), std::string::npos);
  EXPECT_NE(refusal({{}, {}, {{"", {}, {}, {}, "nowhere", {}, {}, 0.2}}, {}, {}}).find("grabs[0]"), std::string::npos);
}

// An arm beside the body, within the belt's radius, goes on without it; a patch that goes nowhere around is held where
// there is no other.
TEST(ClipEnvironment, ABeltHoldsWhatItGoesAround) {
  Character character = tube_character();
  const std::size_t body = character.parts[0].surface.positions.size();
  Part& part = character.parts[0];
  const Part copy = part;
  for (const Vec3& x : copy.surface.positions) part.surface.positions.push_back(Vec3{0.3 * x.x + 0.3, x.y, 0.3 * x.z});
  for (const Triangle& t : copy.surface.triangles) {
    const int shift = static_cast<int>(body);
    part.surface.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  }
  part.influences.insert(part.influences.end(), copy.influences.begin(), copy.influences.end());
  const SimulationSurface surface = simulation_surface(character);
  const Pose pose = sample(character.skeleton, nullptr, 0);
  const std::vector<Affine> bones = bone_transforms(character, surface, pose);
  const auto held = [&](const Vec3& point) {
    const ActingSettings settings{{}, {}, {}, {{"", point, {0, 1, 0}, 0.1, 0.6, 1, "upper"}}, {}};
    const ClipEnvironment environment(character, surface, settings);
    return environment.over({0, pose, bones}, {0, pose, bones}, 1.0 / 240).held;
  };
  ASSERT_FALSE(held({0, 0.5, 0}).empty());
  for (const HeldPoint& point : held({0, 0.5, 0})) EXPECT_LT(point.target.x, 0.15);
  ASSERT_FALSE(held({0.3, 0.5, 0}).empty());
  for (const HeldPoint& point : held({0.3, 0.5, 0})) EXPECT_GT(point.target.x, 0.15);
  bool body_too = false, arm_too = false;  // seen from between them neither goes around
  for (const HeldPoint& point : held({0.2, 0.5, 0})) (point.target.x < 0.15 ? body_too : arm_too) = true;
  EXPECT_TRUE(body_too && arm_too);
}

// What a method cannot obey it refuses, and names those that can.
TEST(Bake, WhatAMethodCannotDoIsRefused) {
  const Character character = tube_character();
  for (const MethodChoice& method : test::light_methods()) {
    Scene scene = cook(*method, {character});
    scene.acting.grabs = {{"", {}, {}, {}, "", {}, {}, 0.2}};
    const std::string sentence = test::refusal(ErrorKind::usage, [&] { Session(character, scene); });
    EXPECT_NE(sentence.find(std::string("the method ") + method->name() +
                            " knows no points that are held; flesh and surface do"),
              std::string::npos)
        << sentence;
  }
}

}  // namespace
}  // namespace sinew
