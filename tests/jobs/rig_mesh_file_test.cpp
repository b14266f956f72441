// A mesh and joints in, a rigged file out, that keeps everything else.
#include "sinew/jobs/rig_mesh_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/gltf/document.h"
#include "sinew/jobs/animate_file.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"
#include "tests/jobs/strip_weights.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::vector<PlacedJoint> half{
    {"Hips", "", {0, 0.9, -0.01}},           {"Spine", "Hips", {0, 1.1, -0.03}},
    {"Chest", "Spine", {0, 1.28, -0.04}},    {"Head", "Chest", {0, 1.45, 0}},
    {"Arm.L", "Chest", {0.25, 1.33, -0.04}}, {"ForeArm.L", "Arm.L", {0.45, 1.15, -0.03}},
    {"Leg.L", "Hips", {0.15, 0.8, 0}},       {"Shin.L", "Leg.L", {0.2, 0.45, 0}}};

// Without what the rig adds.
Json without_rig(Json json, std::size_t nodes) {
  json.erase("skins");
  json.erase("buffers");
  Json kept = Json::array();
  for (std::size_t n = 0; n < nodes; ++n) {
    kept.push_back(json["nodes"][n]);
    kept.back().erase("skin");
  }
  json["nodes"] = kept;
  for (Json& mesh : json["meshes"])
    for (Json& primitive : mesh["primitives"])
      for (const char* name : {"JOINTS_0", "WEIGHTS_0"}) primitive["attributes"].erase(name);
  for (const char* list : {"accessors", "bufferViews"}) json.erase(list);
  for (Json& scene : json["scenes"])
    std::erase_if(scene["nodes"].get_ref<Json::array_t&>(),
                  [&](const Json& node) { return node.get<std::size_t>() >= nodes; });
  return json;
}

TEST(RigMeshFile, TheWrestlerGetsASkeletonAndKeepsTheRest) {
  const auto folder = test::scratch_files();
  const fs::path bare = folder / "bare.glb", rigged = folder / "rigged.glb";
  test::strip_skin_weights(test::sample_file("sumo.glb"), bare, test::Stripped::skins);
  RigMeshOptions options;
  options.mirror = MirrorAxis::x;
  const RigMeshReport report = rig_mesh_file(bare, {}, half, "joints", options, rigged);
  EXPECT_EQ(report.joints.size(), 12u);
  const GltfDocument before = read_gltf_document(bare), after = read_gltf_document(rigged);
  EXPECT_EQ(without_rig(*after.json, (*before.json)["nodes"].size()),
            without_rig(*before.json, (*before.json)["nodes"].size()));
  const OpenedCharacter was = open_character(bare), is = open_character(rigged);
  ASSERT_TRUE(has_skin_weights(is.character));
  const Pose pose = sample(is.character.skeleton, nullptr, 0), old_pose = sample(was.character.skeleton, nullptr, 0);
  for (std::size_t p = 0; p < is.character.parts.size(); ++p) {
    const std::vector<Vec3> now = posed_positions(is.character, is.character.parts[p], pose),
                            then = posed_positions(was.character, was.character.parts[p], old_pose);
    ASSERT_EQ(now.size(), then.size());
    for (std::size_t v = 0; v < now.size(); ++v) ASSERT_LT(distance(now[v], then[v]), 1e-6);
  }
  // Eyes follow the head most of all, which is joint 3.
  for (const Part& part : is.character.parts) {
    if (!part.name.starts_with("eye")) continue;
    for (const Influences& vertex : part.influences) EXPECT_EQ(vertex.joint[0], 3);
  }
  AnimateJob job;
  job.input = rigged;
  job.output = folder / "flesh.glb";
  test::flesh(job.method).tetrahedra = 1000;
  job.begin = 0;
  job.end = 0.1;
  EXPECT_NO_THROW(animate_file(job));
}

TEST(RigMeshFile, AnObjBecomesACharacter) {
  const auto folder = test::scratch_files();
  const TriangleMesh mesh = open_character(test::sample_file("tube.glb")).character.parts[0].surface;
  std::string text;
  for (const Vec3& p : mesh.positions)
    text += "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
  for (const Triangle& t : mesh.triangles)
    text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " + std::to_string(t[2] + 1) + "\n";
  write_file(folder / "tube.obj", std::as_bytes(std::span(text)));
  const auto [low, high] = std::minmax_element(mesh.positions.begin(), mesh.positions.end(),
                                               [](const Vec3& a, const Vec3& b) { return a.y < b.y; });
  const std::vector<PlacedJoint> two{{"lower", "", {0, 0.75 * low->y + 0.25 * high->y, 0}},
                                     {"upper", "lower", {0, 0.5 * (low->y + high->y), 0}}};
  const RigMeshReport report = rig_mesh_file(folder / "tube.obj", {}, two, "joints", {}, folder / "tube.glb");
  EXPECT_EQ(report.vertices, mesh.positions.size());
  const OpenedCharacter rigged = open_character(folder / "tube.glb");
  EXPECT_TRUE(has_skin_weights(rigged.character));
  const Pose pose = sample(rigged.character.skeleton, nullptr, 0);
  const std::vector<Vec3> skinned = posed_positions(rigged.character, rigged.character.parts[0], pose);
  ASSERT_EQ(skinned.size(), mesh.positions.size());
  for (std::size_t v = 0; v < skinned.size(); ++v) EXPECT_LT(distance(skinned[v], mesh.positions[v]), 1e-5);
}

TEST(RigMeshFile, SeveralTopmostJointsHangTogether) {
  const auto folder = test::scratch_files();
  test::strip_skin_weights(test::sample_file("tube.glb"), folder / "bare.glb", test::Stripped::skins);
  const RigMeshReport report = rig_mesh_file(folder / "bare.glb", {}, {{"a", "", {0, 0.2, 0}}, {"b", "", {0, 0.8, 0}}},
                                             "joints", {}, folder / "out.glb");
  EXPECT_EQ(report.joints.size(), 2u);
  const GltfDocument document = read_gltf_document(folder / "out.glb");
  const Json& nodes = (*document.json)["nodes"];
  EXPECT_EQ(nodes.back()["name"], "skeleton");
  EXPECT_EQ(nodes.back()["children"].size(), 2u);
  EXPECT_EQ((*document.json)["scenes"][0]["nodes"].back(), nodes.size() - 1);
}

TEST(JointsJson, IsReadAsItIsWrittenAndChecked) {
  const JointsFile file{MirrorAxis::z, half};
  const JointsFile read = joints_from_json(joints_json(file), "file");
  EXPECT_EQ(read.mirror, file.mirror);
  EXPECT_EQ(read.joints, half);
  const auto refusal = [](const char* text) -> std::string {
    try {
      joints_from_json(text, "j.json");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("{").find("j.json, line 1: is not JSON"), std::string::npos);
  EXPECT_NE(refusal("{}").find("\"version\" must be 1"), std::string::npos);
  EXPECT_NE(refusal(R"({"version": 1})").find("has no joints"), std::string::npos);
  EXPECT_NE(refusal(R"({"version": 1, "joints": [{"position": [0, 0, 0]}]})").find("joints[0]: 'name' is missing"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"version": 1, "joints": [{"name": "a"}]})").find("'position' is missing"), std::string::npos);
  EXPECT_NE(refusal(R"({"version": 1, "joints": [{"name": "a", "position": [0, 0, 1e999]}]})").find("too large"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"version": 1, "mirror": "y", "joints": []})").find("mirror"), std::string::npos);
  EXPECT_NE(refusal(R"({"version": 1, "bones": []})").find("bones"), std::string::npos);
}

}  // namespace
}  // namespace sinew
