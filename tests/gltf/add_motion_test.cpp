// Clips of one file on the character of another, joined by the names of nodes.
#include "sinew/gltf/add_motion.h"

#include <gtest/gtest.h>

#include "sinew/gltf/animation_target.h"
#include "tests/gltf/hat_file.h"
#include "tests/gltf/read_builder.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

GltfDocument document_of(const Json& json, const std::vector<std::byte>& binary, const char* name) {
  return parse_gltf_document(GltfBuilder::pack(json.dump(), binary), name, ExternalFiles::forbidden);
}

// The tube with its hat and without its clips, and its clips without a surface. Their nodes stand in other places of
// the file.
struct TwoFiles {
  HatFile whole;
  Json character, motion;

  TwoFiles() {
    whole.json["buffers"][0]["byteLength"] = whole.binary.size();
    character = motion = whole.json;
    character.erase("animations");
    for (const char* key : {"meshes", "skins", "scenes", "scene"}) motion.erase(key);
    const std::size_t count = motion["nodes"].size();
    const auto moved = [&](std::size_t node) { return count - 1 - node; };
    Json nodes = Json::array();
    for (std::size_t n = count; n-- > 0;) {
      Json node = motion["nodes"][n];
      node.erase("mesh");
      node.erase("skin");
      if (node.contains("children"))
        for (Json& child : node["children"]) child = moved(child.get<std::size_t>());
      nodes.push_back(node);
    }
    motion["nodes"] = nodes;
    for (Json& animation : motion["animations"])
      for (Json& channel : animation["channels"])
        channel["target"]["node"] = moved(channel["target"]["node"].get<std::size_t>());
  }

  JoinedMotion joined(const std::string& clip = {}) const {
    return add_motion(document_of(character, whole.binary, "hero.glb"), document_of(motion, whole.binary, "moves.glb"),
                      clip);
  }
  Json& node(const char* name) {
    for (Json& node : motion["nodes"])
      if (node["name"] == name) return node;
    throw std::logic_error(name);
  }
};

void expect_same_clip(const Clip& a, const Clip& b) {
  ASSERT_EQ(a.channels.size(), b.channels.size());
  for (std::size_t c = 0; c < a.channels.size(); ++c) {
    EXPECT_EQ(a.channels[c].joint, b.channels[c].joint);
    EXPECT_EQ(a.channels[c].path, b.channels[c].path);
    EXPECT_EQ(a.channels[c].interpolation, b.channels[c].interpolation);
    EXPECT_EQ(a.channels[c].times, b.channels[c].times);
    EXPECT_EQ(a.channels[c].values, b.channels[c].values);
  }
}

TEST(AddMotion, ClipsComeAcrossToTheBit) {
  const TwoFiles files;
  const Character whole = files.whole.character(), joined = character_from(files.joined().document);
  ASSERT_EQ(joined.clips.size(), whole.clips.size());
  for (std::size_t c = 0; c < whole.clips.size(); ++c) {
    EXPECT_EQ(joined.clips[c].name, whole.clips[c].name);
    expect_same_clip(joined.clips[c], whole.clips[c]);
  }
}

TEST(AddMotion, TheCharactersFileStaysAsItIs) {
  TwoFiles files;
  files.character["animations"] = files.whole.json["animations"];
  files.character["animations"][0]["name"] = "of its own";
  const JoinedMotion joined = files.joined();
  EXPECT_EQ(joined.first_clip, 3u);
  const Json& json = *joined.document.json;
  for (const auto& [key, value] : files.character.items()) {
    if (value.is_array() && key != "buffers") {
      for (std::size_t k = 0; k < value.size(); ++k) EXPECT_EQ(json[key][k], value[k]) << key;
    } else if (key != "buffers") {
      EXPECT_EQ(json[key], value) << key;
    }
  }
  EXPECT_EQ(json["animations"].size(), 6u);
}

TEST(AddMotion, OneClipByNameOrNumber) {
  const TwoFiles files;
  for (const char* name : {"still", "#2", "2", "STILL"}) {
    const JoinedMotion joined = files.joined(name);
    ASSERT_EQ(joined.clips.size(), 1u) << name;
    EXPECT_EQ(joined.clips[0].name, "still");
  }
  EXPECT_THROW(files.joined("nonesuch"), Error);
}

TEST(AddMotion, SaysWhatFoundNoNode) {
  TwoFiles files;
  files.node("lower")["name"] = "tail";
  const JoinedMotion joined = files.joined();
  for (const JoinedClip& clip : joined.clips) EXPECT_EQ(clip.not_found, std::vector<std::string>{"tail"});
}

TEST(AddMotion, NameSpacesOfExportersAreLookedThrough) {
  TwoFiles files;
  for (Json& node : files.motion["nodes"]) node["name"] = "mixamorig:" + node["name"].get<std::string>();
  const JoinedMotion joined = files.joined();
  ASSERT_FALSE(joined.clips.empty());
  for (const JoinedClip& clip : joined.clips) EXPECT_TRUE(clip.not_found.empty());
  // What two nodes could mean, nobody guesses.
  files.character["nodes"].push_back({{"name", "other:lower"}});
  for (const JoinedClip& clip : files.joined().clips)
    EXPECT_TRUE(clip.not_found.empty()) << "the joint of the skin is meant";
  files.character["nodes"][HatFile::lower]["name"] = "a:lower";
  files.character["skins"] = Json::array();
  for (Json& node : files.character["nodes"]) node.erase("skin");
  for (const JoinedClip& clip : files.joined().clips)
    EXPECT_EQ(clip.not_found, std::vector<std::string>{"mixamorig:lower"});
}

TEST(AddMotion, WhatCannotBeJoinedIsASentence) {
  TwoFiles files;
  TwoFiles strangers = files;
  for (Json& node : strangers.motion["nodes"]) node["name"] = "other " + node["name"].get<std::string>();
  EXPECT_NE(read_refusal([&] { strangers.joined(); }).find("moves.glb: none of its clips moves a node of hero.glb"),
            std::string::npos);
  TwoFiles still = files;
  still.motion.erase("animations");
  EXPECT_NE(read_refusal([&] { still.joined(); }).find("moves.glb: has no animation"), std::string::npos);
  TwoFiles broken = files;
  broken.motion["animations"][0]["samplers"][0]["input"] = 1000;
  EXPECT_NE(read_refusal([&] { broken.joined(); }).find("moves.glb"), std::string::npos);
  TwoFiles in_centimetres = files;
  for (Json& node : in_centimetres.motion["nodes"])
    if (node.contains("translation"))
      for (Json& x : node["translation"]) x = 100 * x.get<double>();
  EXPECT_NE(read_refusal([&] { in_centimetres.joined(); }).find("bones are 100 times as long"), std::string::npos);
}

// A channel that names its node by pointer means the same (KHR_animation_pointer).
TEST(AnimationPointers, MoveNodesAsTargetsDo) {
  HatFile by_pointer;
  for (Json& animation : by_pointer.json["animations"])
    for (Json& channel : animation["channels"]) {
      const Json target = channel["target"];
      channel["target"] = {{"path", "pointer"},
                           {"extensions",
                            {{"KHR_animation_pointer",
                              {{"pointer", "/nodes/" + std::to_string(target["node"].get<int>()) + "/" +
                                               target["path"].get<std::string>()}}}}}};
    }
  by_pointer.json["extensionsUsed"] = by_pointer.json["extensionsRequired"] = {"KHR_animation_pointer"};
  std::vector<Defect> repairs;
  const Character pointed = by_pointer.character(&repairs), plain = HatFile().character();
  ASSERT_EQ(pointed.clips.size(), plain.clips.size());
  for (std::size_t c = 0; c < plain.clips.size(); ++c) expect_same_clip(pointed.clips[c], plain.clips[c]);
  EXPECT_TRUE(repairs.empty());
}

TEST(AnimationPointers, ElsewhereTheyPassThrough) {
  for (const char* pointer : {"/materials/0/alphaCutoff", "/nodes/2", "/nodes/2/rotation/0", "/nodes/x/rotation",
                              "/nodes//rotation", "", "nodes/2/rotation", "/nodes/99999999999999999999999/rotation"}) {
    HatFile file;
    file.json["animations"][0]["channels"][0]["target"] = {
        {"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", {{"pointer", pointer}}}}}};
    std::vector<Defect> repairs;
    file.character(&repairs);
    const bool is_there = !*pointer || std::string(pointer) == "/nodes/2";  // but no number
    EXPECT_TRUE(names(repairs, is_there ? "channel that moves no node" : "pointer that names nothing", {0})) << pointer;
  }
  HatFile file;
  file.json["animations"][0]["channels"][0]["target"] = {
      {"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", {{"pointer", "/nodes/100/rotation"}}}}}};
  EXPECT_NE(read_refusal(file).find("names the node 100"), std::string::npos);
}

TEST(AddMotion, CustomPropertiesGoToTheNodeOfTheSameName) {
  TwoFiles files;
  const std::size_t theirs = files.motion["nodes"].size() - 1;  // node 0 of the character
  const std::string name = files.motion["nodes"][theirs]["name"];
  files.motion["nodes"][theirs]["extras"] = {{"breathe", 0}, {"blink", 0}};
  files.character["nodes"][0]["extras"] = {{"breathe", 0.5}};
  const std::string prefix = "/nodes/" + std::to_string(theirs) + "/extras/";
  Json& animation = files.motion["animations"][0];
  const Json& times = files.motion["accessors"][animation["samplers"][0]["input"].get<std::size_t>()];
  // Times serve as values.
  animation["samplers"].push_back(
      {{"input", animation["samplers"][0]["input"]}, {"output", animation["samplers"][0]["input"]}});
  for (const std::string& pointer : {prefix + "breathe", prefix + "blink", std::string("/materials/7/alphaCutoff")})
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size() - 1}, {"target", pointer_target(pointer)}});
  const JoinedMotion joined = files.joined();
  EXPECT_EQ(joined.clips[0].no_number, (std::vector<std::string>{prefix + "blink", "/materials/7/alphaCutoff"}));
  const Character character = character_from(joined.document);
  ASSERT_EQ(character.skeleton.properties.size(), 1u) << name;
  EXPECT_EQ(character.skeleton.properties[0].pointer, "/nodes/0/extras/breathe");
  const Clip& clip = character.clips[joined.first_clip];
  ASSERT_EQ(clip.properties.size(), 1u);
  EXPECT_EQ(clip.properties[0].keys.values.size(), times["count"].get<std::size_t>());
  EXPECT_EQ(clip.properties[0].keys.values, clip.properties[0].keys.times);
  EXPECT_EQ((*joined.document.json)["extensionsUsed"].back(), "KHR_animation_pointer");
}

}  // namespace
}  // namespace sinew::test
