// The simulation surface: rest space, welding with the map back, bones and their segments.
#include "sinew/character/simulation_surface.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

using namespace test;

// In file units; joint 1 stands at the origin, 2 in the middle, and each vertex follows one of them alone.
Character two_bones(double unit = 1) {
  Character character =
      two_bone_tube(8, 8, 2 / unit, 0.3 / unit, [](double height) { return height > 0.505 ? 1.0 : 0.0; });
  character.file = "made by hand";
  character.metres_per_unit = unit;
  return character;
}

// Each triangle with vertices of its own, as seams split them.
void split_all(Part& part) {
  TriangleMesh split;
  std::vector<Influences> influences;
  for (const Triangle& t : part.surface.triangles) {
    const int base = static_cast<int>(split.positions.size());
    for (int v : t) {
      split.positions.push_back(part.surface.positions[static_cast<std::size_t>(v)]);
      influences.push_back(part.influences[static_cast<std::size_t>(v)]);
    }
    split.triangles.push_back({base, base + 1, base + 2});
  }
  part.surface = split;
  part.influences = influences;
}

TEST(SimulationSurface, SeamsAreWeldedWithTheMapBack) {
  Character character = two_bones();
  const std::size_t whole = character.parts[0].surface.positions.size();
  split_all(character.parts[0]);
  const SimulationSurface surface = simulation_surface(character);
  EXPECT_EQ(surface.rest.positions.size(), whole);
  ASSERT_EQ(surface.vertex_of.size(), 1u);
  ASSERT_EQ(surface.vertex_of[0].size(), character.parts[0].surface.positions.size());
  for (std::size_t v = 0; v < surface.vertex_of[0].size(); ++v) {
    const auto welded = static_cast<std::size_t>(surface.vertex_of[0][v]);
    EXPECT_LT(distance(surface.rest.positions[welded], character.parts[0].surface.positions[v]), 1e-9);
    EXPECT_EQ(surface.influences[welded].joint[0], character.parts[0].influences[v].joint[0]);
  }
}

TEST(SimulationSurface, VerticesAtOnePlaceWithOtherWeightsStayApart) {
  Character character = two_bones();
  split_all(character.parts[0]);
  const std::size_t before = simulation_surface(character).rest.positions.size();
  character.parts[0].influences[0] = on(1 - character.parts[0].influences[0].joint[0]);
  EXPECT_EQ(simulation_surface(character).rest.positions.size(), before + 1);
}

TEST(SimulationSurface, RestIsInMetresWhateverTheUnit) {
  const SimulationSurface metres = simulation_surface(two_bones(1)), inches = simulation_surface(two_bones(0.0254));
  ASSERT_EQ(metres.rest.positions.size(), inches.rest.positions.size());
  for (std::size_t v = 0; v < metres.rest.positions.size(); ++v)
    EXPECT_LT(distance(metres.rest.positions[v], inches.rest.positions[v]), 1e-12);
}

TEST(SimulationSurface, BonesReachToTheirChildrenAndLeavesAlongTheirFlesh) {
  const SimulationSurface surface = simulation_surface(two_bones());
  ASSERT_EQ(surface.bones.size(), 2u);
  EXPECT_EQ(surface.bones[1].parent, 0);
  ASSERT_EQ(surface.bones[0].segments.size(), 1u);
  EXPECT_LT(norm(surface.bones[0].segments[0].head), 1e-12);
  EXPECT_LT(distance(surface.bones[0].segments[0].tail, {0, 1, 0}), 1e-12);
  ASSERT_EQ(surface.bones[1].segments.size(), 1u);
  const BoneSegment& leaf = surface.bones[1].segments[0];
  EXPECT_LT(distance(leaf.head, {0, 1, 0}), 1e-12);
  EXPECT_NEAR(leaf.tail.x, 0, 1e-9);
  EXPECT_GT(leaf.tail.y, 1.5);
  EXPECT_LT(leaf.tail.y, 2.1);
}

// In the default pose, rest space is the world: the bones' maps are the identity.
TEST(SimulationSurface, BoneTransformsOfTheDefaultPoseAreTheIdentity) {
  for (double unit : {1.0, 0.01}) {
    Character character = two_bones(unit);
    character.skeleton.joints[1].rest.rotation = axis_angle({0, 1, 0}, 1.1);  // the whole skeleton turned and moved
    character.skeleton.joints[1].rest.translation = {3 / unit, 1 / unit, 0};
    const SimulationSurface surface = simulation_surface(character);
    const Pose pose = sample(character.skeleton, nullptr, 0);
    for (const Affine& bone : bone_transforms(character, surface, pose)) {
      EXPECT_LT(frobenius_norm(bone.linear - Mat3::identity()), 1e-9);
      EXPECT_LT(norm(bone.translation), 1e-9);
    }
    const std::vector<Vec3> posed = posed_positions(character, character.parts[0], pose);
    for (std::size_t v = 0; v < posed.size(); ++v)
      EXPECT_LT(distance(surface.rest.positions[static_cast<std::size_t>(surface.vertex_of[0][v])], posed[v] * unit),
                1e-9);
  }
}

TEST(SimulationSurface, MirroringRigsKeepTrianglesOutward) {
  Character character = two_bones();
  character.skeleton.joints[1].rest.scale = {-1, 1, 1};
  const SimulationSurface surface = simulation_surface(character);
  EXPECT_GT(signed_volume(surface.rest), 0);
}

// A bent body and what its upper bone carries, as a mesh of its own whose bind space is moved by `place`.
Character body_with_a_load(const Affine& place) {
  Character character = two_bones();
  character.skeleton.joints[2].rest.rotation = axis_angle({0, 0, 1}, 1.2);
  Part load = character.parts[0];
  load.name = "load";
  for (Vec3& x : load.surface.positions) x = inverse(place) * (0.2 * x + Vec3{0, 1.5, 0});
  for (Influences& influences : load.influences) influences = between(0, 1, 1);
  Skin own = character.skins[0];
  for (Affine& bind : own.inverse_bind) bind = bind * place;
  // The load comes first, as weapons do in some files.
  character.skins.insert(character.skins.begin(), own);
  character.parts[0].skin = 1;
  character.parts.insert(character.parts.begin(), load);
  return character;
}

TEST(SimulationSurface, SkinsWithBindSpacesOfTheirOwnShareOneRestSpace) {
  const SimulationSurface alike = simulation_surface(body_with_a_load({})),
                          moved = simulation_surface(body_with_a_load(
                              {to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7)) * 1.5, {0.3, -2, 0.1}}));
  EXPECT_EQ(alike.bones.size(), 2u);
  EXPECT_EQ(moved.bones.size(), 2u) << "a joint is one bone, whatever space its meshes are bound in";
  ASSERT_EQ(alike.rest.positions.size(), moved.rest.positions.size());
  for (std::size_t v = 0; v < alike.rest.positions.size(); ++v)
    EXPECT_LT(distance(alike.rest.positions[v], moved.rest.positions[v]), 1e-9);
}

TEST(SimulationSurface, NothingSkinnedIsRefused) {
  Character character = two_bones();
  character.parts[0].skin = -1;
  character.parts[0].influences.clear();
  EXPECT_THROW(simulation_surface(character), Error);
}

}  // namespace
}  // namespace sinew
