// Skeletons, skins, parts and clips from hand-made documents.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/gltf/animation_target.h"
#include "sinew/gltf/read/property_defaults.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

using test::GltfBuilder;
using test::names;
using test::read_refusal;

const std::vector<float> six_points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};

std::vector<Triangle> triangles_of(const nlohmann::json& mode, const std::vector<std::uint8_t>& indices) {
  GltfBuilder builder;
  nlohmann::json primitive = {{"attributes", {{"POSITION", builder.accessor(six_points, "VEC3")}}}, {"mode", mode}};
  if (!indices.empty()) primitive["indices"] = builder.accessor(indices, "SCALAR");
  builder.show(primitive);
  return builder.character().parts.at(0).surface.triangles;
}

TEST(GltfTopology, ListsStripsAndFans) {
  using List = std::vector<Triangle>;
  EXPECT_EQ(triangles_of(4, {}), (List{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(triangles_of(4, {0, 1, 2, 2, 1, 3}), (List{{0, 1, 2}, {2, 1, 3}}));
  // glTF 2.0 section 3.7.2.1: every second triangle of a strip turns, so that all wind alike.
  EXPECT_EQ(triangles_of(5, {}), (List{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}}));
  EXPECT_EQ(triangles_of(5, {0, 1, 2, 2, 3}), (List{{0, 1, 2}}));
  EXPECT_EQ(triangles_of(6, {0, 1, 2, 3}), (List{{1, 2, 0}, {2, 3, 0}}));
}

TEST(GltfTopology, PointsAndLinesAreNoSurface) {
  for (const int mode : {0, 1, 2, 3}) {
    GltfBuilder builder;
    builder.show({{"attributes", {{"POSITION", builder.accessor(six_points, "VEC3")}}}, {"mode", mode}});
    const Character character = builder.character();
    EXPECT_FALSE(character.parts.at(0).triangles);
    EXPECT_TRUE(character.parts.at(0).surface.triangles.empty());
  }
  EXPECT_THROW(triangles_of(7, {}), Error);
}

TEST(GltfTopology, LeftOverCornersAreNamed) {
  GltfBuilder builder;
  builder.show({{"attributes", {{"POSITION", builder.accessor(six_points, "VEC3")}}},
                {"indices", builder.accessor(std::vector<std::uint16_t>{0, 1, 2, 3}, "SCALAR")}});
  std::vector<Defect> repairs;
  EXPECT_EQ(builder.character(&repairs).parts.at(0).surface.triangles.size(), 1u);
  EXPECT_TRUE(names(repairs, "incomplete triangle", {}));
}

TEST(GltfTopology, IndicesMustNameVertices) {
  EXPECT_THROW(triangles_of(4, {0, 1, 6}), Error);
  EXPECT_THROW(triangles_of(4, {0, 1, 255}), Error);
}

// A strip of points on the x axis, one per influence row, with as many sets as fit.
struct SkinnedPoints {
  GltfBuilder builder;
  nlohmann::json attributes;

  SkinnedPoints(std::size_t vertices, int joints) {
    std::vector<float> positions(3 * vertices, 0.0f);
    for (std::size_t v = 0; v < vertices; ++v) positions[3 * v] = static_cast<float>(v);
    attributes["POSITION"] = builder.accessor(positions, "VEC3");
    builder.json["skins"] = {{{"joints", nlohmann::json::array()}}};
    for (int j = 0; j < joints; ++j) {
      builder.json["nodes"].push_back({{"name", "joint " + std::to_string(j)}});
      builder.json["skins"][0]["joints"].push_back(j);
    }
  }
  template <class Index, class Weight>
  void add_set(int set, const std::vector<Index>& indices, const std::vector<Weight>& weights) {
    attributes["JOINTS_" + std::to_string(set)] = builder.accessor(indices, "VEC4");
    attributes["WEIGHTS_" + std::to_string(set)] = builder.accessor(weights, "VEC4", !std::is_same_v<Weight, float>);
  }
  GltfBuilder& finish() {
    builder.show({{"attributes", attributes}});
    builder.json["nodes"].back()["skin"] = 0;
    return builder;
  }
};

void expect_influences(const Influences& influences, const std::vector<std::pair<int, double>>& expected) {
  ASSERT_EQ(influences.count, static_cast<int>(expected.size()));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(influences.joint[k], expected[k].first);
    EXPECT_NEAR(influences.weight[k], expected[k].second, 1e-7);
  }
}

TEST(GltfInfluences, AllWeightTypesSortedByFallingWeight) {
  SkinnedPoints floats(3, 4), bytes(3, 4), shorts(3, 4);
  floats.add_set<std::uint8_t, float>(0, {0, 1, 2, 3, 3, 0, 0, 0, 1, 2, 0, 0},
                                      {0.1f, 0.2f, 0.3f, 0.4f, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0});
  bytes.add_set<std::uint16_t, std::uint8_t>(0, {0, 1, 2, 3, 3, 0, 0, 0, 1, 2, 0, 0},
                                             {51, 102, 0, 102, 255, 0, 0, 0, 204, 51, 0, 0});
  shorts.add_set<std::uint8_t, std::uint16_t>(0, {0, 1, 2, 3, 3, 0, 0, 0, 1, 2, 0, 0},
                                              {13107, 52428, 0, 0, 65535, 0, 0, 0, 13107, 52428, 0, 0});
  std::vector<Defect> repairs;
  const Part a = floats.finish().character(&repairs).parts.at(0), b = bytes.finish().character(&repairs).parts.at(0),
             c = shorts.finish().character(&repairs).parts.at(0);
  EXPECT_TRUE(repairs.empty());
  expect_influences(a.influences.at(0), {{3, 0.4}, {2, 0.3}, {1, 0.2}, {0, 0.1}});
  expect_influences(a.influences.at(1), {{3, 1}});
  expect_influences(a.influences.at(2), {{1, 0.5}, {2, 0.5}});
  expect_influences(b.influences.at(0), {{1, 0.4}, {3, 0.4}, {0, 0.2}});
  expect_influences(b.influences.at(2), {{1, 0.8}, {2, 0.2}});
  expect_influences(c.influences.at(0), {{1, 0.8}, {0, 0.2}});
  expect_influences(c.influences.at(2), {{2, 0.8}, {1, 0.2}});
}

TEST(GltfInfluences, TwoSetsGiveEightAndMoreAreCut) {
  SkinnedPoints eight(3, 12);
  const std::vector<std::uint8_t> first = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},
                                  second = {4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7},
                                  third = {8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11};
  eight.add_set<std::uint8_t, float>(0, first, std::vector<float>(12, 0.125f));
  eight.add_set<std::uint8_t, float>(1, second, std::vector<float>(12, 0.125f));
  const Part part = eight.finish().character().parts.at(0);
  ASSERT_EQ(part.influences.at(0).count, 8);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_DOUBLE_EQ(part.influences.at(0).weight[k], 0.125);

  SkinnedPoints twelve(3, 12);
  twelve.add_set<std::uint8_t, float>(0, first, std::vector<float>(12, 0.05f));
  twelve.add_set<std::uint8_t, float>(1, second, std::vector<float>(12, 0.1f));
  twelve.add_set<std::uint8_t, float>(2, third, std::vector<float>(12, 0.1f));
  std::vector<Defect> repairs;
  const Part cut = twelve.finish().character(&repairs).parts.at(0);
  EXPECT_TRUE(names(repairs, "more than eight influences", {0, 1, 2}));
  ASSERT_EQ(cut.influences.at(1).count, 8);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_GE(cut.influences.at(1).joint[k], 4);
    EXPECT_NEAR(cut.influences.at(1).weight[k], 0.125, 1e-7);
  }
}

TEST(GltfInfluences, DefectsAreRepairedAndNamed) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  SkinnedPoints points(9, 3);
  points.add_set<std::uint8_t, float>(
      0, {1, 2, 0, 0, 2, 1, 0, 0, 1, 2, 0, 0, 1, 1, 2, 0, 1, 2, 0, 0, 1, 7, 0, 0, 2, 0, 0, 0, 1, 2, 0, 0, 9, 0, 0, 0},
      {0.5f, 0.5f, 0,    0,    nan, nan, nan, nan, nan, 1, 0,     infinity, 0.25f, 0.25f, 0.5f, 0, 1.5f, 0.5f,
       0,    0,    0.5f, 0.5f, 0,   0,   0,   0,   0,   0, -0.5f, 1,        0,     0,     0,    0, 0,    0});
  std::vector<Defect> repairs;
  const Part part = points.finish().character(&repairs).parts.at(0);
  expect_influences(part.influences.at(0), {{1, 0.5}, {2, 0.5}});
  expect_influences(part.influences.at(1), {{2, 1}});  // nothing left: the joint of its first influence
  expect_influences(part.influences.at(2), {{2, 1}});
  expect_influences(part.influences.at(3), {{1, 0.5}, {2, 0.5}});
  expect_influences(part.influences.at(4), {{1, 0.75}, {2, 0.25}});
  expect_influences(part.influences.at(5), {{1, 1}});
  expect_influences(part.influences.at(6), {{2, 1}});
  expect_influences(part.influences.at(7), {{2, 1}});
  expect_influences(part.influences.at(8), {{0, 1}});  // its first influence names no joint
  EXPECT_TRUE(names(repairs, "NaN skin weight", {1, 2}));
  EXPECT_TRUE(names(repairs, "duplicate joint in a vertex", {3}));
  EXPECT_TRUE(names(repairs, "weights not summing to one", {4, 5}));
  EXPECT_TRUE(names(repairs, "joint index out of range", {5}));
  EXPECT_TRUE(names(repairs, "unweighted vertex", {1, 6, 8}));
  EXPECT_TRUE(names(repairs, "negative skin weight", {7}));
}

TEST(GltfInfluences, WeightsOnlyOnMissingJointsAreRefused) {
  SkinnedPoints points(3, 2);
  points.add_set<std::uint8_t, float>(0, {0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  EXPECT_NE(read_refusal(points.finish()).find("vertex 1 "), std::string::npos);
}

TEST(GltfParts, OneMeshOnManyNodesWithItsOwnSkins) {
  SkinnedPoints points(3, 2);
  points.add_set<std::uint8_t, float>(0, {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0},
                                      {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0});
  GltfBuilder& builder = points.finish();
  builder.json["skins"].push_back({{"joints", {1, 0}}});
  builder.json["nodes"][0]["translation"] = {0, 10, 0};
  builder.json["nodes"][1]["translation"] = {0, 0, 5};
  builder.json["nodes"][2]["translation"] = {100, 100, 100};  // a skinned mesh ignores its own node
  builder.json["nodes"].push_back({{"mesh", 0}, {"skin", 1}});
  builder.json["nodes"].push_back({{"mesh", 0}, {"translation", {7, 0, 0}}});
  builder.json["nodes"].push_back({{"mesh", 0}});  // outside of the scene
  builder.json["scenes"][0]["nodes"] = {0, 1, 2, 3, 4};
  std::vector<Defect> repairs;
  const Character character = builder.character(&repairs);
  ASSERT_EQ(character.parts.size(), 3u);
  EXPECT_TRUE(names(repairs, "mesh outside the scene", {5}));
  const Pose pose = sample(character.skeleton, nullptr, 0);
  EXPECT_EQ(posed_positions(character, character.parts[0], pose),
            (std::vector<Vec3>{{0, 10, 0}, {1, 0, 5}, {2, 5, 2.5}}));
  EXPECT_EQ(posed_positions(character, character.parts[1], pose),
            (std::vector<Vec3>{{0, 0, 5}, {1, 10, 0}, {2, 5, 2.5}}));
  EXPECT_EQ(posed_positions(character, character.parts[2], pose), (std::vector<Vec3>{{7, 0, 0}, {8, 0, 0}, {9, 0, 0}}));
  EXPECT_EQ(character.parts[2].skin, -1);
}

TEST(GltfParts, ManyNodesCannotMultiplyAMeshWithoutBound) {
  GltfBuilder builder;
  builder.json["accessors"] = {{{"componentType", 5126}, {"count", 1'000'000}, {"type", "VEC3"}}};
  builder.show({{"attributes", {{"POSITION", 0}}}, {"mode", 0}});
  for (int i = 0; i < 1000; ++i) builder.json["nodes"].push_back({{"mesh", 0}});
  builder.json.erase("scenes");
  EXPECT_NE(read_refusal(builder).find("more numbers"), std::string::npos);
}

TEST(GltfParts, MorphTargetsPaintAndColours) {
  GltfBuilder builder;
  const int positions = builder.accessor(six_points, "VEC3");
  const int offsets = builder.accessor(
      std::vector<std::int8_t>{127, 0, 0, 0, -127, 0, 0, 0, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3", true);
  const int stiffness = builder.accessor(std::vector<float>{1, 2, 0, 1, 1, 0.5f}, "SCALAR");
  const int damping = builder.accessor(std::vector<std::uint8_t>{255, 0, 51, 255, 255, 255}, "SCALAR", true);
  const int colors = builder.accessor(std::vector<std::uint16_t>(24, 65535), "VEC4", true);
  builder.show(
      {{"attributes",
        {{"POSITION", positions}, {"COLOR_0", colors}, {"_SINEW_STIFFNESS", stiffness}, {"_SINEW_DAMPING", damping}}},
       {"targets", {{{"POSITION", offsets}}, nlohmann::json::object()}},
       {"material", 0}});
  builder.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorFactor", {0.5, 0.25, 1, 1}}}}}};
  builder.json["meshes"][0]["weights"] = {0.5, 0.25};
  const Character character = builder.character();
  const Part& part = character.parts.at(0);
  ASSERT_EQ(part.targets.size(), 2u);
  EXPECT_EQ(part.targets[0][0], (Vec3{1, 0, 0}));
  EXPECT_EQ(part.targets[0][1], (Vec3{0, -1, 0}));
  EXPECT_EQ(part.targets[1][1], Vec3{});
  EXPECT_EQ(part.fields[field("stiffness")], (std::vector<double>{1, 2, 0, 1, 1, 0.5}));
  EXPECT_EQ(part.fields[field("damping")].at(2), 0.2);
  EXPECT_EQ(part.colors.at(5), (Vec3{1, 1, 1}));
  EXPECT_EQ(part.base_color, (Vec3{0.5, 0.25, 1}));
  EXPECT_EQ(posed_positions(character, part, sample(character.skeleton, nullptr, 0)).at(0), (Vec3{0.5, 0, 0}));

  builder.json["nodes"][0]["weights"] = {1, 0};  // a node's own weights win
  EXPECT_EQ(builder.character().skeleton.joints.at(0).rest_weights, (std::vector<double>{1, 0}));
  builder.json["nodes"][0]["weights"] = {1};
  read_refusal(builder);
}

TEST(GltfParts, NamesOfMorphTargets) {
  GltfBuilder builder;
  const int positions = builder.accessor(six_points, "VEC3");
  builder.show(
      {{"attributes", {{"POSITION", positions}}}, {"targets", {nlohmann::json::object(), nlohmann::json::object()}}});
  using Names = std::vector<std::string>;
  const auto names = [&] { return builder.character().parts.at(0).target_names; };
  EXPECT_EQ(names(), Names());
  nlohmann::json& mesh = builder.json["meshes"][0];
  mesh["primitives"][0]["extras"]["targetNames"] = {"a"};
  EXPECT_EQ(names(), Names{"a"});
  mesh["extras"]["targetNames"] = {"smile", 3};
  EXPECT_EQ(names(), (Names{"smile", ""}));
  mesh["extras"] = "none";
  EXPECT_EQ(names(), Names{"a"});
}

TEST(GltfParts, PaintMayHaveAnUnderscoreOfItsExporter) {
  GltfBuilder builder;
  const int one = builder.accessor(std::vector<float>(6, 0.5f), "SCALAR"),
            two = builder.accessor(std::vector<float>(6, 2), "SCALAR");
  builder.show(
      {{"attributes",
        {{"POSITION", builder.accessor(six_points, "VEC3")}, {"__SINEW_STIFFNESS", two}, {"__SINEW_DAMPING", one}}}});
  std::vector<Defect> repairs;
  const Part part = builder.character(&repairs).parts.at(0);
  EXPECT_EQ(part.fields[field("stiffness")], std::vector<double>(6, 2));
  EXPECT_EQ(part.fields[field("damping")], std::vector<double>(6, 0.5));
  EXPECT_TRUE(repairs.empty());

  auto& attributes = builder.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["_SINEW_STIFFNESS"] = one;
  const Part twice = builder.character(&repairs).parts.at(0);
  EXPECT_EQ(twice.fields[field("stiffness")], std::vector<double>(6, 0.5));
  EXPECT_EQ(twice.fields[field("damping")], std::vector<double>(6, 0.5));
  ASSERT_EQ(repairs.size(), 1u);
  EXPECT_EQ(repairs[0].name, "attribute given twice");
  EXPECT_NE(repairs[0].action.find("__SINEW_STIFFNESS is ignored"), std::string::npos) << repairs[0].action;

  attributes = {{"POSITION", attributes["POSITION"]},
                {"__SINEW_DAMPING", builder.accessor(std::vector<float>(6, -1), "SCALAR")}};
  EXPECT_NE(read_refusal(builder).find("__SINEW_DAMPING"), std::string::npos);
}

TEST(GltfParts, PositionsMustBeNumbersAndPaintPositive) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    GltfBuilder builder;
    std::vector<float> positions = six_points;
    positions[7] = bad;
    builder.show({{"attributes", {{"POSITION", builder.accessor(positions, "VEC3")}}}});
    EXPECT_NE(read_refusal(builder).find("vertex 2"), std::string::npos);
    GltfBuilder painted;
    const int at = painted.accessor(six_points, "VEC3");
    painted.show({{"attributes",
                   {{"POSITION", at},
                    {"_SINEW_STIFFNESS", painted.accessor(std::vector<float>{1, 1, 1, bad, 1, 1}, "SCALAR")}}}});
    EXPECT_NE(read_refusal(painted).find("vertex 3"), std::string::npos);
  }
}

TEST(GltfParts, BadNormalsAreDroppedAndNamed) {
  GltfBuilder builder;
  std::vector<float> normals(18, 1.0f);
  normals[4] = std::numeric_limits<float>::quiet_NaN();
  const int positions = builder.accessor(six_points, "VEC3");
  builder.show({{"attributes", {{"POSITION", positions}, {"NORMAL", builder.accessor(normals, "VEC3")}}}});
  std::vector<Defect> repairs;
  EXPECT_TRUE(builder.character(&repairs).parts.at(0).normals.empty());
  EXPECT_TRUE(names(repairs, "NaN", {1}));
}

TEST(GltfSkeleton, MatricesScalesAndOrder) {
  GltfBuilder builder;
  // Child before parent in the file; a matrix above it; a quaternion that is not normalised.
  builder.json["nodes"] = {{{"translation", {1, 0, 0}}},
                           {{"matrix", {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1}}, {"children", {0}}},
                           {{"rotation", {0, 0, 3, 3}}, {"scale", {1, -1, 1}}}};
  std::vector<Defect> repairs;
  const Character character = builder.character(&repairs);
  EXPECT_EQ(character.skeleton.parents_first, (std::vector<int>{1, 2, 0}));
  const Pose pose = sample(character.skeleton, nullptr, 0);
  EXPECT_EQ(pose.world[0].translation, (Vec3{5, 8, 7}));
  EXPECT_NEAR(distance(pose.world[2] * Vec3{1, 1, 0}, {1, 1, 0}), 0, 1e-15);
  EXPECT_TRUE(names(repairs, "rotation not of unit length", {2}));
  const Transform& split = character.skeleton.joints[1].rest;
  EXPECT_EQ(split.scale, (Vec3{2, 2, 2}));
  EXPECT_NEAR(split.rotation.z, std::sqrt(0.5), 1e-15);
}

TEST(GltfSkeleton, CyclesTwoParentsAndEndlessChainsAreRefused) {
  GltfBuilder cycle;
  cycle.json["nodes"] = {{{"children", {1}}}, {{"children", {2}}}, {{"children", {1}}}};
  read_refusal(cycle);
  cycle.json["nodes"] = {{{"children", {1}}}, {{"children", {0}}}};
  EXPECT_NE(read_refusal(cycle).find("own ancestors"), std::string::npos);
  cycle.json["nodes"] = {{{"children", {0}}}};
  EXPECT_NE(read_refusal(cycle).find("own ancestors"), std::string::npos);
  GltfBuilder chain;
  for (int i = 0; i < 10'500; ++i) chain.json["nodes"].push_back({{"children", {i + 1}}});
  chain.json["nodes"].push_back(nlohmann::json::object());
  EXPECT_NE(read_refusal(chain).find("chain"), std::string::npos) << read_refusal(chain);
}

TEST(GltfSkeleton, TransformsThatOverflowAreRefused) {
  GltfBuilder builder;
  builder.json["nodes"] = {{{"scale", {1e200, 1, 1}}, {"children", {1}}}, {{"scale", {1e200, 1, 1}}}};
  EXPECT_NE(read_refusal(builder).find("nodes[1]"), std::string::npos);
}

TEST(GltfSkin, InverseBindMatricesAreChecked) {
  GltfBuilder builder;
  builder.json["nodes"] = {nlohmann::json::object(), nlohmann::json::object()};
  std::vector<float> matrices(32, 0.0f);
  for (const std::size_t diagonal : {0u, 5u, 10u, 15u, 16u, 21u, 26u, 31u}) matrices[diagonal] = 1;
  matrices[28] = 3;
  builder.json["skins"] = {{{"joints", {0, 1}}, {"inverseBindMatrices", builder.accessor(matrices, "MAT4")}}};
  EXPECT_EQ(builder.character().skins.at(0).inverse_bind.at(1).translation, (Vec3{3, 0, 0}));
  matrices[31] = 0.5f;
  builder.json["skins"][0]["inverseBindMatrices"] = builder.accessor(matrices, "MAT4");
  EXPECT_NE(read_refusal(builder).find("joint 1"), std::string::npos);
  matrices[31] = std::numeric_limits<float>::quiet_NaN();
  builder.json["skins"][0]["inverseBindMatrices"] = builder.accessor(matrices, "MAT4");
  read_refusal(builder);
  builder.json["skins"][0].erase("inverseBindMatrices");
  EXPECT_EQ(builder.character().skins.at(0).inverse_bind.at(1), Affine{});
  builder.json["skins"][0]["joints"] = {0, 2};
  read_refusal(builder);
}

// One node, one channel.
GltfBuilder animated(const std::string& path, const std::vector<float>& times, const nlohmann::json& interpolation) {
  GltfBuilder builder;
  builder.json["nodes"] = nlohmann::json::array({nlohmann::json::object()});
  const int input = builder.accessor(times, "SCALAR");
  builder.json["animations"] = {{{"name", "clip"},
                                 {"samplers", {{{"input", input}, {"output", 1}}}},
                                 {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", path}}}}}}}};
  if (!interpolation.is_null()) builder.json["animations"][0]["samplers"][0]["interpolation"] = interpolation;
  return builder;
}

TEST(GltfClips, NormalizedIntegerRotations) {
  GltfBuilder builder = animated("rotation", {0, 1}, nullptr);
  builder.accessor(std::vector<std::int16_t>{0, 0, 0, 32767, 0, 0, 32767, 0}, "VEC4", true);
  const Character character = builder.character();
  ASSERT_EQ(character.clips.size(), 1u);
  EXPECT_EQ(character.clips[0].end, 1);
  const Pose pose = sample(character.skeleton, &character.clips[0], 0.5);
  EXPECT_NEAR(distance(pose.world[0] * Vec3{1, 0, 0}, {0, 1, 0}), 0, 1e-9);
}

TEST(GltfClips, MorphWeightsHaveAsManyComponentsAsTargets) {
  GltfBuilder builder = animated("weights", {0, 2}, "STEP");
  builder.accessor(std::vector<std::uint8_t>{0, 255, 51, 0}, "SCALAR", true);
  const int positions = builder.accessor(six_points, "VEC3");
  builder.json["meshes"] = {{{"primitives",
                              {{{"attributes", {{"POSITION", positions}}},
                                {"targets", {{{"POSITION", positions}}, {{"POSITION", positions}}}}}}}}};
  std::vector<Defect> repairs;
  EXPECT_TRUE(builder.character(&repairs).clips.at(0).channels.empty());  // the node shows no mesh
  EXPECT_TRUE(names(repairs, "weights channel without morph targets", {0}));
  builder.json["nodes"][0]["mesh"] = 0;
  const Character character = builder.character();
  EXPECT_EQ(sample(character.skeleton, &character.clips.at(0), 1).morph_weights.at(0), (std::vector<double>{0, 1}));
  EXPECT_EQ(sample(character.skeleton, &character.clips.at(0), 2).morph_weights.at(0), (std::vector<double>{0.2, 0}));
  EXPECT_EQ(sample(character.skeleton, nullptr, 2).morph_weights.at(0), (std::vector<double>{0, 0}));
}

TEST(GltfClips, TimesMustRiseAndJumpsStayJumps) {
  const std::vector<float> three = {0, 0, 0, 1, 0, 0, 2, 0, 0};
  GltfBuilder jump = animated("translation", {0, 1, 1}, nullptr);
  jump.accessor(three, "VEC3");
  std::vector<Defect> repairs;
  const Character character = jump.character(&repairs);
  EXPECT_TRUE(names(repairs, "two keys at one time", {0}));
  EXPECT_NEAR(sample(character.skeleton, &character.clips[0], 0.999).world[0].translation.x, 0.999, 1e-12);
  EXPECT_EQ(sample(character.skeleton, &character.clips[0], 1.001).world[0].translation.x, 2);
  for (const float last : {0.5f, std::numeric_limits<float>::quiet_NaN()}) {
    GltfBuilder falling = animated("translation", {0, 1, last}, nullptr);
    falling.accessor(three, "VEC3");
    read_refusal(falling);
  }
}

TEST(GltfClips, ValuesMustFit) {
  const auto refused = [](const std::string& path, const char* interpolation, const std::vector<float>& values,
                          const char* type) {
    GltfBuilder builder = animated(path, {0, 1}, interpolation);
    builder.accessor(values, type);
    read_refusal(builder);
  };
  refused("translation", "LINEAR", std::vector<float>(3, 0), "VEC3");
  refused("translation", "LINEAR", std::vector<float>(9, 0), "VEC3");
  refused("translation", "CUBICSPLINE", std::vector<float>(6, 0), "VEC3");
  refused("translation", "LINEAR", std::vector<float>(8, 0), "VEC4");
  refused("translation", "HERMITE", std::vector<float>(6, 0), "VEC3");
  refused("rotation", "LINEAR", std::vector<float>(8, 0), "VEC4");
  refused("scale", "LINEAR", std::vector<float>(6, std::numeric_limits<float>::infinity()), "VEC3");
}

TEST(GltfClips, TwoChannelsForOneTargetAreRefusedAndForeignOnesPass) {
  GltfBuilder builder = animated("translation", {0, 1}, nullptr);
  builder.accessor(std::vector<float>(6, 0), "VEC3");
  nlohmann::json& channels = builder.json["animations"][0]["channels"];
  channels.push_back({{"sampler", 0}, {"target", {{"path", "pointer"}}}});
  std::vector<Defect> repairs;
  EXPECT_EQ(builder.character(&repairs).clips.at(0).channels.size(), 1u);
  EXPECT_TRUE(names(repairs, "channel that moves no node", {1}));
  channels.push_back(channels[0]);
  EXPECT_NE(read_refusal(builder).find("channels[2]"), std::string::npos);
}

nlohmann::json moved_by_pointer(int sampler, const std::string& pointer) {
  return {{"sampler", sampler}, {"target", pointer_target(pointer)}};
}

TEST(GltfClips, PointersMoveNumbersOfTheFile) {
  GltfBuilder builder = animated("translation", {0, 1}, nullptr);
  builder.accessor(std::vector<float>(6, 0), "VEC3");
  const int times = builder.accessor(std::vector<float>{0, 2}, "SCALAR");
  const auto add_sampler = [&](int output) {
    nlohmann::json& samplers = builder.json["animations"][0]["samplers"];
    samplers.push_back({{"input", times}, {"output", output}});
    return static_cast<int>(samplers.size()) - 1;
  };
  const int one = add_sampler(builder.accessor(std::vector<float>{0, 4}, "SCALAR")),
            three = add_sampler(builder.accessor(std::vector<float>{0, 0, 0, 1, 2, 3}, "VEC3"));
  builder.json["nodes"][0]["extras"] = {{"breathe", 0.25}, {"face", {{"smile", 1}}}, {"note", "hello"}};
  builder.json["materials"] = {{{"emissiveFactor", {0.5, 0.25, 0}}}};
  nlohmann::json& channels = builder.json["animations"][0]["channels"];
  for (const auto& [sampler, pointer] : {std::pair{one, "/nodes/0/extras/breathe"},
                                         {three, "/materials/0/emissiveFactor"},
                                         {one, "/nodes/0/extras/face/smile"},
                                         {one, "/nodes/0/extras/note"},
                                         {one, "/nodes/0/extras/breath"},
                                         {one, "nodes"},
                                         {three, "/nodes/0/extras/breathe"}})
    channels.push_back(moved_by_pointer(sampler, pointer));
  std::vector<Defect> repairs;
  const Character character = builder.character(&repairs);
  std::vector<std::string> pointers;
  for (const Property& property : character.skeleton.properties) pointers.push_back(property.pointer);
  EXPECT_EQ(pointers, (std::vector<std::string>{"/nodes/0/extras/breathe", "/materials/0/emissiveFactor/0",
                                                "/materials/0/emissiveFactor/1", "/materials/0/emissiveFactor/2",
                                                "/nodes/0/extras/face/smile"}));
  const Clip& clip = character.clips.at(0);
  EXPECT_EQ(clip.channels.size(), 1u);
  EXPECT_EQ(clip.end, 2) << "keys of custom properties count";
  EXPECT_EQ(sample(character.skeleton, &clip, 1).properties, (std::vector<double>{2, 0.5, 1, 1.5, 2}));
  EXPECT_EQ(sample(character.skeleton, nullptr, 1).properties, (std::vector<double>{0.25, 0.5, 0.25, 0, 1}));
  EXPECT_TRUE(names(repairs, "channel that moves no node", {4}));
  EXPECT_TRUE(names(repairs, "pointer that names nothing", {5}));
  EXPECT_TRUE(names(repairs, "pointer that names nothing", {6}));
  EXPECT_TRUE(names(repairs, "keys that do not fit their pointer", {7}));
  channels.push_back(channels[1]);
  repairs.clear();
  builder.character(&repairs);
  EXPECT_TRUE(names(repairs, "number that several channels move", {8}));
}

// Where the scene that viewers show has no skin, the others are searched.
TEST(GltfParts, ACharacterInAnotherSceneIsFound) {
  SkinnedPoints points(3, 2);
  points.add_set<std::uint8_t, float>(0, {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0},
                                      {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0});
  GltfBuilder& builder = points.finish();
  const nlohmann::json own = builder.json["scenes"][0]["nodes"];
  builder.json["nodes"].push_back({{"name", "lamp"}});
  builder.json["nodes"].push_back({{"mesh", 0}});  // without a skin
  builder.json["scenes"] = {{{"nodes", {3, 4}}}, {{"nodes", {3}}}, {{"nodes", own}}};
  std::vector<Defect> repairs;
  const Character character = builder.character(&repairs);
  ASSERT_EQ(character.parts.size(), 1u);
  EXPECT_EQ(character.parts[0].skin, 0);
  EXPECT_TRUE(names(repairs, "character in another scene", {}));
  builder.json["scenes"][1]["nodes"] = {3, 99};
  EXPECT_NE(read_refusal(builder).find("scenes[1].nodes[1]"), std::string::npos);
}

TEST(GltfClips, NamesAreMadeDifferent) {
  GltfBuilder builder;
  builder.json["nodes"] = {{{"name", "a"}}};
  const int input = builder.accessor(std::vector<float>{-0.5f, 1}, "SCALAR"),
            output = builder.accessor(std::vector<float>{0, 0, 0, 1, 0, 0}, "VEC3");
  for (const char* name : {"walk", "", "walk", "walk (2)"})
    builder.json["animations"].push_back(
        {{"name", name},
         {"samplers", {{{"input", input}, {"output", output}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}}}});
  std::vector<Defect> repairs;
  const Character character = builder.character(&repairs);
  std::vector<std::string> clips;
  for (const Clip& clip : character.clips) clips.push_back(clip.name);
  EXPECT_EQ(clips, (std::vector<std::string>{"walk", "animation 1", "walk (2)", "walk (2) (2)"}));
  EXPECT_TRUE(names(repairs, "clip with an empty name", {1}));
  EXPECT_TRUE(names(repairs, "two clips of one name", {2, 3}));
  EXPECT_TRUE(names(repairs, "negative key time", {0}));
}

// A property that the file leaves out is moved from the default that glTF gives it, where its object is there.
TEST(GltfClips, PointersMovePropertiesThatAreLeftOut) {
  GltfBuilder builder = animated("translation", {0, 1}, nullptr);
  builder.accessor(std::vector<float>(6, 0), "VEC3");
  const int times = builder.accessor(std::vector<float>{0, 2}, "SCALAR");
  nlohmann::json& samplers = builder.json["animations"][0]["samplers"];
  const auto sampler_of = [&](std::size_t numbers) {
    const char* type = numbers == 1 ? "SCALAR" : numbers == 2 ? "VEC2" : numbers == 3 ? "VEC3" : "VEC4";
    samplers.push_back({{"input", times}, {"output", builder.accessor(std::vector<float>(2 * numbers, 7), type)}});
    return static_cast<int>(samplers.size()) - 1;
  };
  builder.json["materials"] = {
      {{"normalTexture", {{"index", 0}}},
       {"extensions",
        {{"KHR_materials_ior", nlohmann::json::object()}, {"KHR_materials_sheen", {{"sheenRoughnessFactor", 0.25}}}}}}};
  const std::vector<std::pair<std::string, std::vector<double>>> known{
      {"/materials/0/alphaCutoff", {0.5}},
      {"/materials/0/pbrMetallicRoughness/baseColorFactor", {1, 1, 1, 1}},
      {"/materials/0/normalTexture/scale", {1}},
      {"/materials/0/extensions/KHR_materials_ior/ior", {1.5}},
      {"/materials/0/extensions/KHR_materials_sheen/sheenColorFactor", {0, 0, 0}},
      {"/materials/0/extensions/KHR_materials_sheen/sheenRoughnessFactor", {0.25}}};
  nlohmann::json& channels = builder.json["animations"][0]["channels"];
  std::vector<double> rest;
  for (const auto& [pointer, values] : known) {
    channels.push_back(moved_by_pointer(sampler_of(values.size()), pointer));
    rest.insert(rest.end(), values.begin(), values.end());
  }
  // Objects that are not there, and properties without a default.
  for (const char* pointer : {"/materials/1/alphaCutoff", "/materials/0/occlusionTexture/strength",
                              "/materials/0/extensions/KHR_materials_volume/thicknessFactor", "/materials/0/emissive",
                              "/nodes/0/weights/0", "/nodes/0/rotation/0"})
    channels.push_back(moved_by_pointer(sampler_of(1), pointer));
  std::vector<Defect> repairs;
  const Character character = builder.character(&repairs);
  EXPECT_EQ(sample(character.skeleton, nullptr, 0).properties, rest);
  EXPECT_EQ(character.skeleton.properties[1].pointer, "/materials/0/pbrMetallicRoughness/baseColorFactor/0");
  EXPECT_EQ(sample(character.skeleton, &character.clips.at(0), 1).properties, std::vector<double>(rest.size(), 7));
  for (int number = 7; number < 13; ++number) EXPECT_TRUE(names(repairs, "pointer that names nothing", {number}));
}

TEST(GltfClips, WeightsThatAreLeftOutAreThoseOfTheMesh) {
  const auto root = nlohmann::json::parse(
      R"({"meshes": [{"primitives": [{"targets": [{}, {}, {}]}], "weights": [0, 0.5, 1]},
                     {"primitives": [{"targets": [{}, {}]}]}],
          "nodes": [{"mesh": 0}, {"mesh": 1}, {"name": "joint"}]})");
  EXPECT_EQ(default_of_property(root, "/nodes/0/weights/1"), std::vector<double>{0.5});
  EXPECT_EQ(default_of_property(root, "/nodes/1/weights"), (std::vector<double>{0, 0}));
  EXPECT_EQ(default_of_property(root, "/meshes/1/weights"), (std::vector<double>{0, 0}));
  for (const char* pointer : {"/nodes/0/weights/3", "/nodes/2/weights", "/nodes/3/weights/0", "/nodes/0/weights/x",
                              "/nodes/0/weights/99999999999999999999"})
    EXPECT_TRUE(default_of_property(root, pointer).empty()) << pointer;
}

// Extensions that touch neither geometry nor motion pass through, required or used.
TEST(GltfDocument, RequiredExtensionsThatAreHarmlessPassThrough) {
  for (const char* name : {"MSFT_lod", "EXT_mesh_gpu_instancing", "KHR_node_visibility", "KHR_animation_pointer",
                           "KHR_interactivity", "KHR_physics_rigid_bodies", "OMI_physics_body", "GODOT_single_root",
                           "FB_ngon_encoding", "EXT_structural_metadata"}) {
    GltfBuilder builder;
    builder.json["extensionsUsed"] = builder.json["extensionsRequired"] = {name};
    EXPECT_NO_THROW(builder.document()) << name;
  }
  for (const char* name : {"ACME_compressed_mesh", "KHR_gaussian_splatting", "CESIUM_RTC"}) {
    GltfBuilder builder;
    builder.json["extensionsUsed"] = builder.json["extensionsRequired"] = {name};
    EXPECT_NE(read_refusal([&] { builder.document(); }).find(name), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew
