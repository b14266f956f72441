#include "studio/server/web/page_glb.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/write/write_paint.h"
#include "tests/jobs/files.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
namespace fs = std::filesystem;

struct Read {
  std::optional<GltfDocument> document;
  Character character;
};

Read read(const fs::path& file) {
  Read result;
  result.character = read_character(file, nullptr, &result.document);
  return result;
}

Read read_bytes(const std::vector<std::byte>& bytes) {
  Read result;
  result.character = read_character(bytes, "page.glb", {}, nullptr, &result.document);
  return result;
}

void expect_same(const Character& a, const Character& b) {
  ASSERT_EQ(a.parts.size(), b.parts.size());
  ASSERT_EQ(a.skeleton.joints.size(), b.skeleton.joints.size());
  for (std::size_t p = 0; p < a.parts.size(); ++p) {
    EXPECT_EQ(a.parts[p].surface.positions, b.parts[p].surface.positions);
    EXPECT_EQ(a.parts[p].surface.triangles, b.parts[p].surface.triangles);
    EXPECT_EQ(a.parts[p].texture_coordinates, b.parts[p].texture_coordinates);
    EXPECT_EQ(a.parts[p].joint, b.parts[p].joint);
    EXPECT_EQ(a.parts[p].mesh, b.parts[p].mesh);
  }
}

TEST(StudioPageGlb, SamplesComeAsTheyAre) {
  for (const char* sample : {"tube.glb", "sumo.glb", "elephant.glb"}) {
    const Read file = read(sample_file(sample));
    expect_same(read_bytes(page_glb(*file.document)).character, file.character);
  }
}

// Where the characters that people made are there: compressed, quantised, in several files.
TEST(StudioPageGlb, NothingIsCompressedNorOutside) {
  const fs::path characters = fs::path(SINEW_SOURCE_DIR).parent_path() / "shared" / "characters";
  if (!fs::is_directory(characters)) GTEST_SKIP() << "the characters are not there";
  int compressed = 0, looked_at = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(characters)) {
    if (!names_gltf(entry.path()) || entry.file_size() > 4'000'000) continue;
    Read file;
    try {
      file = read(entry.path());
    } catch (const Error&) {
      continue;  // broken on purpose
    }
    if (file.character.skins.empty()) continue;
    const std::string json = file.document->json->dump();
    const bool packed =
        json.find("EXT_meshopt_compression") != std::string::npos || json.find("KHR_draco") != std::string::npos;
    if (!packed && looked_at > 30) continue;
    ++looked_at;
    compressed += packed ? 1 : 0;
    const Read page = read_bytes(page_glb(*file.document));
    expect_same(page.character, file.character);
    const std::string after = page.document->json->dump();
    EXPECT_EQ(after.find("EXT_meshopt_compression"), std::string::npos) << entry.path();
    EXPECT_EQ(after.find("KHR_draco_mesh_compression"), std::string::npos) << entry.path();
    for (const auto& buffer : (*page.document->json)["buffers"]) EXPECT_FALSE(buffer.contains("uri")) << entry.path();
  }
  EXPECT_GT(compressed, 1);
}

TEST(StudioPaint, WhatIsWrittenIsWhatIsRead) {
  for (const char* sample : {"tube.glb", "sumo.glb"}) {
    const Read file = read(sample_file(sample));
    Character painted = file.character;
    Part& part = painted.parts[0];
    const std::size_t vertices = part.surface.positions.size();
    for (std::size_t f = 0; f < part.fields.size(); ++f) {
      if (f == field("damping")) continue;
      part.fields[f].assign(vertices, painted_fields[f].neutral);
      for (std::size_t v = 0; v < vertices; v += 3)
        part.fields[f][v] = static_cast<float>(painted_fields[f].most / static_cast<double>(1 + v % 7));
    }
    const fs::path out = scratch_files() / "painted.glb";
    write_painted(*file.document, painted, out);
    const Read back = read(out);
    expect_same(back.character, file.character);
    EXPECT_EQ(back.character.parts[0].fields, part.fields);
    EXPECT_TRUE(back.character.parts[0].fields[field("damping")].empty());
    EXPECT_EQ(back.character.clips.size(), file.character.clips.size());
  }
}

}  // namespace
