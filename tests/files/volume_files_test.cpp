#include "sinew/files/volume_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
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

// The numbers that follow a line of the file.
class Numbers {
 public:
  Numbers(const fs::path& path, const std::string& line) : in_(path) {
    for (std::string found; std::getline(in_, found) && found != line;) {
    }
  }
  double next() {
    double value = 0;
    EXPECT_TRUE(in_ >> value);
    return value;
  }
  std::size_t count() { return static_cast<std::size_t>(next()); }
  Vec3 position() {
    const double x = next(), y = next();
    return {x, y, next()};
  }
  Tetrahedron corners() {
    Tetrahedron result;
    for (int& corner : result) corner = static_cast<int>(next()) - 1;
    return result;
  }

 private:
  std::ifstream in_;
};

TEST(VolumeFiles, GmshKeepsEveryBit) {
  const Scratch scratch;
  const fs::path path = scratch.folder / "body.msh";
  const VolumeMesh mesh = body();
  const std::vector<ElementArray> arrays = element_arrays(mesh);
  write_volume_file(path, mesh.mesh, arrays);
  Numbers nodes(path, "$Nodes"), elements(path, "$Elements");
  ASSERT_EQ(nodes.count(), mesh.mesh.positions.size());
  for (std::size_t i = 0; i < mesh.mesh.positions.size(); ++i) {
    EXPECT_EQ(nodes.count(), i + 1);
    EXPECT_EQ(nodes.position(), mesh.mesh.positions[i]);
  }
  ASSERT_EQ(elements.count(), mesh.mesh.tetrahedra.size());
  for (std::size_t e = 0; e < mesh.mesh.tetrahedra.size(); ++e) {
    for (const std::size_t expected : {e + 1, std::size_t{4}, std::size_t{2}, std::size_t{1}, std::size_t{1}})
      EXPECT_EQ(elements.count(), expected);
    EXPECT_EQ(elements.corners(), mesh.mesh.tetrahedra[e]);
  }
  for (const ElementArray& array : arrays) {
    Numbers data(path, "\"" + array.name + "\"");
    for (const double expected : {1.0, 0.0, 3.0, 0.0, 1.0, static_cast<double>(array.values.size())})
      EXPECT_EQ(data.next(), expected);
    for (std::size_t e = 0; e < array.values.size(); ++e) {
      EXPECT_EQ(data.count(), e + 1);
      EXPECT_EQ(data.next(), array.values[e]);
    }
  }
}

TEST(VolumeFiles, MeditKeepsEveryBit) {
  const Scratch scratch;
  const fs::path path = scratch.folder / "body.mesh";
  const VolumeMesh mesh = body();
  const std::vector<ElementArray> arrays = element_arrays(mesh);
  write_volume_file(path, mesh.mesh, arrays);
  Numbers vertices(path, "Vertices"), tetrahedra(path, "Tetrahedra");
  ASSERT_EQ(vertices.count(), mesh.mesh.positions.size());
  for (const Vec3& position : mesh.mesh.positions) {
    EXPECT_EQ(vertices.position(), position);
    EXPECT_EQ(vertices.next(), 0);
  }
  ASSERT_EQ(arrays[0].name, "component");
  ASSERT_EQ(tetrahedra.count(), mesh.mesh.tetrahedra.size());
  for (std::size_t e = 0; e < mesh.mesh.tetrahedra.size(); ++e) {
    EXPECT_EQ(tetrahedra.corners(), mesh.mesh.tetrahedra[e]);
    EXPECT_EQ(tetrahedra.next(), arrays[0].values[e]);
  }
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

TEST(VolumeFiles, UnknownEndingIsRefused) { EXPECT_THROW(write_volume_file("body.stl", {}), Error); }

}  // namespace
}  // namespace sinew
