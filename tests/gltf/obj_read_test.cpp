// Plain meshes from Wavefront OBJ text.
#include <gtest/gtest.h>

#include "sinew/files/obj.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

std::vector<Triangle> triangles(const std::string& faces) {
  return parse_obj(square + faces, "test.obj").parts.at(0).surface.triangles;
}

TEST(Obj, CornersInAllSpellings) {
  using List = std::vector<Triangle>;
  EXPECT_EQ(triangles("f 1 2 3\n"), (List{{0, 1, 2}}));
  EXPECT_EQ(triangles("f 1/1 2/2 3/3"), (List{{0, 1, 2}}));
  EXPECT_EQ(triangles("f 1//9 2//9 3//9\r\n"), (List{{0, 1, 2}}));
  EXPECT_EQ(triangles("f 1/5/9 2/5/9 3/5/9\n"), (List{{0, 1, 2}}));
  EXPECT_EQ(triangles("f -4 -3 -1\n"), (List{{0, 1, 3}}));
  EXPECT_EQ(triangles("f 1 2 3 4\n"), (List{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(triangles("f 1 2 \\\n 3\n"), (List{{0, 1, 2}}));
  EXPECT_EQ(triangles("g arm\nusemtl skin\ns 1\nf 1 2 3 # a comment\no leg\nl 1 2\np 1\nf 2 3 4\n"),
            (List{{0, 1, 2}, {1, 2, 3}}));
  EXPECT_EQ(triangles("f 1 2 5\nv 9 9 9\n"), (List{{0, 1, 4}}));
}

TEST(Obj, TooSmallForADoubleIsZero) {
  EXPECT_EQ(parse_obj("v 1e-999 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "test.obj").parts.at(0).surface.positions[0], Vec3{});
}

TEST(Obj, PositionsAndTheOneNode) {
  const Character character = parse_obj("v 1e1 -.5 +2 1 0.2 0.3\nv 1 0 0\nv 0 1 0\nf 1 2 3", "folder/thing.obj");
  ASSERT_EQ(character.parts.size(), 1u);
  EXPECT_EQ(character.parts[0].surface.positions[0], (Vec3{10, -0.5, 2}));
  EXPECT_EQ(character.parts[0].name, "thing");
  EXPECT_EQ(posed_positions(character, character.parts[0], sample(character.skeleton, nullptr, 0)),
            character.parts[0].surface.positions);
}

TEST(Obj, LineEndsOfAllSystems) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text;
    for (const char* line : {"v 0 0 0", "v 1 0 0", "v 1 1 0", "", "f 1 2 \\", "3"}) text += std::string(line) + end;
    EXPECT_EQ(parse_obj(text, "test.obj").parts.at(0).surface.triangles, (std::vector<Triangle>{{0, 1, 2}}));
    EXPECT_NE(test::read_refusal([&] { parse_obj(text + "f 1 2 9", "test.obj"); }).find("line 7"), std::string::npos);
  }
}

// A polygon that is not convex, whose last corner comes later in the file, between two triangles.
TEST(Obj, PolygonsAreCutInside) {
  const Character character =
      parse_obj("v 0 0 0\nv 4 0 0\nv 4 4 0\nf 1 2 3\nf 1 2 3 4 5\nf 3 2 1\nv 2 1 0\nv 0 4 0\n", "test.obj");
  const TriangleMesh& mesh = character.parts.at(0).surface;
  ASSERT_EQ(mesh.triangles.size(), 5u);
  EXPECT_EQ(mesh.triangles.front(), (Triangle{0, 1, 2}));
  EXPECT_EQ(mesh.triangles.back(), (Triangle{2, 1, 0}));
  for (std::size_t t = 1; t < 4; ++t) {
    const auto at = [&](std::size_t k) { return mesh.positions[static_cast<std::size_t>(mesh.triangles[t][k])]; };
    EXPECT_GT(cross(at(1) - at(0), at(2) - at(0)).z, 0);
  }
}

TEST(Obj, EverythingElseIsRefusedWithItsLine) {
  const auto refused = [](const std::string& text, const std::string& part) {
    const std::string sentence = test::read_refusal([&] { parse_obj(text, "test.obj"); });
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  };
  refused("", "no vertices");
  refused(square, "no faces");
  refused(square + "f 1 2 5\n", "line 5");
  refused(square + "\n\nf 1 2 0\n", "line 7");
  refused(square + "f -5 1 2\n", "line 5");
  refused(square + "f 1 2\n", "line 5");
  refused(square + "f 1 2 x\n", "line 5");
  refused(square + "f 1 2 99999999999999999999\n", "line 5");
  refused("v 1 2\n", "line 1");
  refused("v 1 2 nan\n", "line 1");
  refused("v 1 2 1e999\n", "line 1");
  refused("v 1 2 3x\n", "line 1");
  refused("v 0x10 2 3\n", "line 1");
  refused("v 1 2 0x1p3\n", "line 1");
  refused("v 1 2 ++3\n", "line 1");
  refused("v 1 2 infinity\n", "line 1");
  using namespace std::string_literals;
  refused("v 1 2 3\0 4\n"s, "NUL");
  refused(square + "f 1 2 3\0\n"s, "NUL");
  refused(square + "f 1 2 3\n# \0\n"s, "NUL");
  refused(square + "f 1 2 3,\n", "line 5");
  refused(square + "f 1 2 3 4 5\n", "line 5");
}

}  // namespace
}  // namespace sinew
