// Rigid things keep their shape whatever the method: one place for all.
#include "sinew/cook/keep_rigid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/cook/mixed/mixed_scene.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/jobs/open_character.h"
#include "sinew/mesh/rigid_fit.h"

namespace sinew {
namespace {

struct Posed {
  Scene scene;
  std::vector<Vec3> surface;
};

// The sample elephant by `mixed`, its bones as at rest but each turned a little more than the one above it and `growth`
// times as large.
Posed posed(double growth) {
  Character character = open_character(SINEW_SOURCE_DIR "/samples/elephant.glb").character;
  // A patch around one vertex of the skin is painted, over several bones.
  Part& skin =
      *std::find_if(character.parts.begin(), character.parts.end(), [](const Part& part) { return part.skin >= 0; });
  const double size = longest_side(skin.surface);
  for (const Vec3& x : skin.surface.positions)
    skin.fields[field("rigid")].push_back(distance(x, skin.surface.positions[0]) < 0.12 * size);
  MixedSettings settings;
  settings.tetrahedra = 1500;
  Posed result{mixed_scene(std::make_shared<const CookedMixed>(prepare_mixed(character, settings)), settings), {}};
  std::vector<Affine> bones(result.scene.bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const Vec3 joint = inverse(result.scene.bones[b].rest_to_joint).translation;
    const Mat3 turn = to_matrix(axis_angle({1, 0, 0}, 0.02 * static_cast<double>(b))) * growth;
    bones[b] = {turn, growth * joint - turn * joint};
  }
  const RigState rig{0, bones, {}};
  const std::unique_ptr<Deformer> deformer = result.scene.deformer();
  deformer->reset(rig, rig);
  result.surface.resize(result.scene.surface->rest.positions.size());
  deformer->surface(rig, 0, result.surface);
  return result;
}

// Largest distance of a thing's vertices from its rest shape, `growth` times as large, brought nearest; of its extent.
double misshapen(const Posed& posed, double growth) {
  double worst = 0;
  const std::vector<RigidPart> parts = find_rigid_parts(*posed.scene.surface);
  EXPECT_FALSE(parts.empty());
  for (const RigidPart& part : parts) {
    const RigidGroup group = rigid_group(part);
    std::vector<Vec3> rest = posed.scene.surface->rest.positions, moved = posed.surface;
    for (Vec3& x : rest) x = growth * x;
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] -= rest[v];
    const Affine map = rigid_fit(group, rest, moved).map();
    double extent = 0, error = 0;
    for (const int v : group.vertices) {
      const auto at = static_cast<std::size_t>(v);
      error = std::max(error, distance(map * rest[at], posed.surface[at]));
      extent = std::max(extent, distance(rest[at], rest[static_cast<std::size_t>(group.vertices[0])]));
    }
    worst = std::max(worst, error / extent);
  }
  return worst;
}

TEST(KeepRigid, WhatIsPaintedUnderMixedElements) { EXPECT_LT(misshapen(posed(1), 1), 1e-10); }

// A clip that makes the animal larger makes what is rigid on it larger.
TEST(KeepRigid, ThingsGrowWithTheirBones) { EXPECT_LT(misshapen(posed(1.5), 1.5), 1e-10); }

}  // namespace
}  // namespace sinew
