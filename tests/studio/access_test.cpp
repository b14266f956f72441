#include "studio/server/web/access.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "sinew/base/error.h"
#include "tests/base/scratch.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
namespace fs = std::filesystem;

constexpr const char* token = "0123456789abcdef0123456789abcdef";

TEST(StudioAccess, TokensAreLongAndNeverTheSame) {
  std::set<std::string> tokens;
  for (int k = 0; k < 100; ++k) {
    const std::string one = random_token();
    EXPECT_EQ(one.size(), 32u);
    EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), std::string::npos);
    tokens.insert(one);
  }
  EXPECT_EQ(tokens.size(), 100u);
}

TEST(StudioAccess, LetsItsOwnPageIn) {
  EXPECT_EQ(refusal({"127.0.0.1:8000", "", token}, token, 8000), "");
  EXPECT_EQ(refusal({"localhost:8000", "http://localhost:8000", token}, token, 8000), "");
  EXPECT_EQ(refusal({"localhost:8000", "http://127.0.0.1:8000", token}, token, 8000), "");
}

TEST(StudioAccess, RefusesEverybodyElse) {
  const std::string almost = std::string(token).substr(0, 31) + "e";
  const Caller strangers[] = {{"127.0.0.1:8000", "", ""},
                              {"127.0.0.1:8000", "", almost},
                              {"127.0.0.1:8000", "", std::string_view(token).substr(0, 31)},
                              {"evil.example:8000", "", token},  // a name that was bent to the loopback
                              {"127.0.0.1", "", token},          // another server's page
                              {"127.0.0.1:8001", "", token},
                              {"", "", token},
                              {"127.0.0.1:8000", "http://evil.example", token},
                              {"127.0.0.1:8000", "null", token},  // a file, or a frame in a sandbox
                              {"127.0.0.1:8000", "https://127.0.0.1:8000", token},
                              {"127.0.0.1:8000", "http://127.0.0.1:8000.evil.example", token},
                              {"127.0.0.1:8000", "http://127.0.0.1:9000", token}};
  for (const Caller& caller : strangers)
    EXPECT_NE(refusal(caller, token, 8000), "") << caller.host << " " << caller.origin << " " << caller.token;
}

TEST(StudioAccess, ReadsQueries) {
  EXPECT_EQ(query_value("token=ab&name=a%20b.glb", "name"), "a b.glb");
  EXPECT_EQ(query_value("xtoken=ab", "token"), std::nullopt);
  EXPECT_EQ(query_value("token", "token"), std::nullopt);
  EXPECT_EQ(query_value("token=%zz", "token"), std::nullopt);
  EXPECT_EQ(query_value("", "token"), std::nullopt);
}

TEST(StudioAccess, NamesStayInTheirFolders) {
  const fs::path scratch = test::scratch_path("files");
  const fs::path inside = scratch / "inside", outside = scratch / "outside";
  fs::create_directories(inside / "below");
  fs::create_directories(scratch / "inside-not");
  fs::create_directories(outside);
  std::ofstream(inside / "below" / "a.glb") << "a";
  std::ofstream(outside / "b.glb") << "b";
  std::ofstream(scratch / "inside-not" / "c.glb") << "c";
  fs::create_symlink(outside / "b.glb", inside / "link.glb");
  const Folders folders({inside});
  EXPECT_EQ(folders.inside("below/a.glb"), fs::canonical(inside / "below" / "a.glb"));
  EXPECT_EQ(folders.inside((inside / "below" / ".." / "below" / "a.glb").string()),
            fs::canonical(inside / "below" / "a.glb"));
  for (const std::string& name :
       {std::string("../outside/b.glb"), (outside / "b.glb").string(), std::string("link.glb"),
        (scratch / "inside-not" / "c.glb").string(), std::string("nothing.glb"), std::string(),
        std::string("/etc/passwd"), std::string("below/a.glb\0.png", 16)})
    EXPECT_THROW(folders.inside(name), Error) << name;
}

TEST(StudioAccess, PlainNamesHaveNoFolders) {
  EXPECT_TRUE(is_plain_name("hero 2.glb"));
  for (const char* name : {"", ".hidden.glb", "../a.glb", "a/b.glb", "a\\b.glb", "a\nb.glb", "/a.glb"})
    EXPECT_FALSE(is_plain_name(name)) << name;
}

}  // namespace
