// Curves written beside what a file has: clips of their own, names that are free, and everything else as it was.
#include "sinew/gltf/write/write_curves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sinew/bake/output/compare.h"
#include "sinew/base/error.h"
#include "sinew/gltf/read/read_character.h"
#include "tests/base/scratch.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::GltfBuilder;

// A strip of triangles on two joints with a morph target; the upper joint turns in clip "bend".
struct CurvedFile : GltfBuilder {
  static constexpr int vertices = 12;

  CurvedFile() {
    std::vector<float> p, w, offsets(3 * vertices, 0.0F);
    std::vector<std::uint8_t> j;
    std::vector<std::uint16_t> i;
    for (int v = 0; v < vertices; ++v) {
      const float y = 2.0F * static_cast<float>(v / 2) / (vertices / 2 - 1), upper = y / 2;
      p.insert(p.end(), {v % 2 == 0 ? -0.2F : 0.2F, y, 0});
      j.insert(j.end(), {0, 1, 0, 0});
      w.insert(w.end(), {1 - upper, upper, 0, 0});
      const auto n = static_cast<std::uint16_t>(v);
      if (v >= 2) i.insert(i.end(), {static_cast<std::uint16_t>(n - 2), static_cast<std::uint16_t>(n - 1), n});
      offsets[static_cast<std::size_t>(3 * v + 2)] = 0.1F * y;
    }
    const int positions = accessor(p, "VEC3"), joints = accessor(j, "VEC4"), weights = accessor(w, "VEC4"),
              indices = accessor(i, "SCALAR"), target = accessor(offsets, "VEC3"),
              times = accessor(std::vector<float>{0, 1}, "SCALAR"),
              turns = accessor(std::vector<float>{0, 0, 0, 1, 0, 0, 0.5F, 0.8660254F}, "VEC4");
    json["accessors"][static_cast<std::size_t>(positions)]["min"] = {-0.2F, 0, 0};
    json["accessors"][static_cast<std::size_t>(positions)]["max"] = {0.2F, 2, 0};
    json["meshes"] = Json::array(
        {{{"name", "strip"},
          {"weights", {0.0}},
          {"primitives",
           Json::array({{{"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
                         {"indices", indices},
                         {"targets", Json::array({{{"POSITION", target}}})}}})}}});
    json["nodes"] = Json::array({{{"name", "body"}, {"mesh", 0}, {"skin", 0}},
                                 {{"name", "lower"}, {"children", {2}}},
                                 {{"name", "upper"}, {"translation", {0, 1, 0}}}});
    json["skins"] = Json::array({{{"joints", {1, 2}}}});
    json["scenes"] = Json::array({{{"nodes", {0, 1}}}});
    json["scene"] = 0;
    json["extras"] = {{"note", "kept"}};
    json["animations"] =
        Json::array({{{"name", "bend"},
                      {"samplers", Json::array({{{"input", times}, {"output", turns}}})},
                      {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}})}}});
  }
};

// Channels of each kind, with keys of their own.
Clip flesh(const std::string& name) {
  Clip clip;
  clip.name = name;
  clip.end = 1;
  clip.channels = {
      {2, ChannelPath::translation, Interpolation::linear, {0, 0.25, 1}, 3, {0, 1, 0, 0.1, 1, 0.05, 0, 1.1, 0}},
      {2, ChannelPath::scale, Interpolation::linear, {0, 1}, 3, {1, 1, 1, 1.2, 0.9, 1}},
      {1,
       ChannelPath::rotation,
       Interpolation::linear,
       {0, 0.25, 1},
       4,
       {0, 0, 0, 1, 0.1, 0, 0, 0.99498743710662, 0, 0, 0, 1}},
      {0, ChannelPath::weights, Interpolation::linear, {0, 0.5, 1}, 1, {0, 0.7, 0.1}}};
  return clip;
}

class WriteCurves : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::scratch_path("files");
    fs::create_directories(folder_);
    document_ = CurvedFile().document();
    character_ = character_from(document_);
  }
  GltfDocument written(const std::vector<WrittenCurves>& curves) {
    report_ = write_gltf_with_curves(document_, character_, curves, {}, folder_ / "out.glb");
    return read_gltf_document(folder_ / "out.glb");
  }
  static void expect_same_channel(const Channel& a, const Channel& b) {
    EXPECT_EQ(a.joint, b.joint);
    EXPECT_EQ(a.path, b.path);
    EXPECT_EQ(a.interpolation, b.interpolation);
    ASSERT_EQ(a.times.size(), b.times.size());
    ASSERT_EQ(a.values.size(), b.values.size());
    for (std::size_t k = 0; k < a.times.size(); ++k) EXPECT_NEAR(a.times[k], b.times[k], 1e-7);
    for (std::size_t k = 0; k < a.values.size(); ++k) EXPECT_NEAR(a.values[k], b.values[k], 1e-7);
  }

  fs::path folder_;
  GltfDocument document_;
  Character character_;
  FleshWriteReport report_;
};

TEST_F(WriteCurves, AClipOfItsOwnAndNothingElse) {
  const GltfDocument after = written({{.source = 0, .clip = flesh("bend.flesh"), .layers = {}, .whole = false}});
  const Json& before = *document_.json;
  for (const auto& [key, value] : before.items()) {
    if (key == "buffers" || key == "accessors" || key == "bufferViews" || key == "animations") continue;
    EXPECT_EQ((*after.json)[key], value) << key;
  }
  for (const char* key : {"accessors", "bufferViews", "animations"})
    for (std::size_t i = 0; i < before[key].size(); ++i)
      EXPECT_EQ((*after.json)[key][i], before[key][i]) << key << ' ' << i;
  ASSERT_GE(after.buffers[0].size(), document_.buffers[0].size());
  EXPECT_TRUE(std::equal(document_.buffers[0].begin(), document_.buffers[0].end(), after.buffers[0].begin()));
  EXPECT_EQ(fs::file_size(folder_ / "out.glb"), report_.bytes);
  EXPECT_TRUE(report_.meshes.empty());

  const Character played = character_from(after);
  ASSERT_EQ(played.clips.size(), 2u);
  expect_same_channel(played.clips[0].channels.at(0), character_.clips[0].channels.at(0));
  const Clip expected = flesh("bend.flesh");
  EXPECT_EQ(played.clips[1].name, "bend.flesh");
  ASSERT_EQ(played.clips[1].channels.size(), 4u);
  for (std::size_t c = 0; c < 4; ++c) expect_same_channel(played.clips[1].channels[c], expected.channels[c]);
  // Channels with the same keys share them: three lists of times.
  EXPECT_EQ((*after.json)["accessors"].size(), before["accessors"].size() + 3 + 4);
}

TEST_F(WriteCurves, WholeClipsHaveTheOtherChannelsToo) {
  Clip turned = flesh("bend.flesh");
  const GltfDocument after = written({{.source = 0, .clip = turned, .layers = {}, .whole = true}});
  const Character played = character_from(after);
  ASSERT_EQ(played.clips[1].channels.size(), 5u);
  expect_same_channel(played.clips[1].channels[4], character_.clips[0].channels[0]);
  // The keyed channel's numbers are not written twice.
  const Json& animations = (*after.json)["animations"];
  EXPECT_EQ(animations[1]["samplers"][4], animations[0]["samplers"][0]);
  // What is on the same is not there twice.
  turned.channels[2].joint = 2;
  EXPECT_EQ(
      character_from(written({{.source = 0, .clip = turned, .layers = {}, .whole = true}})).clips[1].channels.size(),
      4u);
}

// Of several clips, and where a name is taken.
TEST_F(WriteCurves, NamesAreFree) {
  const Character played =
      character_from(written({{.source = 0, .clip = flesh("bend"), .layers = {}, .whole = false},
                              {.source = 0, .clip = flesh("bend"), .layers = {}, .whole = false},
                              {.source = -1, .clip = flesh("rest.flesh"), .layers = {}, .whole = true}}));
  ASSERT_EQ(played.clips.size(), 4u);
  EXPECT_EQ(played.clips[1].name, "bend.2");
  EXPECT_EQ(played.clips[2].name, "bend.3");
  EXPECT_EQ(played.clips[3].name, "rest.flesh");
  EXPECT_EQ(played.clips[3].channels.size(), 4u);
}

// Keys that are one in single precision still rise.
TEST_F(WriteCurves, TimesRiseInSinglePrecision) {
  Clip close = flesh("bend.flesh");
  close.channels.resize(1);
  close.channels[0].times = {1000, 1000 + 1e-9, 1000.5};
  const Character played = character_from(written({{.source = 0, .clip = close, .layers = {}, .whole = false}}));
  const std::vector<double>& times = played.clips[1].channels.at(0).times;
  ASSERT_EQ(times.size(), 3u);
  EXPECT_LT(times[0], times[1]);
  EXPECT_LT(times[1], times[2]);
  EXPECT_NEAR(times[1], 1000, 1e-3);
}

// What layers add to the surface under both clips comes as morph targets, whose weights are in the new clip alone.
TEST_F(WriteCurves, LayersBecomeMorphTargets) {
  WrittenCurves curves{.source = 0, .clip = flesh("bend.flesh"), .layers = {}, .whole = true};
  // The other target moves already; the layer lifts the vertices by a wave.
  Clip both = curves.clip;
  both.channels.push_back(character_.clips[0].channels[0]);
  curves.layers.frames_per_second = 20;
  curves.layers.parts.push_back({0, CurvedFile::vertices, {}});
  const auto lift = [](int v, double t) { return 0.1 * std::sin(3 * t) * (v / 2) / 5.0; };
  for (int f = 0; f <= 20; ++f) {
    curves.layers.times.push_back(f / 20.0);
    for (int v = 0; v < CurvedFile::vertices; ++v)
      curves.layers.parts[0].displacement.insert(curves.layers.parts[0].displacement.end(),
                                                 {0, 0, static_cast<float>(lift(v, f / 20.0))});
  }
  const Character played = character_from(written({curves}));
  ASSERT_EQ(report_.meshes.size(), 1u);
  EXPECT_GT(report_.meshes[0].targets, 0);
  EXPECT_EQ(played.parts[0].targets.size(), 1u + static_cast<std::size_t>(report_.meshes[0].targets));
  const std::vector<int> parts{0};
  const auto surface = [&](const Character& character, const Clip& clip, double t) {
    return rig_surface(character, parts, sample(character.skeleton, &clip, t));
  };
  for (const double t : curves.layers.times) {
    const std::vector<Vec3> found = surface(played, played.clips[1], t), without = surface(character_, both, t);
    const std::vector<Vec3> keyed = surface(played, played.clips[0], t),
                            original = surface(character_, character_.clips[0], t);
    for (std::size_t v = 0; v < found.size(); ++v) {
      EXPECT_LT(distance(found[v], without[v] + Vec3{0, 0, lift(static_cast<int>(v), t)}), report_.max_error + 1e-5);
      EXPECT_LT(distance(keyed[v], original[v]), 1e-6);
    }
  }
}

// An output that cannot be is refused, and nothing is written.
TEST_F(WriteCurves, RefusesImpossibleOutputs) {
  const std::vector<WrittenCurves> curves{{.source = 0, .clip = flesh("bend.flesh"), .layers = {}, .whole = false}};
  EXPECT_THROW(write_gltf_with_curves(document_, character_, curves, {}, folder_ / "nowhere" / "out.glb"), Error);
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace sinew
