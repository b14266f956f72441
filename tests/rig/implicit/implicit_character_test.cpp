// Implicit skinning of the sample characters, bent at single joints.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/clip.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/surface/winding_number.h"
#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/implicit/implicit_skin.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

struct BentSkin {
  std::vector<char> moves;  // per bone: it is the bent one or hangs on it
  std::vector<Affine> bones;
  std::vector<Vec3> linear, dual_quaternions, implicit;
};

struct SampleSkin {
  Character character;
  SimulationSurface surface;
  std::shared_ptr<const ImplicitSkin> fields;
};

const SampleSkin& sumo() {
  static const SampleSkin sample = [] {
    SampleSkin result{read_character(SINEW_SOURCE_DIR "/samples/sumo.glb"), {}, nullptr};
    result.surface = simulation_surface(result.character);
    result.fields = implicit_skin(result.surface);
    return result;
  }();
  return sample;
}

BentSkin bend(const SampleSkin& skin, const std::string& name, const Vec3& axis, double angle) {
  const SimulationSurface& surface = skin.surface;
  BentSkin result;
  result.moves.resize(surface.bones.size());
  for (std::size_t b = 0; b < surface.bones.size(); ++b)
    for (int up = static_cast<int>(b); up >= 0; up = surface.bones[index(up)].parent)
      if (surface.bones[index(up)].name == name) {
        const Vec3 joint = surface.bones[index(up)].segments.front().head;
        const Mat3 turn = to_matrix(axis_angle(axis, angle * std::numbers::pi / 180));
        result.bones.resize(surface.bones.size());
        result.bones[b] = {turn, joint - turn * joint};
        result.moves[b] = 1;
      }
  const std::size_t count = surface.rest.positions.size();
  result.linear.resize(count);
  result.dual_quaternions.resize(count);
  linear_blend(surface.rest.positions, surface.influences, result.bones, result.linear);
  dual_quaternion_blend(surface.rest.positions, surface.influences, result.bones, result.dual_quaternions);
  result.implicit = result.dual_quaternions;
  project_skin(*skin.fields, result.bones, result.implicit);
  return result;
}

// Vertices that moved and are inside of the body twice, 0.3 % of the height below their skin.
int inside_twice(const SimulationSurface& surface, const std::vector<Vec3>& positions) {
  const TriangleMesh mesh{positions, surface.rest.triangles};
  const BoundingVolumeHierarchy tree(mesh);
  const WindingNumber winding(tree);
  const std::vector<Vec3> normal = vertex_area_vectors(positions, mesh.triangles);
  const double depth = 3e-3 * standing_height(surface);
  std::vector<char> twice(positions.size());
  parallel_for(positions.size(), 64, [&](std::size_t v) {
    if (distance(positions[v], surface.rest.positions[v]) > 1e-9)
      twice[v] = winding(positions[v] - depth * normalized(normal[v])) > 1.5 ? 1 : 0;
  });
  return static_cast<int>(std::count(twice.begin(), twice.end(), 1));
}

TEST(ImplicitCharacter, LimbsOfTheSumoTouchInsteadOfPassingThroughEachOther) {
  for (const auto& [joint, axis, angle] :
       {std::tuple{"forearm_l", Vec3{0, 0, 1}, 120.0}, std::tuple{"shin_l", Vec3{1, 0, 0}, 100.0}}) {
    const BentSkin skin = bend(sumo(), joint, axis, angle);
    EXPECT_GT(inside_twice(sumo().surface, skin.linear), 10) << joint;
    EXPECT_EQ(inside_twice(sumo().surface, skin.implicit), 0) << joint;
  }
  const BentSkin thigh = bend(sumo(), "thigh_l", {1, 0, 0}, -90);
  EXPECT_LT(inside_twice(sumo().surface, thigh.implicit), inside_twice(sumo().surface, thigh.linear) / 3);
}

// The skin between chin and chest is squeezed out into neither.
TEST(ImplicitCharacter, TheChinOfTheSumoStopsAtItsChest) {
  const BentSkin neck = bend(sumo(), "neck", {1, 0, 0}, 50), head = bend(sumo(), "head", {1, 0, 0}, 50);
  EXPECT_GT(inside_twice(sumo().surface, neck.linear), 15);
  EXPECT_LT(inside_twice(sumo().surface, neck.implicit), inside_twice(sumo().surface, neck.linear));
  EXPECT_LT(inside_twice(sumo().surface, head.implicit), inside_twice(sumo().surface, head.linear));
}

// Shape moves a vertex no farther than its bones disagree about it; contact moves it towards its bone, not beyond.
TEST(ImplicitCharacter, NoVertexMovesFartherThanItsBone) {
  for (const auto& [joint, axis, angle] :
       {std::tuple{"forearm_l", Vec3{0, 0, 1}, 120.0}, std::tuple{"shin_l", Vec3{1, 0, 0}, 100.0},
        std::tuple{"neck", Vec3{1, 0, 0}, 50.0}, std::tuple{"upper_arm_l", Vec3{0, 0, 1}, 80.0}}) {
    const BentSkin skin = bend(sumo(), joint, axis, angle);
    const ImplicitSkin& fields = *sumo().fields;
    const double height = standing_height(sumo().surface);
    for (std::size_t v = 0; v < skin.implicit.size(); ++v) {
      const double moved = distance(skin.implicit[v], skin.dual_quaternions[v]);
      ASSERT_LE(moved, disagreement(fields, skin.bones, v, skin.dual_quaternions[v]) +
                           distance(fields.positions[v], fields.spine[v]))
          << joint << ' ' << v;
      ASSERT_LT(moved, 0.06 * height) << joint << ' ' << v;
    }
  }
}

double percentile_of_second_differences(const std::vector<std::array<std::vector<Vec3>, 3>>& bursts) {
  std::vector<double> values;
  for (const auto& x : bursts)
    for (std::size_t v = 0; v < x[0].size(); ++v) values.push_back(norm(x[2][v] - 2 * x[1][v] + x[0][v]));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 999 / 1000);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Bursts of three frames, 1/60 s apart, spread over a clip.
TEST(ImplicitCharacter, NearlyAllSkinIsAsSmoothInAClipAsLinearSkin) {
  const Character& character = sumo().character;
  const Clip& clip =
      *std::find_if(character.clips.begin(), character.clips.end(), [](const Clip& c) { return c.name == "stomp"; });
  const SimulationSurface& surface = sumo().surface;
  std::vector<std::array<std::vector<Vec3>, 3>> linear, implicit;
  for (double begin = clip.start; begin + 0.04 < clip.end; begin += 0.25) {
    std::array<std::vector<Vec3>, 3> x, y;
    for (std::size_t k = 0; k < 3; ++k) {
      const Pose pose = sample(character.skeleton, &clip, begin + static_cast<double>(k) / 60);
      const std::vector<Affine> bones = bone_transforms(character, surface, pose);
      x[k] = y[k] = surface.rest.positions;
      linear_blend(surface.rest.positions, surface.influences, bones, x[k]);
      dual_quaternion_blend(surface.rest.positions, surface.influences, bones, y[k]);
      project_skin(*sumo().fields, bones, y[k]);
    }
    linear.push_back(std::move(x));
    implicit.push_back(std::move(y));
  }
  EXPECT_GT(percentile_of_second_differences(linear), 0);
  EXPECT_LE(percentile_of_second_differences(implicit), 1.1 * percentile_of_second_differences(linear));
}

// Ways by which the projection moves the vertices of a bent sample, metres.
std::vector<Vec3> corrections(const std::string& joint, const Vec3& axis, double degrees) {
  const BentSkin skin = bend(sumo(), joint, axis, degrees);
  std::vector<Vec3> result(skin.implicit.size());
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = skin.implicit[v] - skin.dual_quaternions[v];
  return result;
}

double largest_way(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  double most = 0;
  for (std::size_t v = 0; v < from.size(); ++v) most = std::max(most, distance(from[v], to[v]));
  return most;
}

// Where corrections change most in a fold from 90 to 150 degrees, in which limbs touch: the beginning of a span of so
// many degrees.
double fastest_span(const std::string& joint, const Vec3& axis, int span) {
  double most = 0, fastest = 90;
  std::vector<Vec3> before = corrections(joint, axis, 90);
  for (int degrees = 90 + span; degrees <= 150; degrees += span) {
    std::vector<Vec3> now = corrections(joint, axis, degrees);
    if (const double way = largest_way(before, now); way > most) most = way, fastest = degrees - span;
    before = std::move(now);
  }
  return fastest;
}

// Corrections are a continuous function of the pose: where they change fastest, vertices go a quarter of the way in
// 1/64 of a degree that they go in 1/16. Skin that pops goes as far in any step. In steps of a degree the law does not
// hold yet, for contact moves skin within a degree or two.
TEST(ImplicitCharacter, SkinThatFoldsGoesAsFarAsItsStepIsLong) {
  constexpr int span = 2, coarse_steps = 16, fine_steps = 4;  // degrees, per degree, per coarse step
  const double height = standing_height(sumo().surface);
  for (const auto& [joint, axis] : {std::pair{"forearm_l", Vec3{0, 0, 1}}, std::pair{"shin_l", Vec3{1, 0, 0}},
                                    std::pair{"thigh_l", Vec3{-1, 0, 0}}, std::pair{"neck", Vec3{1, 0, 0}}}) {
    const double begin = fastest_span(joint, axis, span);
    double coarse = 0, fine = 0;
    std::vector<Vec3> before_coarse = corrections(joint, axis, begin), before = before_coarse;
    for (int k = 1; k <= span * coarse_steps * fine_steps; ++k) {
      std::vector<Vec3> now = corrections(joint, axis, begin + static_cast<double>(k) / (coarse_steps * fine_steps));
      fine = std::max(fine, largest_way(before, now));
      before = std::move(now);
      if (k % fine_steps != 0) continue;
      coarse = std::max(coarse, largest_way(before_coarse, before));
      before_coarse = before;
    }
    EXPECT_GT(coarse, 1e-4 * height) << joint;
    EXPECT_LT(fine, 0.27 * coarse) << joint << " from " << begin << " degrees on";
  }
}

TEST(ImplicitCharacter, WhatIsFarFromTheBendKeepsItsPositionToTheBit) {
  const BentSkin skin = bend(sumo(), "forearm_l", {0, 0, 1}, 120);
  std::size_t far = 0;
  for (std::size_t v = 0; v < skin.implicit.size(); ++v) {
    if (distance(sumo().surface.rest.positions[v], Vec3{0.43, 1.11, -0.03}) < 0.35) continue;
    ++far;
    ASSERT_EQ(skin.implicit[v], skin.dual_quaternions[v]) << v;
  }
  EXPECT_GT(far, skin.implicit.size() / 2);
}

}  // namespace
}  // namespace sinew
