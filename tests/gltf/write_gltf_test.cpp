#include "sinew/gltf/write/write_gltf.h"
#include "sinew/gltf/animation_target.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sinew/bake/output/compare.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/size.h"
#include "tests/base/scratch.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::GltfBuilder;

constexpr int strip_vertices = 12;

// A strip of triangles on two joints, the upper of which bends in clip 0 ("bend").
struct StripFile : GltfBuilder {
  int positions = 0, joints = 0, weights = 0, indices = 0, times = 0;

  StripFile() {
    std::vector<float> p, w;
    std::vector<std::uint8_t> j;
    std::vector<std::uint16_t> i;
    for (int v = 0; v < strip_vertices; ++v) {
      const float y = 2.0F * static_cast<float>(v / 2) / (strip_vertices / 2 - 1), upper = y / 2;
      p.insert(p.end(), {v % 2 == 0 ? -0.2F : 0.2F, y, 0});
      j.insert(j.end(), {0, static_cast<std::uint8_t>(upper > 0 ? 1 : 0), 0, 0});
      w.insert(w.end(), {1 - upper, upper, 0, 0});
      const auto n = static_cast<std::uint16_t>(v);
      if (v >= 2) i.insert(i.end(), {static_cast<std::uint16_t>(n - 2), static_cast<std::uint16_t>(n - 1), n});
    }
    positions = accessor(p, "VEC3");
    json["accessors"][static_cast<std::size_t>(positions)]["min"] = {-0.2F, 0, 0};
    json["accessors"][static_cast<std::size_t>(positions)]["max"] = {0.2F, 2, 0};
    joints = accessor(j, "VEC4");
    weights = accessor(w, "VEC4");
    indices = accessor(i, "SCALAR");
    times = accessor(std::vector<float>{0, 1}, "SCALAR");
    const int turns = accessor(std::vector<float>{0, 0, 0, 1, 0, 0, 0.5F, 0.8660254F}, "VEC4");

    json["meshes"] = Json::array({{{"name", "strip"}, {"primitives", Json::array({primitive()})}}});
    json["nodes"] = Json::array({{{"name", "body"}, {"mesh", 0}, {"skin", 0}},
                                 {{"name", "lower"}, {"children", {2}}},
                                 {{"name", "upper"}, {"translation", {0, 1, 0}}}});
    json["skins"] = Json::array({{{"joints", {1, 2}}}});
    json["scenes"] = Json::array({{{"nodes", {0, 1}}}});
    json["scene"] = 0;
    json["animations"] = Json::array({{{"name", "bend"},
                                       {"samplers", Json::array({{{"input", times}, {"output", turns}}})},
                                       {"channels", Json::array({channel(0, 2, "rotation")})}}});
  }

  Json primitive() const {
    return {{"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
            {"indices", indices}};
  }

  static Json channel(int sampler, int node, const char* path) {
    return {{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}};
  }

  // A morph target that moves one vertex along +Z.
  int target(int vertex) {
    std::vector<float> offsets(strip_vertices * 3, 0.0F);
    offsets[static_cast<std::size_t>(vertex) * 3 + 2] = 0.25F;
    return accessor(offsets, "VEC3");
  }

  void animate_weights(int animation, int node, const std::vector<float>& keys, const std::vector<float>& values,
                       const char* interpolation) {
    Json& a = json["animations"][static_cast<std::size_t>(animation)];
    const int input = accessor(keys, "SCALAR"), output = accessor(values, "SCALAR");
    a["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
    a["channels"].push_back(channel(static_cast<int>(a["samplers"].size()) - 1, node, "weights"));
  }
};

Vec3 wave(const Vec3& x, double t) {
  return {0.1 * std::sin(8 * t + x.y), 0.03 * std::cos(15 * t), 0.05 * std::sin(6 * t) * x.y};
}

Recording record(const Character& character, int clip, int frames_per_second) {
  Recording recording;
  recording.clip = clip;
  recording.frames_per_second = frames_per_second;
  const double end = clip < 0 ? 1 : character.clips[static_cast<std::size_t>(clip)].end;
  for (int frame = 0; frame <= end * frames_per_second + 1e-6; ++frame)
    recording.times.push_back(static_cast<double>(frame) / frames_per_second);
  const Clip* played = clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(clip)];
  for (int index : simulated_parts(character)) {
    PartRecording& part = recording.parts.emplace_back();
    part.part = index;
    part.vertices = static_cast<int>(character.parts[static_cast<std::size_t>(index)].surface.positions.size());
    for (double time : recording.times)
      for (const Vec3& x : rig_surface(character, std::vector<int>{index}, sample(character.skeleton, played, time))) {
        const Vec3 d = wave(x, time + 0.1 * index);
        for (std::size_t axis = 0; axis < 3; ++axis) part.displacement.push_back(static_cast<float>(d[axis]));
      }
  }
  return recording;
}

class WriteGltf : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::scratch_path("files");
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Writes, reads again, and checks that what is played is what was recorded, to the error reported.
  GltfDocument written(const GltfDocument& document, const std::vector<int>& clips = {0}, const char* name = "out.glb",
                       MorphFitOptions options = {}) {
    Character character = character_from(document);
    character.metres_per_unit = decide_size(character, std::nullopt, std::nullopt).metres_per_unit;
    std::vector<Recording> recordings;
    for (int clip : clips) recordings.push_back(record(character, clip, 20));
    report_ = write_gltf_with_flesh(document, character, recordings, options, folder_ / name);
    GltfDocument result = read_gltf_document(folder_ / name);
    Character played = character_from(result);
    played.metres_per_unit = character.metres_per_unit;
    for (std::size_t i = 0; i < clips.size(); ++i) expect_played(character, played, recordings[i]);
    return result;
  }

  void expect_played(const Character& before, const Character& after, const Recording& recording) {
    // A recording of the rest pose is in an animation of its own, behind the others.
    const Clip* clip_before = recording.clip < 0 ? nullptr : &before.clips[static_cast<std::size_t>(recording.clip)];
    const Clip* clip_after =
        recording.clip < 0 ? &after.clips.back() : &after.clips[static_cast<std::size_t>(recording.clip)];
    const std::vector<int> parts = simulated_parts(before);
    for (std::size_t frame = 0; frame < recording.times.size(); ++frame) {
      const double time = recording.times[frame];
      const std::vector<Vec3> rig = rig_surface(before, parts, sample(before.skeleton, clip_before, time));
      const std::vector<Vec3> flesh = rig_surface(after, parts, sample(after.skeleton, clip_after, time));
      ASSERT_EQ(rig.size(), flesh.size());
      std::size_t i = 0;
      for (const PartRecording& part : recording.parts) {
        const auto vertices = static_cast<std::size_t>(part.vertices);
        for (std::size_t v = 0; v < vertices; ++v, ++i) {
          const float* d = part.displacement.data() + 3 * (frame * vertices + v);
          ASSERT_LE(distance(flesh[i], rig[i] + Vec3{d[0], d[1], d[2]}), report_.max_error + 1e-5 * report_.height)
              << "frame " << frame << " vertex " << v << " of part " << part.part;
        }
      }
    }
  }

  fs::path folder_;
  FleshWriteReport report_;
};

TEST_F(WriteGltf, PlaysTheFleshOnTopOfTheClip) {
  const GltfDocument result = written(StripFile().document());
  ASSERT_EQ(report_.meshes.size(), 1u);
  EXPECT_EQ(report_.meshes[0].mesh, "strip");
  EXPECT_GT(report_.meshes[0].targets, 1);
  EXPECT_LE(report_.rms_error, 0.001 * report_.height);
  EXPECT_EQ(fs::file_size(folder_ / "out.glb"), report_.bytes);
  const Json& mesh = (*result.json)["meshes"][0];
  const auto targets = static_cast<std::size_t>(report_.meshes[0].targets);
  EXPECT_EQ(mesh["weights"], Json(std::vector<double>(targets, 0.0)));
  EXPECT_EQ(mesh["extras"]["targetNames"].size(), targets);
  EXPECT_EQ(mesh["extras"]["targetNames"][0], "sinew_0");
  // Joints and weights are in one animation, since Blender plays one at a time.
  EXPECT_EQ((*result.json)["animations"].size(), 1u);
  EXPECT_EQ((*result.json)["animations"][0]["channels"].size(), 2u);
}

TEST_F(WriteGltf, EverythingElsePassesThrough) {
  StripFile file;
  file.json["extras"] = {{"note", "kept"}};
  file.json["extensionsUsed"] = {"KHR_lights_punctual", "VENDOR_unknown"};
  file.json["extensions"] = {{"VENDOR_unknown", {{"nested", {1, 2.5, "three", nullptr}}}},
                             {"KHR_lights_punctual", {{"lights", {{{"type", "point"}}}}}}};
  file.json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 0.7}, {"znear", 0.01}}}}};
  file.json["nodes"].push_back({{"name", "prop"}, {"mesh", 1}, {"extras", {{"id", 7}}}});
  file.json["nodes"][2]["children"] = {3};
  file.json["materials"] = {
      {{"name", "skin"}, {"pbrMetallicRoughness", {{"baseColorFactor", {0.1, 0.2, 0.3, 1}}}}, {"alphaMode", "MASK"}}};
  file.json["meshes"][0]["primitives"][0]["material"] = 0;
  file.json["meshes"].push_back(
      {{"name", "sword"}, {"primitives", Json::array({{{"attributes", {{"POSITION", file.positions}}}}})}});
  file.json["images"] = {{{"uri", "data:image/png;base64,iVBORw0KGgo="}, {"name", "picture"}}};
  file.json["textures"] = {{{"source", 0}}};
  file.json["samplers"] = {{{"wrapS", 33071}}};
  const GltfDocument before = file.document();
  const GltfDocument after = written(before);

  for (const char* key : {"asset", "cameras", "extensions", "extensionsUsed", "extras", "images", "materials", "nodes",
                          "samplers", "scene", "scenes", "skins", "textures"})
    EXPECT_EQ((*after.json)[key], (*before.json)[key]) << key;
  EXPECT_EQ((*after.json)["meshes"][1], (*before.json)["meshes"][1]);
  Json primitive = (*after.json)["meshes"][0]["primitives"][0];
  primitive.erase("targets");
  EXPECT_EQ(primitive, (*before.json)["meshes"][0]["primitives"][0]);
  for (const char* list : {"accessors", "bufferViews"})
    for (std::size_t i = 0; i < (*before.json)[list].size(); ++i)
      EXPECT_EQ((*after.json)[list][i], (*before.json)[list][i]);
  ASSERT_GE(after.buffers[0].size(), before.buffers[0].size());
  EXPECT_TRUE(std::equal(before.buffers[0].begin(), before.buffers[0].end(), after.buffers[0].begin()));
}

TEST_F(WriteGltf, OldTargetsAndTheirCurvesStay) {
  for (const char* interpolation : {"LINEAR", "STEP"}) {
    StripFile file;
    file.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", file.target(3)}},
                                                          {{"POSITION", file.target(5)}}};
    file.json["meshes"][0]["weights"] = {0.25, 0.5};
    file.json["meshes"][0]["extras"] = {{"targetNames", {"smile", "sinew_1"}}};
    // No key on a frame: whether a step at 0.4F comes before or after 0.4 is a matter of rounding.
    file.animate_weights(0, 0, {0.13F, 0.42F, 0.77F}, {0, 1, 0.5F, 0.25F, 1, 0}, interpolation);
    const GltfDocument before = file.document(), after = written(before);
    const Character a = character_from(before), b = character_from(after);
    for (double t = -0.1; t < 1.2; t += 0.0137) {
      const Pose pose_a = sample(a.skeleton, &a.clips[0], t), pose_b = sample(b.skeleton, &b.clips[0], t);
      ASSERT_EQ(pose_a.morph_weights[0].size(), 2u);
      for (std::size_t k = 0; k < 2; ++k)
        EXPECT_NEAR(pose_b.morph_weights[0][k], pose_a.morph_weights[0][k], 1e-6) << interpolation << " at " << t;
    }
    const Json& names = (*after.json)["meshes"][0]["extras"]["targetNames"];
    EXPECT_EQ(names[0], "smile");
    EXPECT_EQ(names[2], "sinew_0");
    EXPECT_EQ(names[3], "sinew_2");
    EXPECT_EQ((*after.json)["meshes"][0]["weights"][1], 0.5);
  }
}

TEST_F(WriteGltf, DefaultWeightsGoOnWhereNothingAnimatedThem) {
  StripFile file;
  file.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", file.target(3)}}};
  file.json["nodes"][0]["weights"] = {0.75};
  const Character played = character_from(written(file.document()));
  EXPECT_NEAR(sample(played.skeleton, &played.clips[0], 0.5).morph_weights[0][0], 0.75, 1e-7);
  EXPECT_NEAR(sample(played.skeleton, nullptr, 0).morph_weights[0][0], 0.75, 1e-7);
}

TEST_F(WriteGltf, OtherClipsHaveNoFlesh) {
  StripFile file;
  file.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", file.target(3)}}};
  file.json["animations"].push_back(file.json["animations"][0]);
  file.json["animations"][1]["name"] = "other";
  file.animate_weights(1, 0, {0, 1}, {0, 0.5F, 0, 0, 1, 0}, "CUBICSPLINE");
  const GltfDocument before = file.document(), after = written(before);
  const Character a = character_from(before), b = character_from(after);
  for (double t : {0.0, 0.3, 0.9}) {
    const std::vector<double> weights_a = sample(a.skeleton, &a.clips[1], t).morph_weights[0],
                              weights_b = sample(b.skeleton, &b.clips[1], t).morph_weights[0];
    EXPECT_NEAR(weights_a[0], weights_b[0], 1e-7);
    for (std::size_t k = 1; k < weights_b.size(); ++k) EXPECT_EQ(weights_b[k], 0);
  }
}

TEST_F(WriteGltf, WeightsThatAPointerMovesAreWidened) {
  StripFile file;
  file.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", file.target(3)}}};
  file.json["meshes"][0]["weights"] = {0.5};
  file.animate_weights(0, 0, {0, 1}, {0.25F, 0.75F}, "LINEAR");
  file.json["animations"][0]["channels"].back()["target"] = pointer_target("/meshes/0/weights");
  const GltfDocument after = written(file.document());
  const Character played = character_from(after);
  const std::size_t targets = (*after.json)["meshes"][0]["weights"].size();
  ASSERT_GT(targets, 1u);
  ASSERT_EQ(played.skeleton.properties.size(), targets);
  const std::vector<double> values = sample(played.skeleton, &played.clips[0], 0.5).properties;
  EXPECT_EQ(values[0], 0.5);
  for (std::size_t k = 1; k < targets; ++k) EXPECT_EQ(values[k], 0);
}

TEST_F(WriteGltf, SharedMeshesAndSeveralPrimitivesGetTheirOwn) {
  StripFile file;
  file.json["nodes"].push_back({{"name", "twin"}, {"mesh", 0}, {"skin", 0}});
  file.json["nodes"].push_back({{"name", "statue"}, {"mesh", 0}});
  file.json["scenes"][0]["nodes"] = {0, 1, 3, 4};
  Json lines = file.primitive();
  lines["mode"] = 1;
  file.json["meshes"][0]["primitives"].push_back(file.primitive());
  file.json["meshes"][0]["primitives"].push_back(lines);
  const GltfDocument before = file.document(), after = written(before);
  EXPECT_EQ(report_.meshes.size(), 2u);
  const Json& json = *after.json;
  EXPECT_EQ(json["meshes"].size(), 3u);
  EXPECT_EQ(json["meshes"][0], (*before.json)["meshes"][0]) << "the statue keeps the mesh as it is";
  EXPECT_EQ(json["nodes"][4]["mesh"], 0);
  EXPECT_NE(json["nodes"][0]["mesh"], json["nodes"][3]["mesh"]);
  for (const Json& primitive : json["meshes"][1]["primitives"])
    EXPECT_EQ(primitive["targets"].size(), json["meshes"][1]["weights"].size());
}

TEST_F(WriteGltf, SeveralClipsShareTheirTargets) {
  StripFile file;
  file.json["animations"].push_back(file.json["animations"][0]);
  file.json["animations"][1]["name"] = "again";
  const GltfDocument after = written(file.document(), {0, 1});
  EXPECT_EQ((*after.json)["animations"][0]["channels"].size(), 2u);
  EXPECT_EQ((*after.json)["animations"][1]["channels"].size(), 2u);
}

TEST_F(WriteGltf, CharacterWithoutClipsGetsAnAnimation) {
  StripFile file;
  file.json.erase("animations");
  const GltfDocument after = written(file.document(), {-1});
  ASSERT_EQ((*after.json)["animations"].size(), 1u);
  EXPECT_EQ((*after.json)["animations"][0]["name"], "flesh");
}

TEST_F(WriteGltf, TextFormAndNormals) {
  StripFile file;
  std::vector<float> normals;
  for (int i = 0; i < strip_vertices; ++i) normals.insert(normals.end(), {0, 0, 1});
  file.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = file.accessor(normals, "VEC3");
  MorphFitOptions options;
  options.normals = true;
  const GltfDocument after = written(file.document(), {0}, "out.gltf", options);
  EXPECT_FALSE(after.binary);
  EXPECT_TRUE(fs::exists(folder_ / "out.bin"));
  for (const Json& target : (*after.json)["meshes"][0]["primitives"][0]["targets"])
    EXPECT_TRUE(target.contains("NORMAL"));
}

TEST_F(WriteGltf, ExternalImageBecomesPartOfAGlb) {
  StripFile file;
  file.json["images"] = {{{"uri", "pic%20one.png"}}, {{"uri", "missing.png"}}};
  const std::string png = "\x89PNG\r\n\x1a\n and so on";
  fs::create_directories(folder_ / "in");
  write_text_file(folder_ / "in" / "pic one.png", png);
  write_file(folder_ / "in" / "a.glb", file.glb());
  const GltfDocument after = written(read_gltf_document(folder_ / "in" / "a.glb"));
  const Json& images = (*after.json)["images"];
  ASSERT_TRUE(images[0].contains("bufferView"));
  EXPECT_EQ(images[0]["mimeType"], "image/png");
  const Json& view = (*after.json)["bufferViews"][images[0]["bufferView"].get<std::size_t>()];
  EXPECT_EQ(view["byteLength"], png.size());
  EXPECT_EQ(std::memcmp(after.buffers[0].data() + view["byteOffset"].get<std::size_t>(), png.data(), png.size()), 0);
  EXPECT_EQ(images[1]["uri"], "in/missing.png");
}

// A .gltf elsewhere cannot name them without climbing, which no reader should follow: they go with it.
TEST_F(WriteGltf, ImagesGoWithAGltfToAnotherFolder) {
  StripFile file;
  file.json["images"] = {{{"uri", "pic.png"}}, {{"uri", "missing.png"}}, {{"uri", "words.png"}}};
  const std::string png = "\x89PNG\r\n\x1a\n and so on";
  fs::create_directories(folder_ / "in");
  fs::create_directories(folder_ / "other");
  write_text_file(folder_ / "in" / "pic.png", png);
  write_text_file(folder_ / "in" / "words.png", "a secret that is no picture");
  write_file(folder_ / "in" / "a.glb", file.glb());
  const auto images_at = [&](const char* name) {
    return (*written(read_gltf_document(folder_ / "in" / "a.glb"), {0}, name).json)["images"];
  };
  const Json beside = images_at("in/out.gltf"), above = images_at("out.gltf"), apart = images_at("other/out.gltf");
  EXPECT_EQ(beside[0]["uri"], "pic.png");
  EXPECT_EQ(above[0]["uri"], "in/pic.png");
  EXPECT_TRUE(apart[0].contains("bufferView") && !apart[0].contains("uri")) << apart;
  EXPECT_EQ(above[1]["uri"], "in/missing.png");
  EXPECT_EQ(apart[1]["uri"], "missing.png");
  EXPECT_EQ(apart[2]["uri"], "words.png");
}

// The result is the link's target, and so is what belongs to it.
TEST_F(WriteGltf, LinksAreWrittenThroughWithTheirBinary) {
  fs::create_directories(folder_ / "real");
  fs::create_symlink("real/body.gltf", folder_ / "out.gltf");
  written(StripFile().document(), {0}, "out.gltf");  // reads it through the link
  EXPECT_TRUE(fs::is_symlink(folder_ / "out.gltf"));
  EXPECT_TRUE(fs::exists(folder_ / "real" / "body.bin"));
  EXPECT_FALSE(fs::exists(folder_ / "out.bin"));
  EXPECT_FALSE(read_gltf_document(folder_ / "real" / "body.gltf").buffers.empty());
}

TEST_F(WriteGltf, InputIsNeverOverwrittenAndEndingsCount) {
  write_file(folder_ / "in.glb", StripFile().glb());
  const GltfDocument document = read_gltf_document(folder_ / "in.glb");
  const Character character = character_from(document);
  const std::vector<Recording> recordings{record(character, 0, 10)};
  for (const char* name : {"in.glb", "./in.glb", "out.fbx", "out"}) {
    try {
      write_gltf_with_flesh(document, character, recordings, {}, folder_ / name);
      ADD_FAILURE() << name << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    }
  }
  EXPECT_EQ(read_file(folder_ / "in.glb"), StripFile().glb());
}

// Quantised, compressed, many-skinned: real files come back and play what was recorded.
TEST_F(WriteGltf, RealCharactersPlayTheirFlesh) {
  const char* variable = std::getenv("SINEW_CHARACTERS");
  const fs::path folder = variable ? variable : SINEW_SOURCE_DIR "/../shared/characters";
  if (!fs::exists(folder)) {
    std::puts("SINEW_CHARACTERS names no folder: real characters are not tested here.");
    return;
  }
  for (const char* name :
       {"derived/cesium_man_quantized.glb", "derived/fox_meshopt.glb", "gltf/rigged_figure_draco/RiggedFigure.gltf",
        "gltf/robot_expressive_draco/robot-draco.glb", "gltf/tentacle_u8weights/InfiniteSkinnedTentacle.glb",
        "gltf/kaykit_knight/Knight.glb", "vrm/godette_vrm/Godette_vrm_v4.vrm"}) {
    SCOPED_TRACE(name);
    const GltfDocument document = read_gltf_document(folder / name);
    const bool still = !document.json->contains("animations");
    const GltfDocument after = written(document, {still ? -1 : 0});
    EXPECT_LE(report_.rms_error, 0.001 * report_.height);
    EXPECT_EQ((*after.json)["nodes"].size(), (*document.json)["nodes"].size());
  }
}

}  // namespace
}  // namespace sinew
