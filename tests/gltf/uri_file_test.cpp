// A character leads to its own files and to no others.
#include "sinew/gltf/uri_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/jobs/files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class GltfUriFile : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::canonical(test::scratch_files());
    fs::create_directories(root_ / "character" / "textures" / "skin");
    for (const char* name :
         {"secret.bin", "character/a.bin", "character/my data.bin", "character/100%.bin", "character/ab:c.bin",
          "character/textures/b.png", "character/textures/skin/c.png", "character/%2e%2e"})
      std::ofstream(root_ / name) << name;
    std::ofstream(root_ / "character" / "bear.gltf") << "{}";
  }

  // Of root_, what the URI leads to; empty where to nothing.
  std::string leads_to(const std::string& uri) const {
    const UriFile file = file_of_uri(uri, root_ / "character" / "bear.gltf");
    EXPECT_EQ(file.refusal, "") << uri;
    return file.path.empty() ? "" : file.path.lexically_relative(root_).generic_string();
  }
  void expect_refused(const std::string& uri, const std::string& why) const {
    const UriFile file = file_of_uri(uri, root_ / "character" / "bear.gltf");
    EXPECT_NE(file.refusal.find(why), std::string::npos) << uri << ": " << file.refusal;
    EXPECT_TRUE(file.path.empty()) << uri << " leads to " << file.path;
  }

  fs::path root_;
};

TEST_F(GltfUriFile, FilesBesideAndBelowTheDocument) {
  EXPECT_EQ(leads_to("a.bin"), "character/a.bin");
  EXPECT_EQ(leads_to("./a.bin"), "character/a.bin");
  EXPECT_EQ(leads_to("textures/b.png"), "character/textures/b.png");
  EXPECT_EQ(leads_to("textures/../a.bin"), "character/a.bin");
  EXPECT_EQ(leads_to("textures\\skin\\c.png"), "character/textures/skin/c.png");
  EXPECT_EQ(leads_to("textures%5Cskin%2fc.png"), "character/textures/skin/c.png");
  EXPECT_EQ(leads_to("my%20data.bin"), "character/my data.bin");
  EXPECT_EQ(leads_to("my data.bin"), "character/my data.bin");
  EXPECT_EQ(leads_to("100%.bin"), "character/100%.bin");
  EXPECT_EQ(leads_to("ab%3Ac.bin"), "character/ab:c.bin");
  EXPECT_EQ(leads_to("missing.bin"), "");
  EXPECT_EQ(leads_to("textures"), "");  // no file
}

TEST_F(GltfUriFile, NothingElse) {
  for (const char* uri :
       {"../secret.bin", "..\\secret.bin", "%2e%2e/secret.bin", "..%2fsecret.bin", "%2E%2E%5Csecret.bin",
        "textures/../../secret.bin", "./../secret.bin", "a.bin/../../secret.bin", ".."})
    expect_refused(uri, "climbs");
  const std::string absolute = (root_ / "secret.bin").string();
  std::string encoded;
  for (const char c : absolute) encoded += c == '/' ? "%2f" : std::string(1, c);
  for (const std::string& uri : {absolute, encoded, std::string("\\secret.bin"), std::string("//server/share/a.bin"),
                                 std::string("\\\\server\\share\\a.bin"), std::string("%5C%5Cserver%5Cshare%5Ca.bin")})
    expect_refused(uri, "absolute");
  for (const char* uri : {"C%3A/a.bin", "c%3aa.bin", "C%3A%5Ca.bin"}) expect_refused(uri, "drive");
  for (const char* uri :
       {"C:/a.bin", "C:\\a.bin", "http://example.org/a.bin", "https:a.bin", "FILE:///a.bin", ":a.bin"})
    expect_refused(uri, "not the name of a file");
  expect_refused("file://" + absolute, "not the name of a file");
  expect_refused("", "empty");
  expect_refused("a.bin%00.png", "zero");
  expect_refused(std::string("a.bin\0.png", 10), "zero");
}

TEST_F(GltfUriFile, LinksAreResolvedFirst) {
  const fs::path character = root_ / "character";
  fs::create_symlink(root_ / "secret.bin", character / "link.bin");
  fs::create_directory_symlink(root_, character / "up");
  fs::create_symlink("textures/b.png", character / "inner.png");
  expect_refused("link.bin", "link that leads out");
  expect_refused("up/secret.bin", "link that leads out");
  EXPECT_EQ(leads_to("inner.png"), "character/textures/b.png");

  // A document may be a link itself: its files are beside the link, or beside what it names.
  fs::create_directory(root_ / "links");
  fs::create_symlink(character / "bear.gltf", root_ / "links" / "bear.gltf");
  std::ofstream(root_ / "links" / "near.bin") << "near";
  EXPECT_EQ(file_of_uri("near.bin", root_ / "links" / "bear.gltf").path, root_ / "links" / "near.bin");
  EXPECT_EQ(file_of_uri("a.bin", root_ / "links" / "bear.gltf").path, character / "a.bin");
  EXPECT_NE(file_of_uri("../secret.bin", root_ / "links" / "bear.gltf").refusal, "");
}

// Devices and FIFOs would be read for ever, or not at all.
TEST_F(GltfUriFile, OnlyPlainFiles) {
  fs::create_symlink("/dev/zero", root_ / "character" / "zero.bin");
  EXPECT_EQ(leads_to("zero.bin"), "");
}

}  // namespace
}  // namespace sinew
