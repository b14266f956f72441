// Which names are one file.
#include "sinew/base/output_place.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "sinew/base/error.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class OutputPlaces : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "in");
    fs::create_directory_symlink("in", folder_ / "link");
    fs::create_symlink("in/new.glb", folder_ / "leads");
    fs::create_symlink("leads", folder_ / "leads_on");
    fs::create_symlink("round", folder_ / "round");
    std::ofstream(folder_ / "there") << "text";
    fs::create_hard_link(folder_ / "there", folder_ / "as well");
  }
  bool same(const std::string& a, const std::string& b) const { return same_place(folder_ / a, folder_ / b); }

  fs::path folder_ = test::scratch_path("places");
};

TEST_F(OutputPlaces, AreTheSameThroughLinksWhetherTheyExistOrNot) {
  EXPECT_TRUE(same("a", "a"));
  EXPECT_TRUE(same("in/a", "in/../link/a"));
  EXPECT_TRUE(same("in/new.glb", "leads"));
  EXPECT_TRUE(same("link/new.glb", "leads_on"));
  EXPECT_TRUE(same("there", "as well"));
  EXPECT_TRUE(same("round", "round"));
  EXPECT_TRUE(same_place("-", "/dev/stdout"));
  EXPECT_TRUE(same_place("a", fs::current_path() / "a"));
  EXPECT_FALSE(same("a", "b"));
  EXPECT_FALSE(same("a", "in/a"));
  EXPECT_FALSE(same("leads", "in/a"));
  EXPECT_FALSE(same("there", "round"));
  EXPECT_FALSE(same("missing/a", "in/a"));
  EXPECT_FALSE(same_place("-", "a"));
  EXPECT_FALSE(same_place("/dev/stdout", "/dev/stderr"));
}

TEST_F(OutputPlaces, TwoOutputsOfOneFileAreASentence) {
  const auto refused = [](std::initializer_list<fs::path> outputs, const fs::path& input) {
    try {
      check_outputs_apart(std::vector<fs::path>(outputs), std::array{input});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused({"a", "", "b", ""}, "c"), "");
  EXPECT_EQ(refused({"a", "", "a"}, ""), "a: is named for two outputs; give each its own name.");
  EXPECT_EQ(refused({"a", "b"}, "b"), "b: is the input itself, which Sinew never overwrites; choose another name.");
  EXPECT_NE(refused({folder_ / "in/new.glb", folder_ / "leads"}, "").find("leads: leads to the same file as"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
