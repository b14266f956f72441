// Characters that a host holds in memory.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/file.h"
#include "tests/base/scratch.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

using test::GltfBuilder;
using test::read_refusal;

std::vector<Vec3> positions(const Character& character) { return character.parts.at(0).surface.positions; }

TEST(CharactersInMemory, AreThoseOfTheFile) {
  const std::filesystem::path file = std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / "tube.glb";
  const Character of_file = read_character(file), of_memory = read_character(read_file(file), "packed tube");
  EXPECT_EQ(of_memory.file, "packed tube");
  EXPECT_EQ(positions(of_memory), positions(of_file));
  EXPECT_EQ(of_memory.skeleton.joints.size(), of_file.skeleton.joints.size());
  EXPECT_EQ(of_memory.clips.size(), of_file.clips.size());
  ASSERT_FALSE(of_memory.clips.empty());
  EXPECT_EQ(of_memory.clips[0].name, of_file.clips[0].name);
}

// A document whose buffer is a file named points.bin, and what that has to hold.
struct Outside {
  std::vector<std::byte> json, points;
};

Outside with_a_buffer_outside() {
  GltfBuilder builder;
  builder.show(
      {{"attributes", {{"POSITION", builder.accessor(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 2, 0}, "VEC3")}}}});
  const GltfDocument document = builder.document();
  nlohmann::json json = *document.json;
  json["buffers"][0]["uri"] = "points.bin";
  const std::string text = json.dump();
  const auto bytes = std::as_bytes(std::span(text));
  return {{bytes.begin(), bytes.end()}, document.buffers.at(0)};
}

TEST(CharactersInMemory, BringOtherFilesFromAFolderThatIsGiven) {
  const Outside outside = with_a_buffer_outside();
  const std::filesystem::path folder = test::scratch_path("folder");
  std::filesystem::create_directories(folder);
  write_file(folder / "points.bin", outside.points);
  EXPECT_EQ(positions(read_character(outside.json, "in/a/pack.gltf", folder)),
            (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}));
}

TEST(CharactersInMemory, BringNoOtherFilesWithoutOne) {
  const Outside outside = with_a_buffer_outside();
  EXPECT_EQ(
      read_refusal([&] { read_character(outside.json, "pack.gltf"); }),
      "pack.gltf: buffers[0].uri names a file, but this document may not read other files; pack it as GLB, or give the "
      "folder of its files.");
}

TEST(CharactersInMemory, AreRefusedByTheirNameWhereTheyAreNoGltf) {
  const std::vector<std::byte> nonsense(100, std::byte{7});
  EXPECT_TRUE(
      read_refusal([&] { read_character(nonsense, "download"); }).starts_with("download: is neither a GLB container"));
}

}  // namespace
}  // namespace sinew
