// A mesh as a glTF document reads as that mesh.
#include "sinew/gltf/mesh_document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/file.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_edit.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

TEST(MeshDocument, ReadsAsTheMeshWithNormalsByArea) {
  // A corner of a box: three squares of 1 x 1, 1 x 2 and 1 x 2 that share the origin, and a vertex of no triangle.
  const TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 2}, {1, 0, 2}, {0, 1, 2}, {5, 5, 5}},
                          {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {0, 4, 6}, {0, 6, 3}}};
  const auto folder = test::scratch_files();
  for (const char* name : {"corner.glb", "corner.gltf"}) {
    const GltfDocument document = document_of_mesh(mesh, "corner");
    GltfEdit edit(document);
    write_gltf_files(edit, folder / name);
    const Character character = read_character(folder / name);
    ASSERT_EQ(character.parts.size(), 1u);
    const Part& part = character.parts[0];
    EXPECT_EQ(part.name, "corner");
    EXPECT_EQ(part.surface.positions, mesh.positions);
    EXPECT_EQ(part.surface.triangles, mesh.triangles);
    ASSERT_EQ(part.normals.size(), mesh.positions.size());
    // Outwards of the three sides, by their areas 1, 2 and 2.
    const Vec3 expected = normalized(Vec3{-2, -2, -1});
    EXPECT_LT(distance(part.normals[0], expected), 1e-6);
    for (const Vec3& normal : part.normals) EXPECT_NEAR(norm(normal), 1, 1e-6);
  }
}

}  // namespace
}  // namespace sinew
