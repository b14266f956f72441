// Surface defects carry the numbers of the parts that the file has, though seams are welded.
#include <gtest/gtest.h>

#include "sinew/character/defects.h"

namespace sinew {
namespace {

// A closed tetrahedron as two parts of one skin, two triangles each, that share an edge by position only.
Character tetrahedron() {
  Character character;
  character.skeleton.joints.resize(1);
  character.skeleton.parents_first = {0};
  character.skins.push_back({"skin", {0}, {Affine{}}});
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0}, d{0, 0, 1};
  for (const auto& [name, positions] :
       {std::pair{"front", std::vector<Vec3>{a, c, b, d}}, std::pair{"back", std::vector<Vec3>{a, b, d, c}}}) {
    Part part;
    part.name = name;
    part.joint = part.skin = 0;
    part.surface.positions = positions;
    part.influences.assign(4, Influences{1, {0}, {1.0}});
    character.parts.push_back(part);
  }
  character.parts[0].surface.triangles = {{0, 1, 2}, {2, 1, 3}};  // a c b, b c d
  character.parts[1].surface.triangles = {{0, 1, 2}, {0, 2, 3}};  // a b d, a d c
  return character;
}

const Defect* find(const std::vector<Defect>& defects, const std::string& name, const std::string& where) {
  for (const Defect& defect : defects)
    if (defect.name == name && defect.where == where) return &defect;
  return nullptr;
}

TEST(SurfaceDefects, SeamsBetweenPartsAreNoDefects) { EXPECT_TRUE(find_surface_defects(tetrahedron()).empty()); }

TEST(SurfaceDefects, AHoleIsABoundaryWithTheNumbersOfItsParts) {
  Character character = tetrahedron();
  character.parts[0].surface.triangles.pop_back();
  const std::vector<Defect> defects = find_surface_defects(character);
  // The rim is b, c, d. The first part still has b and c; d is its vertex 3, which no triangle of it uses now.
  const Defect* rim = find(defects, "open boundary", "front");
  ASSERT_NE(rim, nullptr);
  EXPECT_EQ(rim->kind, "vertex");
  EXPECT_EQ(rim->elements, (std::vector<int>{1, 2, 3}));
  EXPECT_FALSE(rim->fatal);
}

TEST(SurfaceDefects, TrianglesAreNumberedWithinTheirPart) {
  Character character = tetrahedron();
  character.parts[1].surface.triangles.push_back({0, 1, 1});
  const std::vector<Defect> defects = find_surface_defects(character);
  const Defect* degenerate = find(defects, "degenerate triangle", "back");
  ASSERT_NE(degenerate, nullptr);
  EXPECT_EQ(degenerate->elements, (std::vector<int>{2}));
}

TEST(SurfaceDefects, PropsAreLeftAside) {
  Character character = tetrahedron();
  Part prop = character.parts[0];
  prop.skin = -1;
  prop.influences.clear();
  character.parts.push_back(prop);
  EXPECT_TRUE(find_surface_defects(character).empty());
}

}  // namespace
}  // namespace sinew
