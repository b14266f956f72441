// Automatic weights against what they must be: on a straight bar, on legs side by side, on loose pieces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/rigging/rig_mesh.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

Character mesh_character(const TriangleMesh& surface, double metres_per_unit = 1) {
  Character character;
  character.file = "mesh.glb";
  character.metres_per_unit = metres_per_unit;
  character.skeleton.joints.resize(1);
  character.skeleton.joints[0].name = "mesh";
  character.skeleton.parents_first = {0};
  Part part;
  part.name = "mesh";
  part.joint = part.mesh = part.primitive = 0;
  part.surface = surface;
  character.parts.push_back(part);
  return character;
}

TriangleMesh side_by_side(TriangleMesh a, const TriangleMesh& b) {
  const int offset = static_cast<int>(a.positions.size());
  a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
  for (const Triangle& t : b.triangles) a.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  return a;
}

double weight_of(const Influences& influences, int joint) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k)
    if (influences.joint[k] == joint) return influences.weight[k];
  return 0;
}

void expect_sound(const Character& character) {
  for (const Part& part : character.parts)
    for (const Influences& vertex : part.influences) {
      ASSERT_GT(vertex.count, 0);
      ASSERT_LE(vertex.count, 4);
      double sum = 0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(vertex.count); ++k) {
        EXPECT_GT(vertex.weight[k], 0);
        sum += vertex.weight[k];
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    }
}

const std::vector<PlacedJoint> bar_joints{
    {"lower", "", {0, 0.05, 0}}, {"upper", "lower", {0, 0.5, 0}}, {"end", "upper", {0, 0.95, 0}}};

TEST(RigMesh, AStraightBarIsSharedAlikeAtTheJoint) {
  Character character = mesh_character(upright_tube(40, 24, 1, 0.1));
  const RiggedMesh rigged = rig_mesh(character, bar_joints, {}, "joints");
  EXPECT_TRUE(rigged.notes.empty()) << rigged.notes.front();
  EXPECT_EQ(rigged.first_joint, 1);
  ASSERT_EQ(character.skeleton.joints.size(), 4u);
  EXPECT_EQ(character.skeleton.joints[2].parent, 1);
  expect_sound(character);
  const Part& part = character.parts[0];
  double before = 0;
  for (std::size_t v = 0; v < part.influences.size(); ++v) {
    const double y = part.surface.positions[v].y,
                 upper = weight_of(part.influences[v], 1) + weight_of(part.influences[v], 2);
    if (std::abs(y - 0.5) < 1e-9) {
      EXPECT_NEAR(upper, 0.5, 0.03);
    }
    if (y < 0.5 - 0.45) {
      EXPECT_LT(upper, 0.02) << y;
    }
    if (y > 0.5 + 0.45) {
      EXPECT_GT(upper, 0.98) << y;
    }
    // The mirror image of the ring at y is that at 1 - y.
    const std::size_t ring = v / 24;
    if (ring <= 40) {
      const Influences& image = part.influences[(40 - ring) * 24 + v % 24];
      EXPECT_NEAR(upper + weight_of(image, 1) + weight_of(image, 2), 1, 0.05) << y;
    }
    // No step is steeper than over half the radius, and none goes back.
    if (v % 24 == 0 && ring <= 40) {
      EXPECT_LT(upper - before, 0.025 / 0.05) << y;
      EXPECT_GT(upper - before, -0.01) << y;
      before = upper;
    }
  }
}

TEST(RigMesh, LegsSideBySideDoNotFollowOneAnother) {
  // Legs of 6 cm radius, half a centimetre apart.
  const double gap = 0.0625;
  Character character = mesh_character(u_tube(0.8, gap, 0.06));
  const std::vector<PlacedJoint> joints{{"hips", "", {0, gap, 0}},
                                        {"thigh.L", "hips", {gap, 0, 0}},
                                        {"shin.L", "thigh.L", {gap, -0.4, 0}},
                                        {"foot.L", "shin.L", {gap, -0.75, 0}}};
  RigMeshOptions options;
  options.mirror = MirrorAxis::x;
  const RiggedMesh rigged = rig_mesh(character, joints, options, "joints");
  ASSERT_EQ(rigged.joints.size(), 7u);
  EXPECT_EQ(rigged.joints[4].name, "thigh.R");
  expect_sound(character);
  const Part& part = character.parts[0];
  for (std::size_t v = 0; v < part.influences.size(); ++v) {
    const Vec3& x = part.surface.positions[v];
    if (x.y > -0.2) continue;  // there the way through the bridge is as short
    double left = 0, right = 0;
    for (const int j : {1, 2, 3}) left += weight_of(part.influences[v], j);
    for (const int j : {4, 5, 6}) right += weight_of(part.influences[v], j);
    EXPECT_LT(x.x > 0 ? right : left, x.y > -0.4 ? 0.02 : 1e-9) << x.x << ' ' << x.y;
  }
}

TEST(RigMesh, LoosePiecesFollowTheSkinBesideThem) {
  const TriangleMesh bar = upright_tube(40, 24, 1, 0.1);
  // A button beside the middle, and a sleeve around the upper half.
  const TriangleMesh button = sphere({0.13, 0.5, 0}, 0.02, 12);
  Character character = mesh_character(side_by_side(bar, button));
  rig_mesh(character, bar_joints, {}, "joints");
  expect_sound(character);
  const Part& part = character.parts[0];
  const Influences& first = part.influences[bar.positions.size()];
  for (std::size_t v = bar.positions.size(); v < part.influences.size(); ++v)
    EXPECT_EQ(part.influences[v], first);  // it keeps its shape
  EXPECT_NEAR(weight_of(first, 0), 0.5, 0.06);
}

TEST(RigMesh, TheSameForAnyNumberOfThreadsAndUnit) {
  const auto rigged = [](int threads, double metres_per_unit) {
    set_thread_count(threads);
    TriangleMesh surface = u_tube(0.8, 0.2, 0.06);
    for (Vec3& x : surface.positions) x *= 1 / metres_per_unit;
    Character character = mesh_character(surface, metres_per_unit);
    rig_mesh(character, {{"a", "", {-0.2, -0.7, 0}}, {"b", "a", {0, 0.2, 0}}, {"c", "b", {0.2, -0.7, 0}}}, {},
             "joints");
    set_thread_count(0);
    return character;
  };
  const Character one = rigged(1, 1), three = rigged(3, 1), centimetres = rigged(1, 0.0078125);  // a power of two
  EXPECT_EQ(one.parts[0].influences, three.parts[0].influences);
  EXPECT_EQ(one.parts[0].influences, centimetres.parts[0].influences);
  EXPECT_EQ(centimetres.skeleton.joints[1].rest.translation.x, -0.2 / 0.0078125);
}

// While joints are placed by hand the mesh is filled once, and the weights are those of a mesh that is filled anew.
TEST(RigMesh, ABodyThatIsKeptIsFilledOnce) {
  const Character bare = mesh_character(upright_tube(40, 24, 1, 0.1), 0.37);
  RigMeshOptions options;
  options.tetrahedra = 2000;
  RiggingBody body;
  const Vec3* filled = nullptr;
  for (const double elbow : {0.5, 0.313, 0.71}) {
    const std::vector<PlacedJoint> joints{{"root", "", {0.001 * elbow, 0.02, 0.003}},
                                          {"elbow", "root", {0.01, 0.37 * elbow, 0}},
                                          {"tip", "elbow", {0, 0.36, 0}}};
    Character kept = bare, anew = bare;
    rig_mesh(kept, joints, options, "joints", {}, &body);
    rig_mesh(anew, joints, options, "joints");
    EXPECT_EQ(kept.parts[0].influences, anew.parts[0].influences);
    if (filled) {
      EXPECT_EQ(body.volume.mesh.positions.data(), filled);
    }
    filled = body.volume.mesh.positions.data();
  }
}

TEST(RigMesh, TheRestPoseStaysWhereverTheNodeStands) {
  Character character = mesh_character(upright_tube(10, 12, 1, 0.1));
  character.skeleton.joints[0].rest.translation = {3, 1, 0};
  character.skeleton.joints[0].rest.rotation = axis_angle({0, 0, 1}, 0.7);
  character.skeleton.joints[0].rest.scale = {1, 2, 1};
  const std::vector<Vec3> before =
      posed_positions(character, character.parts[0], sample(character.skeleton, nullptr, 0));
  Character rigged = character;
  const RiggedMesh result = rig_mesh(
      rigged, {{"one", "", before[0]}, {"two", "one", before.back()}, {"far", "two", {9, 9, 9}}}, {}, "joints");
  const std::vector<Vec3> after = posed_positions(rigged, rigged.parts[0], sample(rigged.skeleton, nullptr, 0));
  for (std::size_t v = 0; v < before.size(); ++v) EXPECT_LT(distance(before[v], after[v]), 1e-12);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_TRUE(std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
    return note.find("Joint 'far' stands outside the mesh") != std::string::npos;
  }));
}

TEST(RigMesh, WhatIsRiggedOrTakenIsRefused) {
  Character character = mesh_character(upright_tube(10, 12, 1, 0.1));
  const auto refusal = [](Character& c, const std::vector<PlacedJoint>& joints) -> std::string {
    try {
      rig_mesh(c, joints, {}, "joints.json");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(character, {{"mesh", "", {0, 0.5, 0}}}).find("called as a node"), std::string::npos);
  EXPECT_EQ(refusal(character, bar_joints), "");
  EXPECT_NE(refusal(character, bar_joints).find("is rigged already"), std::string::npos);
  Character empty = mesh_character({});
  EXPECT_NE(refusal(empty, bar_joints).find("shows no triangles"), std::string::npos);
}

}  // namespace
}  // namespace sinew
