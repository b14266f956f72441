// Two bytes of a file may stand for a kilobyte of memory: what a document asks for is held to what a character needs
// and to what the machine has.
#include "read_builder.h"

#include <sys/resource.h>

#include "sinew/base/machine_memory.h"

namespace sinew {
namespace {

using test::GltfBuilder;
using test::read_refusal;

GltfBuilder with_skins(std::size_t skins, std::size_t entries) {
  GltfBuilder builder;
  builder.json["nodes"] = nlohmann::json::array({nlohmann::json::object()});
  for (std::size_t s = 0; s < skins; ++s) builder.json["skins"].push_back({{"joints", std::vector<int>(entries, 0)}});
  return builder;
}

TEST(GltfMemory, ASkinListsNoMoreJointsThanVerticesCanName) {
  const std::string sentence = read_refusal(with_skins(1, 1'000'000));
  EXPECT_NE(sentence.find("test.glb: skins[0] lists 1000000 joints"), std::string::npos) << sentence;
  EXPECT_NE(read_refusal(with_skins(1, 65'537)).find("65536"), std::string::npos);
  EXPECT_EQ(with_skins(1, 60'000).character().skins[0].joints.size(), 60'000u);
}

TEST(GltfMemory, ManySkinsAreHeldToTheFilesSize) {
  EXPECT_NE(read_refusal(with_skins(20, 60'000)).find("more numbers than a file of its size"), std::string::npos);
  EXPECT_EQ(with_skins(500, 100).character().skins.size(), 500u);  // a crowd
}

TEST(GltfMemory, SoAreNodes) {
  GltfBuilder builder;
  builder.json["nodes"] = std::vector<nlohmann::json>(300'000, nlohmann::json::object());
  EXPECT_NE(read_refusal(builder).find("more numbers than a file of its size"), std::string::npos);
  builder.json["nodes"] = std::vector<nlohmann::json>(30'000, nlohmann::json::object());
  EXPECT_EQ(builder.character().skeleton.joints.size(), 30'000u);
}

TEST(GltfMemory, ListsHaveAnEnd) {
  GltfBuilder builder;
  builder.json["nodes"] = nlohmann::json::array({{{"children", std::vector<int>(1'000'001, 0)}}});
  const std::string sentence = read_refusal(builder);
  EXPECT_NE(sentence.find("nodes[0].children has 1000001 entries"), std::string::npos) << sentence;
}

// Without a buffer view an accessor is as long as it says.
TEST(GltfMemory, NumbersWithoutBytesAreHeldToTheFilesSize) {
  GltfBuilder builder;
  builder.json["accessors"].push_back({{"componentType", 5126}, {"count", 2'000'000'000}, {"type", "VEC3"}});
  builder.show({{"attributes", {{"POSITION", 0}}}});
  EXPECT_NE(read_refusal(builder).find("more numbers than a file of its size"), std::string::npos);
}

TEST(GltfMemory, AMachineHasSome) {
  EXPECT_GT(machine_memory(), std::size_t{1} << 20);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit less{rlim_t{1} << 46, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &less), 0);
  EXPECT_LE(machine_memory(), std::size_t{1} << 46);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
}

}  // namespace
}  // namespace sinew
