// Flesh and springs on goals of every kind of skinning: what is written is relative to the file's own linear skin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/bake/record_frames.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/methods.h"
#include "sinew/deform/springs/springs_method.h"
#include "sinew/rig/linear_blend.h"
#include "sinew/rig/skinned_points.h"
#include "tests/bake/tube_character.h"
#include "tests/character/skinned_tube.h"

namespace sinew {
namespace {

using namespace test;

std::vector<Affine> bones_at(const Character& character, const SimulationSurface& surface, double seconds) {
  return bone_transforms(character, surface, sample(character.skeleton, &character.clips[0], seconds));
}

// What viewers of the output show in a frame: the linear skin, and the recorded displacement.
std::vector<Vec3> viewed(const Character& character, const SimulationSurface& surface, const BakeResult& result,
                         std::size_t frame) {
  std::vector<Vec3> x(surface.rest.positions.size()), displacement(x.size());
  linear_blend(surface.rest.positions, surface.influences, bones_at(character, surface, result.recording.times[frame]),
               x);
  read_frame(surface, result.recording, static_cast<std::int64_t>(frame), displacement);
  for (std::size_t v = 0; v < x.size(); ++v) x[v] += displacement[v];
  return x;
}

double farthest_from_goal(const Character& character, const BakeResult& result, SkinningKind kind) {
  SimulationSurface surface = simulation_surface(character);
  set_skinning(kind, surface);
  double most = 0;
  for (std::size_t frame = 0; frame < result.recording.times.size(); ++frame) {
    const std::vector<Vec3> x = viewed(character, surface, result, frame);
    const std::vector<Vec3> goal = posed(surface, bones_at(character, surface, result.recording.times[frame]));
    for (std::size_t v = 0; v < x.size(); ++v) most = std::max(most, distance(x[v], goal[v]));
  }
  return most;
}

constexpr double single_precision = 1e-7;  // of a metre

TEST(SkinnedGoal, MethodsOfSkinningAloneAreWrittenAsTheyAre) {
  const Character character = tube_character();
  const std::pair<const char*, SkinningKind> methods[] = {{"linear", SkinningKind::linear},
                                                          {"dualquat", SkinningKind::dual_quaternion},
                                                          {"volume", SkinningKind::volume},
                                                          {"implicit", SkinningKind::implicit}};
  for (const auto& [name, kind] : methods) {
    const Scene scene = cook(*method_named(name), {character});
    const BakeResult result = bake(character, scene, nullptr, options_for(0), {});
    EXPECT_LE(farthest_from_goal(character, result, kind), single_precision) << name;
  }
}

// Flesh that is too stiff to swing is the goal, in tetrahedra; under other skinning it would be centimetres off.
TEST(SkinnedGoal, StiffFleshIsTheGoal) {
  const Character character = tube_character();
  for (const SkinningKind kind : {SkinningKind::dual_quaternion, SkinningKind::volume, SkinningKind::implicit}) {
    FleshSettings settings = look_settings();
    settings.young = 1e9;
    settings.skinning = kind;
    BakeOptions options = options_for(0);
    options.begin = 0.1;
    options.end = 0.25;
    const BakeResult result = bake(character, settings, options);
    EXPECT_LE(farthest_from_goal(character, result, kind), 1e-4);
    EXPECT_GT(farthest_from_goal(character, result, SkinningKind::linear), 1e-3);
  }
}

// Where nothing moves, flesh rests in the goal.
TEST(SkinnedGoal, StillFleshIsTheGoalInAnyBody) {
  const Character character = tube_character();
  const std::pair<const char*, SkinningKind> bodies[] = {{"", SkinningKind::dual_quaternion},
                                                         {"", SkinningKind::volume},
                                                         {"auto", SkinningKind::volume},
                                                         {"auto", SkinningKind::implicit}};
  for (const auto& [lattice, kind] : bodies) {
    FleshMethod method;
    method.values = quick_settings();
    method.values.skinning = kind;
    method.values.lattice.file = lattice;
    const Scene scene = cook(method, {character});
    const std::vector<Affine> bones = bones_at(character, *scene.surface, 0.25);
    const auto flesh = scene.deformer();
    const RigState rig{0, bones}, later{flesh->step(), bones};
    flesh->reset(rig, later);
    flesh->advance(later, {});
    std::vector<Vec3> x(scene.surface->rest.positions.size());
    flesh->surface(later, 0, x);
    const std::vector<Vec3> goal = posed(*scene.surface, bones);
    double most = 0;
    for (std::size_t v = 0; v < x.size(); ++v) most = std::max(most, distance(x[v], goal[v]));
    EXPECT_LE(most, 1e-6) << lattice;
  }
}

TEST(SkinnedGoal, SpringsSwingTheBonesOfAnySkinning) {
  const Character character = tube_character();
  SpringsMethod method;
  method.values.swing = {"upper"};
  method.values.forces.stiffness = 100;
  method.values.skinning = SkinningKind::dual_quaternion;
  const Scene scene = cook(method, {character});
  BakeOptions options = options_for(0);
  options.end = 0.4;
  const BakeResult result = bake(character, scene, nullptr, options, {});
  SimulationSurface surface = simulation_surface(character);
  // At rest in the first frame.
  set_skinning(SkinningKind::dual_quaternion, surface);
  const std::vector<Vec3> x = viewed(character, surface, result, 0);
  const std::vector<Vec3> goal = posed(surface, bones_at(character, surface, 0));
  for (std::size_t v = 0; v < x.size(); ++v) EXPECT_LE(distance(x[v], goal[v]), 1e-3);
  EXPECT_GT(farthest_from_goal(character, result, SkinningKind::linear), 1e-4);
}

}  // namespace
}  // namespace sinew
