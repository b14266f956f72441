// Keys that nothing plays any more leave the file, and nothing else does.
#include "sinew/gltf/write/drop_lost_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/write/replace_motion.h"

namespace sinew {
namespace {

std::string sample(const char* name) { return std::string(SINEW_SOURCE_DIR) + "/samples/" + name; }

std::size_t bytes_in(const GltfDocument& document) {
  std::size_t sum = 0;
  for (const std::vector<std::byte>& buffer : document.buffers) sum += buffer.size();
  return sum;
}

std::set<std::size_t> played(const GltfDocument& document) {
  std::set<std::size_t> used;
  for (const auto& animation : (*document.json)["animations"])
    for (const auto& sampler : animation["samplers"])
      used.insert({sampler["input"].get<std::size_t>(), sampler["output"].get<std::size_t>()});
  return used;
}

// The file with its first clip's rotations cut down to their first two keys.
GltfDocument with_two_keys(const GltfDocument& document) {
  const Character character = character_from(document);
  Clip clip = character.clips[0];
  std::vector<int> joints;
  for (Channel& channel : clip.channels) {
    if (channel.path == ChannelPath::weights) continue;
    joints.push_back(channel.joint);
    const std::size_t width = channel.values.size() / channel.times.size();
    if (channel.times.size() < 2) continue;
    channel.times.resize(2);
    channel.values.resize(2 * width);
  }
  return with_motion_of(document, 0, clip, joints);
}

TEST(LostKeys, LeaveAndAllElseKeepsItsValues) {
  const GltfDocument before = read_gltf_document(sample("sumo.glb")), edited = with_two_keys(before);
  const GltfDocument small = without_lost_keys(edited, before);
  ASSERT_GT(bytes_in(edited), bytes_in(before));
  std::set<std::size_t> lost = played(before);
  for (const std::size_t each : played(edited)) lost.erase(each);
  ASSERT_GT(lost.size(), 10u);
  AccessorReader one(edited), other(small);
  ASSERT_EQ(one.accessor_count(), other.accessor_count());
  std::size_t gone = 0;
  for (std::size_t a = 0; a < one.accessor_count(); ++a) {
    if (lost.contains(a)) {
      gone += 4 * one.read(a).values.size();  // floats
      EXPECT_EQ(other.format(a).count, 1u) << a;
    } else {
      EXPECT_EQ(one.read(a).values, other.read(a).values) << a;
    }
  }
  // All of them but one number of each view that has nothing else.
  EXPECT_GE(bytes_in(small) + gone, bytes_in(edited));
  EXPECT_LE(bytes_in(small) + gone, bytes_in(edited) + 4 * lost.size());
  EXPECT_LT(bytes_in(small), bytes_in(before));
}

TEST(LostKeys, NothingIsLostWhereNothingChanged) {
  const GltfDocument before = read_gltf_document(sample("sumo.glb"));
  const GltfDocument same = without_lost_keys(before, before);
  EXPECT_EQ(same.buffers, before.buffers);
  EXPECT_EQ(*same.json, *before.json);
}

TEST(LostKeys, UnknownExtensionsMayUseAnyByte) {
  const GltfDocument before = read_gltf_document(sample("sumo.glb"));
  GltfDocument edited = with_two_keys(before);
  (*edited.json)["extensionsUsed"].push_back("VENDOR_of_nobody");
  EXPECT_EQ(bytes_in(without_lost_keys(edited, before)), bytes_in(edited));
}

}  // namespace
}  // namespace sinew
