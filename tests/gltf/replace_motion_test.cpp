// Motion of joints is replaced in a document: other channels stay, and animated nodes have no matrix.
#include "sinew/gltf/write/replace_motion.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_clips.h"
#include "sinew/gltf/read/read_json.h"
#include "sinew/gltf/read/read_skeleton.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

// Two nodes, the second with a mirroring matrix; one animation turns and moves the first.
GltfDocument two_nodes() {
  Json json = Json::parse(R"({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"name": "a", "children": [1]},
              {"name": "b", "matrix": [-2,0,0,0, 0,2,0,0, 0,0,2,0, 1,2,3,1]}],
    "buffers": [{"byteLength": 64}],
    "bufferViews": [{"buffer": 0, "byteLength": 64}],
    "accessors": [
      {"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 2, "min": [0], "max": [1]},
      {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "type": "VEC3", "count": 2},
      {"bufferView": 0, "byteOffset": 32, "componentType": 5126, "type": "VEC4", "count": 2}],
    "animations": [{"name": "go", "extras": {"kept": true}, "channels": [
      {"sampler": 0, "target": {"node": 0, "path": "translation"}},
      {"sampler": 1, "target": {"path": "pointer",
                                "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0/rotation"}}}}],
      "samplers": [{"input": 0, "output": 1}, {"input": 0, "output": 2}]}]})");
  const float values[16] = {0, 1, 0, 0, 0, 4, 5, 6, 0, 0, 0, 1, 0, 0, 0, 1};
  GltfDocument document;
  document.path = "two_nodes.gltf";
  document.json = std::make_unique<Json>(std::move(json));
  const auto bytes = std::as_bytes(std::span(values));
  document.buffers.emplace_back(bytes.begin(), bytes.end());
  return document;
}

struct Read {
  Skeleton skeleton;
  std::vector<Clip> clips;
};
Read read(const GltfDocument& document) {
  std::vector<Defect> defects;
  const JsonView root("two_nodes.gltf", *document.json, "");
  AccessorReader reader(document);
  Read result{read_skeleton(root, defects), {}};
  result.clips = read_clips(root, reader, result.skeleton, defects);
  return result;
}

Channel turn_of(int joint, const Quat& to) {
  return {joint, ChannelPath::rotation, Interpolation::linear, {0, 0.5}, 4, {0, 0, 0, 1, to.x, to.y, to.z, to.w}};
}

TEST(ReplaceMotion, ReplacesChannelsOfEitherFormAndKeepsTheOthers) {
  const Quat to = axis_angle({0, 1, 0}, 1);
  const GltfDocument changed = with_motion_of(two_nodes(), 0, {"go", {turn_of(0, to)}}, std::array{0});
  const Json& animation = (*changed.json)["animations"][0];
  EXPECT_EQ(animation["channels"].size(), 2u);
  EXPECT_TRUE(animation["extras"]["kept"].get<bool>());
  const Read is = read(changed);
  const Pose pose = sample(is.skeleton, &is.clips.at(0), 1);
  EXPECT_LT(norm(pose.world[0].translation - Vec3{4, 5, 6}), 1e-6);
  EXPECT_NEAR(std::abs(dot(to_quaternion(pose.world[0].linear), to)), 1, 1e-6);
}

TEST(ReplaceMotion, AnAnimatedNodeHasNoMatrixAndStaysAsItWas) {
  const GltfDocument before = two_nodes();
  const Read was = read(before);
  const Pose rest = sample(was.skeleton, nullptr, 0);
  const GltfDocument changed = with_motion_of(before, -1, {"new", {turn_of(1, {0, 0, 0, 1})}}, std::array{1});
  EXPECT_FALSE((*changed.json)["nodes"][1].contains("matrix"));
  const Read is = read(changed);
  ASSERT_EQ(is.clips.size(), 2u);
  EXPECT_EQ(is.clips[1].name, "new");
  const Pose pose = sample(is.skeleton, nullptr, 0);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(pose.world[1].linear.m[k], rest.world[1].linear.m[k], 1e-12);
  EXPECT_EQ(pose.world[1].translation, rest.world[1].translation);
}

}  // namespace
}  // namespace sinew
