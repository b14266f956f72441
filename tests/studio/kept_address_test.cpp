#include "studio/server/web/kept_address.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>

#include "sinew/base/file.h"
#include "studio/server/web/access.h"
#include "tests/jobs/files.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
  struct stat about {};
  EXPECT_EQ(::stat(path.c_str(), &about), 0);
  return about.st_mode & 0777;
}

TEST(KeptAddress, ComesBackAndIsForItsUserAlone) {
  const fs::path file = scratch_path("address") / "sinew" / "studio" / "a.json";
  EXPECT_FALSE(read_address(file));
  const Address address{8123, random_token()};
  keep_address(file, address);
  EXPECT_EQ(read_address(file), address);
  EXPECT_EQ(mode_of(file), 0600u);
  EXPECT_EQ(mode_of(file.parent_path()), 0700u);
  const Address next{8124, random_token()};
  keep_address(file, next);
  EXPECT_EQ(read_address(file), next);
}

TEST(KeptAddress, WhatOthersMayHaveWrittenOrReadIsNotTaken) {
  const fs::path folder = scratch_path("address"), file = folder / "a.json";
  const Address address{8123, random_token()};
  keep_address(file, address);
  fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
  EXPECT_FALSE(read_address(file));
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(read_address(file));
  fs::create_symlink(file, folder / "link.json");
  EXPECT_FALSE(read_address(folder / "link.json"));
  EXPECT_FALSE(read_address(folder));
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24 * 8));
  EXPECT_FALSE(read_address(file));
}

TEST(KeptAddress, WhatIsNoAddressIsNotTaken) {
  const fs::path file = scratch_path("address") / "a.json";
  keep_address(file, {8123, random_token()});
  for (const char* text :
       {"", "{}", "[]", "{\"port\": 80}", "{\"port\": 0, \"token\": \"0123456789abcdef0123456789abcdef\"}",
        "{\"port\": 8123, \"token\": \"\"}", "{\"port\": 8123, \"token\": \"x\"}"}) {
    write_text_file(file, text);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_FALSE(read_address(file)) << text;
  }
}

TEST(KeptAddress, IsAnotherOneForAnotherCharacter) {
  const fs::path folder = scratch_path("address");
  EXPECT_EQ(address_file(folder, folder / "a.glb"), address_file(folder / ".", folder / "a.glb"));
  EXPECT_NE(address_file(folder, folder / "a.glb"), address_file(folder, folder / "b.glb"));
  EXPECT_NE(address_file(folder, ""), address_file(folder / "other", ""));
}

}  // namespace
