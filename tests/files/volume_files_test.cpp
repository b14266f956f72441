#include "sinew/files/volume_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/mesh/quality.h"
#include "tests/base/refusal.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct Scratch {
  fs::path folder = fs::temp_directory_path() / ("sinew_volume_files_" + std::to_string(std::random_device{}()));
  Scratch() { fs::create_directories(folder); }
  ~Scratch() { fs::remove_all(folder); }
};

VolumeMesh body() {
  VolumeMeshingOptions options;
  options.target_tetrahedra = 500;
  return mesh_volume(test::sphere({0.1, 0.2, 0.3}, 1, 16), options);
}

TEST(VolumeFiles, GmshRoundTripKeepsEveryBit) {
  const Scratch scratch;
  const VolumeMesh mesh = body();
  const std::vector<ElementArray> arrays = element_arrays(mesh);
  write_volume_file(scratch.folder / "body.msh", mesh.mesh, arrays);
  const VolumeFile back = read_volume_file(scratch.folder / "body.msh");
  EXPECT_EQ(back.mesh.positions, mesh.mesh.positions);
  EXPECT_EQ(back.mesh.tetrahedra, mesh.mesh.tetrahedra);
  ASSERT_EQ(back.arrays.size(), arrays.size());
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    EXPECT_EQ(back.arrays[a].name, arrays[a].name);
    EXPECT_EQ(back.arrays[a].values, arrays[a].values);
  }
}

TEST(VolumeFiles, MeditRoundTripKeepsEveryBit) {
  const Scratch scratch;
  const VolumeMesh mesh = body();
  write_volume_file(scratch.folder / "body.mesh", mesh.mesh, element_arrays(mesh));
  const VolumeFile back = read_volume_file(scratch.folder / "body.mesh");
  EXPECT_EQ(back.mesh.positions, mesh.mesh.positions);
  EXPECT_EQ(back.mesh.tetrahedra, mesh.mesh.tetrahedra);
}

TEST(VolumeFiles, VtuIsWellFormed) {
  const Scratch scratch;
  const VolumeMesh mesh = body();
  const fs::path path = scratch.folder / "body.vtu";
  write_volume_file(path, mesh.mesh, element_arrays(mesh));
  const std::string text = read_text_file(path);
  const std::string size = "NumberOfPoints=\"" + std::to_string(mesh.mesh.positions.size()) + "\" NumberOfCells=\"" +
                           std::to_string(mesh.mesh.tetrahedra.size()) + "\"";
  EXPECT_NE(text.find(size), std::string::npos);
  // Every tag is closed in order.
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::string tag = text.substr(at + 1, text.find_first_of(" >", at) - at - 1);
    if (tag[0] == '?') continue;
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ("/" + open.back(), tag);
      open.pop_back();
    } else {
      open.push_back(tag);
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST(VolumeFiles, Gmsh41IsRead) {
  const std::string text =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
      "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n40\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
      "$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 3 2 40\n$EndElements\n"
      "$ElementData\n1\n\"my name\"\n1\n0\n3\n0\n1\n1\n2 7.5\n$EndElementData\n";
  const VolumeFile file = parse_volume_file(text, ".msh", "test");
  ASSERT_EQ(file.mesh.tetrahedra.size(), 1u);
  const auto p = corners_of(file.mesh, 0);
  EXPECT_NEAR(volume(p[0], p[1], p[2], p[3]), 1.0 / 6, 1e-15);  // turned to positive
  ASSERT_EQ(file.arrays.size(), 1u);
  EXPECT_EQ(file.arrays[0].name, "my name");
  EXPECT_EQ(file.arrays[0].values, std::vector<double>{7.5});
}

TEST(VolumeFiles, TetIsRead) {
  const VolumeFile file = parse_volume_file("4 1 2 3\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 1 2 3\n0\n1\n", ".tet", "test");
  EXPECT_EQ(file.core, (std::vector<int>{0, 1}));
  EXPECT_EQ(file.tip, 3);
}

TEST(VolumeFiles, ATetFileEndsWhereItsCountsSay) {
  const std::string good = "4 1 2 3\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 1 2 3\n0\n1\n";
  EXPECT_EQ(
      test::refusal(ErrorKind::input, [&] { parse_volume_file(good + "2\n", ".tet", "a.tet"); }),
      "a.tet, line 9: there is more in the file than its first line announces; write the file again from its source.");
}

// However long, a number is read to its end.
TEST(VolumeFiles, LongNumbersAreNotCut) {
  const std::string zeros(100, '0');
  const VolumeFile file =
      parse_volume_file("4 1 0 3\n0 0 0\n1" + zeros + "e-100 0 0\n0 1 0\n0 0 1\n0 1 2 3\n", ".tet", "test");
  EXPECT_EQ(file.mesh.positions[1], (Vec3{1, 0, 0}));
}

TEST(VolumeFiles, UnknownEndingIsRefused) {
  EXPECT_THROW(write_volume_file("body.stl", {}), Error);
  EXPECT_THROW(parse_volume_file("", ".obj", "test"), Error);
}

// Files with a piece changed or missing either read or give one sentence; nothing else.
TEST(VolumeFiles, BrokenFilesGiveASentence) {
  const std::vector<std::pair<std::string, std::string>> good{
      {".tet", "4 1 2 3\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 1 2 3\n0\n1\n"},
      {".mesh",
       "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra\n1\n1 2 3 4 "
       "0\nEnd\n"},
      {".msh",
       "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
       "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n"},
      {".msh",
       "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 "
       "1\n$EndNodes\n"
       "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n"}};
  std::mt19937 generator(7);
  int refused = 0;
  for (const auto& [format, text] : good) {
    EXPECT_EQ(parse_volume_file(text, format, "test").mesh.tetrahedra.size(), 1u);
    for (int i = 0; i < 3000; ++i) {
      std::string broken = text;
      const std::size_t at = generator() % broken.size();
      switch (generator() % 4) {
        case 0:
          broken.resize(at);
          break;
        case 1:
          broken[at] = static_cast<char>(generator() % 256);
          break;
        case 2:
          broken.insert(at, "99999999999999999999");
          break;
        default:
          broken.replace(at, 1, "-7");
          break;
      }
      try {
        parse_volume_file(broken, format, "test");
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_EQ(std::string(error.what()).rfind("test", 0), 0u);
      }
    }
  }
  EXPECT_GT(refused, 3000);
}

TEST(VolumeFiles, RealMeshes) {
  const fs::path folder = test::characters();
  if (folder.empty()) return;
  const VolumeFile fish = read_volume_file(folder / "research/cd_fish/fish.mesh");
  EXPECT_GT(fish.mesh.tetrahedra.size(), 1000u);
  EXPECT_GT(measure_quality(fish.mesh).smallest_volume, 0);
  const fs::path limbs = folder / "../bench/arm11k.tet";
  if (!fs::exists(limbs)) return;
  const VolumeFile arm = read_volume_file(limbs);
  EXPECT_EQ(arm.mesh.positions.size(), 2379u);
  EXPECT_EQ(arm.mesh.tetrahedra.size(), 10944u);
  EXPECT_EQ(arm.mesh.positions.size() - arm.core.size(), 6570u / 3);
}

}  // namespace
}  // namespace sinew
