#include "sinew/gltf/read/read_materials.h"

#include <filesystem>
#include <fstream>

#include "sinew/base/file.h"
#include "sinew/files/png.h"
#include "tests/base/scratch.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

using test::GltfBuilder;

// Four by two pixels, the left half red.
std::vector<std::byte> small_png() {
  Image image(4, 2);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x) image.pixel(x, y)[x < 2 ? 0 : 2] = 255;
  return encode_png(image);
}

// A triangle with texture coordinates and a material that shows the picture of a buffer view.
GltfBuilder textured_triangle() {
  GltfBuilder builder;
  const int positions = builder.accessor(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  const int first = builder.accessor(std::vector<float>{0, 0, 1, 0, 0, 1}, "VEC2");
  const int second = builder.accessor(std::vector<std::uint8_t>{0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0}, "VEC2", true);
  builder.json["accessors"][static_cast<std::size_t>(second)]["count"] = 3;
  builder.show(
      {{"attributes", {{"POSITION", positions}, {"TEXCOORD_0", first}, {"TEXCOORD_1", second}}}, {"material", 0}});
  const std::vector<std::byte> png = small_png();
  builder.json["images"] = {
      {{"name", "skin"}, {"mimeType", "image/png"}, {"bufferView", builder.view(png.data(), png.size())}}};
  builder.json["textures"] = {{{"source", 0}, {"sampler", 0}}};
  builder.json["samplers"] = {{{"wrapS", 33071}, {"wrapT", 33648}, {"magFilter", 9728}}};
  builder.json["materials"] = {
      {{"pbrMetallicRoughness", {{"baseColorFactor", {0.5, 1, 0.25, 0.75}}, {"baseColorTexture", {{"index", 0}}}}},
       {"alphaMode", "MASK"},
       {"alphaCutoff", 0.25},
       {"emissiveFactor", {0, 0.125, 0}}}};
  return builder;
}

std::vector<std::array<float, 2>> coordinates_of(const GltfBuilder& builder) {
  return builder.character().parts.at(0).texture_coordinates;
}

using Coordinates = std::vector<std::array<float, 2>>;

TEST(GltfMaterials, ColoursPictureAndCoordinates) {
  const GltfBuilder builder = textured_triangle();
  std::vector<std::string> notes;
  const std::vector<SurfaceMaterial> materials = read_materials(builder.document(), notes);
  EXPECT_TRUE(notes.empty());
  ASSERT_EQ(materials.size(), 1u);
  EXPECT_EQ(materials[0].base_color, (Vec3{0.5, 1, 0.25}));
  EXPECT_EQ(materials[0].opacity, 0.75);
  EXPECT_EQ(materials[0].alpha_mode, AlphaMode::mask);
  EXPECT_EQ(materials[0].alpha_cutoff, 0.25);
  EXPECT_EQ(materials[0].emission, (Vec3{0, 0.125, 0}));
  ASSERT_TRUE(materials[0].texture);
  EXPECT_EQ(materials[0].texture->wrap_u, TextureWrap::clamp);
  EXPECT_EQ(materials[0].texture->wrap_v, TextureWrap::mirror);
  EXPECT_TRUE(materials[0].texture->nearest);
  EXPECT_EQ(materials[0].texture->picture->width, 4);
  EXPECT_EQ(materials[0].texture->picture->rgba[0], 255);

  const Part part = builder.character().parts.at(0);
  EXPECT_EQ(part.material, 0);
  EXPECT_EQ(part.texture_coordinates, (Coordinates{{0, 0}, {1, 0}, {0, 1}}));
}

TEST(GltfMaterials, OtherCoordinatesAndTransforms) {
  GltfBuilder builder = textured_triangle();
  nlohmann::json& texture = builder.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
  texture["extensions"]["KHR_texture_transform"] = {{"offset", {0.5, 0}}, {"scale", {2, 1}}};
  EXPECT_EQ(coordinates_of(builder), (Coordinates{{0.5, 0}, {2.5, 0}, {0.5, 1}}));
  // Counter-clockwise, where v points down: as viewers take it.
  texture["extensions"]["KHR_texture_transform"] = {{"rotation", 1.5707963267948966}};
  const Coordinates turned = coordinates_of(builder);
  EXPECT_NEAR(turned.at(1)[0], 0, 1e-6);
  EXPECT_NEAR(turned.at(1)[1], -1, 1e-6);
  EXPECT_NEAR(turned.at(2)[0], 1, 1e-6);
}

// Coordinates that cannot be used, and pictures that cannot be had: plain colours, and a sentence.
TEST(GltfMaterials, WhatIsMissingLeavesPlainColours) {
  const auto noted = [](const GltfBuilder& builder, const std::string& word) {
    std::vector<std::string> notes;
    const std::vector<SurfaceMaterial> materials = read_materials(builder.document(), notes);
    EXPECT_FALSE(materials.at(0).texture);
    ASSERT_EQ(notes.size(), 1u) << word;
    EXPECT_NE(notes[0].find(word), std::string::npos) << notes[0];
    EXPECT_NE(notes[0].find("plain colour"), std::string::npos) << notes[0];
  };
  GltfBuilder builder = textured_triangle();
  builder.binary.resize(builder.binary.size() - 20);
  builder.json["bufferViews"].back()["byteLength"] = small_png().size() - 20;
  noted(builder, "image 'skin' is a damaged picture");
  builder = textured_triangle();
  builder.json["images"][0] = {{"uri", "elsewhere/nothing.png"}};
  noted(builder, "is not there");
  builder.json["images"][0] = {{"uri", "data:image/png;base64,AAAA"}};
  noted(builder, "no picture that Sinew reads");
  builder = textured_triangle();
  builder.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"] = 7;
  noted(builder, "texture");
  builder.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = 7;
  noted(builder, "materials[0]");

  for (const char* broken : {"TEXCOORD_7", "POSITION"}) {
    GltfBuilder other = textured_triangle();
    nlohmann::json& attributes = other.json["meshes"][0]["primitives"][0]["attributes"];
    if (std::string(broken) == "POSITION") attributes["TEXCOORD_0"] = attributes["POSITION"];
    if (std::string(broken) == "TEXCOORD_7")
      other.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["texCoord"] = 7;
    std::vector<Defect> repairs;
    EXPECT_TRUE(other.character(&repairs).parts.at(0).texture_coordinates.empty());
    ASSERT_EQ(repairs.size(), 1u);
    EXPECT_NE(repairs[0].name.find("texture coordinates"), std::string::npos);
  }
}

TEST(GltfMaterials, APictureBesideTheFile) {
  const std::filesystem::path folder = test::scratch_path("materials");
  std::filesystem::create_directories(folder);
  write_file(folder / "skin of mine.png", small_png());
  GltfBuilder builder = textured_triangle();
  builder.json["images"][0] = {{"uri", "skin%20of%20mine.png"}};
  write_file(folder / "one.glb", builder.glb());
  std::vector<std::string> notes;
  const auto materials = read_materials(read_gltf_document(folder / "one.glb"), notes);
  EXPECT_TRUE(notes.empty());
  ASSERT_TRUE(materials.at(0).texture);
  EXPECT_EQ(materials[0].texture->picture->height, 2);
  std::filesystem::remove_all(folder);
}

TEST(GltfMaterials, WhatOnlyShinesIsShownByThat) {
  GltfBuilder builder = textured_triangle();
  builder.json["materials"] = {{{"emissiveTexture", {{"index", 0}}}, {"emissiveFactor", {1, 0.5, 0.5}}}};
  std::vector<std::string> notes;
  const auto materials = read_materials(builder.document(), notes);
  ASSERT_TRUE(materials.at(0).texture);
  EXPECT_EQ(materials[0].base_color, (Vec3{1, 0.5, 0.5}));
  EXPECT_EQ(materials[0].emission, Vec3{});
}

}  // namespace
}  // namespace sinew
