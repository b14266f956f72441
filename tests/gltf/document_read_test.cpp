// Containers, URIs, versions and extensions of glTF documents.
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/base/file.h"
#include "tests/base/scratch.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

using test::GltfBuilder;
using test::read_refusal;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

GltfDocument parse(const std::string& text) {
  return parse_gltf_document(bytes_of(text), "test.gltf", ExternalFiles::forbidden);
}

std::string with_buffer(const std::string& uri, int length) {
  return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":)" + std::to_string(length) + R"(,"uri":")" + uri +
         R"("}]})";
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(GltfDocument, DataUrisInAllTheirForms) {
  const std::string prefix = "data:application/octet-stream;base64,";
  EXPECT_EQ(text_of(parse(with_buffer(prefix + "c2luZXc=", 5)).buffers.at(0)), "sinew");
  EXPECT_EQ(text_of(parse(with_buffer(prefix + "c2luZXc", 5)).buffers.at(0)), "sinew");
  EXPECT_EQ(text_of(parse(with_buffer(prefix + "c2luZXcu", 5)).buffers.at(0)), "sinew");
  EXPECT_EQ(text_of(parse(with_buffer("data:,a%20b", 3)).buffers.at(0)), "a b");
  read_refusal([&] { parse(with_buffer(prefix + "c2luZXc=", 6)); });
  read_refusal([&] { parse(with_buffer(prefix + "c2l*ZXc=", 5)); });
  read_refusal([&] { parse(with_buffer(prefix + "c2luZ", 3)); });
  read_refusal([&] { parse(with_buffer("data:application/octet-stream;base64", 0)); });
}

TEST(GltfDocument, OnlyFilesBesideTheDocumentAreRead) {
  for (const char* uri : {"http://example.org/a.bin", "file:///etc/passwd", "/etc/passwd", ":", "C:/a.bin"})
    read_refusal(
        [&] { parse_gltf_document(bytes_of(with_buffer(uri, 1)), "test.gltf", ExternalFiles::beside_document); });
  EXPECT_NE(read_refusal([] { parse(with_buffer("a.bin", 1)); }).find("may not read other files"), std::string::npos);
}

// What would end up in the result: buffers are decoded, images embedded.
TEST(GltfDocument, BuffersAndImagesThatLeadAwayAreRefused) {
  const std::filesystem::path folder = test::scratch_path("files");
  std::filesystem::create_directories(folder / "character");
  write_text_file(folder / "secret.bin", "12345");
  const std::filesystem::path document = folder / "character" / "a.gltf";
  std::string encoded;
  for (const char c : (folder / "secret.bin").string()) encoded += c == '/' ? "%2F" : std::string(1, c);
  for (const std::string& uri : {std::string("../secret.bin"), std::string("..%2fsecret.bin"),
                                 std::string("..\\\\secret.bin"), (folder / "secret.bin").string(), encoded,
                                 std::string("file:secret.bin"), std::string("http://example.org/secret.bin")}) {
    SCOPED_TRACE(uri);
    write_text_file(document, with_buffer(uri, 5));
    const std::string buffer = read_refusal([&] { read_gltf_document(document); });
    EXPECT_TRUE(buffer.starts_with(document.string() + ": buffers[0].uri names ")) << buffer;
    write_text_file(document, R"({"asset":{"version":"2.0"},"images":[{},{"uri":")" + uri + R"("}]})");
    const std::string image = read_refusal([&] { read_gltf_document(document); });
    EXPECT_TRUE(image.starts_with(document.string() + ": images[1].uri names ")) << image;
  }
  // Motion needs no pictures: one that is missing, or no name at all, is no reason to refuse.
  write_text_file(document,
                  R"({"asset":{"version":"2.0"},"images":[{"uri":"gone.png"},{"uri":5},7,{"uri":"data:,x"}]})");
  EXPECT_EQ((*read_gltf_document(document).json)["images"].size(), 4u);
}

TEST(GltfDocument, ExternalNamesMayBePercentEncoded) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("sinew_read_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  write_text_file(folder / "my data.bin", "12345");
  write_text_file(folder / "100%.bin", "67890");
  write_text_file(folder / "encoded.gltf", with_buffer("my%20data.bin", 5));
  write_text_file(folder / "raw.gltf", with_buffer("100%.bin", 5));
  write_text_file(folder / "missing.gltf", with_buffer("gone.bin", 5));
  EXPECT_EQ(text_of(read_gltf_document(folder / "encoded.gltf").buffers.at(0)), "12345");
  EXPECT_EQ(text_of(read_gltf_document(folder / "raw.gltf").buffers.at(0)), "67890");
  EXPECT_NE(read_refusal([&] { read_gltf_document(folder / "missing.gltf"); }).find("gone.bin"), std::string::npos);
  read_refusal([&] { read_gltf_document(folder / "absent.gltf"); });
  read_refusal([&] { read_gltf_document(folder); });
  std::filesystem::remove_all(folder);
}

TEST(GltfDocument, TheJsonIsKeptAsItCame) {
  const std::string text =
      R"({"asset":{"version":"2.0","extras":{"a":[1,2.5,"x",null,true]}},"unknown":{"deep":[{}]}})";
  const GltfDocument document = parse(text);
  EXPECT_EQ(*document.json, nlohmann::json::parse(text));
  EXPECT_FALSE(document.binary);
}

TEST(GltfDocument, VersionsAndRequiredExtensions) {
  read_refusal([] { parse(R"({"asset":{"version":"1.0"}})"); });
  read_refusal([] { parse(R"({"asset":{"version":"2.0","minVersion":"2.1"}})"); });
  read_refusal([] { parse(R"({"asset":{}})"); });
  read_refusal([] { parse("{}"); });
  read_refusal([] { parse("[]"); });
  read_refusal([] { parse(""); });
  EXPECT_NE(read_refusal([] {
              parse(R"({"asset":{"version":"2.0"},"extensionsRequired":["ACME_everything"]})");
            }).find("ACME_everything"),
            std::string::npos);
  parse(R"({"asset":{"version":"2.0"},"extensionsRequired":["KHR_materials_unlit","KHR_texture_transform"]})");
  parse(R"({"asset":{"version":"2.0"},"extensionsUsed":["ACME_everything"]})");
}

TEST(GltfDocument, DeepNestingIsRefusedBeforeItIsParsed) {
  const auto nested = [](int levels) {
    return R"({"asset":{"version":"2.0"},"extras":)" + std::string(static_cast<std::size_t>(levels), '[') +
           std::string(static_cast<std::size_t>(levels), ']') + "}";
  };
  parse(nested(100));
  EXPECT_NE(read_refusal([&] { parse(nested(1'000'000)); }).find("nested"), std::string::npos);
}

TEST(GltfDocument, BrokenContainersAreRefused) {
  GltfBuilder builder;
  builder.accessor(std::vector<float>{1, 2, 3}, "VEC3");
  const std::vector<std::byte> good = builder.glb();
  EXPECT_TRUE(parse_gltf_document(good, "test.glb", ExternalFiles::forbidden).binary);
  // Cut anywhere, it is no longer a container.
  for (std::size_t length = 0; length < good.size(); ++length)
    read_refusal([&] { parse_gltf_document(std::span(good).first(length), "test.glb", ExternalFiles::forbidden); });
  // Bytes behind the container are not part of it.
  std::vector<std::byte> longer = good;
  longer.resize(good.size() + 5);
  parse_gltf_document(longer, "test.glb", ExternalFiles::forbidden);
  for (const std::size_t word : {0u, 4u, 8u, 12u, 16u}) {
    std::vector<std::byte> damaged = good;
    for (std::size_t b = 0; b < 4; ++b) damaged[word + b] = std::byte{0xff};
    read_refusal([&] { parse_gltf_document(damaged, "test.glb", ExternalFiles::forbidden); });
  }
}

}  // namespace
}  // namespace sinew
