// Meshes that settings name as colliders: read, placed, moved by nodes, refused.
#include "sinew/session/collider_solids.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sinew/base/error.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

using namespace test;

const std::string cube_faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

std::string obj_file(const std::string& name, double thickness, const std::string& faces) {
  const std::string path = scratch_path(name).string();
  std::ofstream file(path);
  for (int k = 0; k < 8; ++k) file << "v " << (k & 1) << ' ' << (k >> 1 & 1) << ' ' << thickness * (k >> 2 & 1) << '\n';
  file << faces;
  return path;
}

ColliderSettings mesh_in(const std::string& file, const std::string& node = {}) {
  ColliderSettings collider;
  collider.shape = ColliderShape::mesh;
  collider.file = file;
  collider.node = node;
  return collider;
}

// The tube, and beside it a cube of 20 cm on a node that is 1 m to the side.
Character tube_with_a_cube() {
  Character character = tube_character(0.01);
  Joint node;
  node.name = "Block";
  node.rest.translation = {100, 0, 0};
  character.skeleton.joints.push_back(node);
  character.skeleton.parents_first.push_back(3);
  Part part;
  part.name = "cube";
  part.joint = static_cast<int>(character.skeleton.joints.size()) - 1;
  for (int k = 0; k < 8; ++k)
    part.surface.positions.push_back(20.0 * Vec3{double(k & 1), double(k >> 1 & 1), double(k >> 2 & 1)});
  part.surface.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                            {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  character.parts.push_back(part);
  return character;
}

TEST(ColliderSolids, AFileOrANodeIsSolidWhereItStands) {
  const Character character = tube_with_a_cube();
  ColliderSettings ball;
  ball.radius = 1;
  const std::vector<ColliderSettings> settings{ball, mesh_in(obj_file("cube.obj", 1, cube_faces)),
                                               mesh_in("", "Block")};
  const auto solids = collider_solids(character, settings);
  ASSERT_EQ(solids.size(), 3u);
  EXPECT_FALSE(solids[0]);
  EXPECT_NEAR(distance_from(*solids[1], {0.5, 0.5, 0.9}).value, -0.1, 1e-3);
  EXPECT_NEAR(distance_from(*solids[2], {1.1, 0.1, 0.18}).value, -0.02, 1e-3);

  // A node carries its own mesh; a file's is where a joint takes it.
  const MovingColliders moving(character, settings, solids);
  Pose pose = sample(character.skeleton, nullptr, 0);
  const auto gap = [&](std::size_t k, const Vec3& x) { return gap_to(moving.in(pose), k, x).distance; };
  EXPECT_NEAR(gap(2, {1.1, 0.1, 0.25}), 0.05, 2e-3);
  pose.world.back().translation.y += 30;
  EXPECT_NEAR(gap(2, {1.1, 0.4, 0.25}), 0.05, 2e-3);
  EXPECT_NEAR(gap(1, {0.5, 0.5, 0.9}), -0.1, 1e-3);
}

TEST(ColliderSolids, WhatIsNotSolidIsRefused) {
  const Character character = tube_with_a_cube();
  const auto refused = [&](ErrorKind kind, const ColliderSettings& collider) {
    const std::vector<ColliderSettings> settings{collider};
    return refusal(kind, [&] { collider_solids(character, settings); });
  };
  EXPECT_NE(refused(ErrorKind::usage, mesh_in("", "Blocks")).find("has no node 'Blocks'"), std::string::npos);
  EXPECT_NE(refused(ErrorKind::usage, mesh_in("", character.skeleton.joints[1].name)).find("shows no rigid mesh"),
            std::string::npos);
  EXPECT_NE(refused(ErrorKind::input, mesh_in("nowhere.obj")).find("nowhere.obj"), std::string::npos);
  EXPECT_NE(refused(ErrorKind::input, mesh_in(obj_file("sheet.obj", 1, "f 1 3 4 2\n"))).find("encloses nothing"),
            std::string::npos);
  const std::string with_board = obj_file("board.obj", 1e-4, cube_faces);
  EXPECT_NE(refused(ErrorKind::input, mesh_in(with_board)).find("board.obj"), std::string::npos);
}

TEST(ColliderSolids, SettingsNameOneMesh) {
  const auto complaint = [](const ColliderSettings& collider) { return first_complaint(settings_of(collider)); };
  EXPECT_EQ(complaint(mesh_in("cube.obj")), "");
  EXPECT_EQ(complaint(mesh_in("", "Block")), "");
  EXPECT_NE(complaint(mesh_in("", "")), "");
  EXPECT_NE(complaint(mesh_in("cube.obj", "Block")), "");
}

}  // namespace
}  // namespace sinew
