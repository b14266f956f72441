// EXT_meshopt_compression and KHR_draco_mesh_compression against what their encoders were given.
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <cmath>

#include <draco/attributes/geometry_attribute.h>
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>

#include "sinew/gltf/accessor.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

using test::GltfBuilder;
using test::read_refusal;

// Buffer 1 is the fallback that nobody ships; the compressed bytes are in buffer 0.
GltfBuilder meshopt_document(const std::vector<unsigned char>& packed, std::size_t count, std::size_t stride,
                             const std::string& mode, const std::string& filter, const nlohmann::json& accessor) {
  GltfBuilder builder;
  builder.view(packed.data(), packed.size());
  builder.json["extensionsUsed"] = builder.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  builder.json["buffers"].push_back(
      {{"byteLength", count * stride}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}});
  nlohmann::json extension = {{"buffer", 0},          {"byteOffset", 0}, {"byteLength", packed.size()},
                              {"byteStride", stride}, {"count", count},  {"mode", mode}};
  if (filter != "NONE") extension["filter"] = filter;
  builder.json["bufferViews"][0] = {
      {"buffer", 1}, {"byteLength", count * stride}, {"extensions", {{"EXT_meshopt_compression", extension}}}};
  if (mode == "ATTRIBUTES") builder.json["bufferViews"][0]["byteStride"] = stride;
  builder.json["accessors"] = nlohmann::json::array({accessor});
  builder.json["accessors"][0]["bufferView"] = 0;
  return builder;
}

std::vector<unsigned char> encode_vertices(const void* data, std::size_t count, std::size_t stride) {
  std::vector<unsigned char> packed(meshopt_encodeVertexBufferBound(count, stride));
  packed.resize(meshopt_encodeVertexBuffer(packed.data(), packed.size(), data, count, stride));
  return packed;
}

std::vector<double> decompressed_accessor(const GltfBuilder& builder) {
  const GltfDocument document = builder.document();
  return AccessorReader(document).read(0).values;
}

constexpr std::size_t many = 300;  // more than one block of 256 vertices

TEST(Meshopt, AttributesWithoutFilterAreExact) {
  std::vector<float> data;
  std::vector<double> expected;
  for (std::size_t i = 0; i < 3 * many; ++i) {
    data.push_back(std::sin(static_cast<float>(i)));
    expected.push_back(static_cast<double>(data.back()));
  }
  const GltfBuilder builder = meshopt_document(encode_vertices(data.data(), many, 12), many, 12, "ATTRIBUTES", "NONE",
                                               {{"componentType", 5126}, {"count", many}, {"type", "VEC3"}});
  EXPECT_EQ(decompressed_accessor(builder), expected);
}

TEST(Meshopt, TrianglesAndIndicesOfBothSizes) {
  std::vector<unsigned int> indices;
  for (unsigned int i = 0; i + 2 < many; ++i) indices.insert(indices.end(), {i, i + 1, i + 2});
  const std::vector<double> expected(indices.begin(), indices.end());
  std::vector<unsigned char> triangles(meshopt_encodeIndexBufferBound(indices.size(), many));
  triangles.resize(meshopt_encodeIndexBuffer(triangles.data(), triangles.size(), indices.data(), indices.size()));
  std::vector<unsigned char> sequence(meshopt_encodeIndexSequenceBound(indices.size(), many));
  sequence.resize(meshopt_encodeIndexSequence(sequence.data(), sequence.size(), indices.data(), indices.size()));
  for (const std::size_t size : {std::size_t{2}, std::size_t{4}}) {
    const nlohmann::json accessor = {
        {"componentType", size == 2 ? 5123 : 5125}, {"count", indices.size()}, {"type", "SCALAR"}};
    EXPECT_EQ(decompressed_accessor(meshopt_document(sequence, indices.size(), size, "INDICES", "NONE", accessor)),
              expected);
    // The triangle codec may rotate the corners of a triangle; each holds the same three.
    const std::vector<double> decoded =
        decompressed_accessor(meshopt_document(triangles, indices.size(), size, "TRIANGLES", "NONE", accessor));
    ASSERT_EQ(decoded.size(), expected.size());
    for (std::size_t t = 0; t < decoded.size(); t += 3)
      EXPECT_TRUE(std::is_permutation(decoded.begin() + static_cast<std::ptrdiff_t>(t),
                                      decoded.begin() + static_cast<std::ptrdiff_t>(t) + 3,
                                      expected.begin() + static_cast<std::ptrdiff_t>(t)));
  }
}

std::vector<float> unit_vectors() {
  std::vector<float> vectors;
  for (std::size_t i = 0; i < many; ++i) {
    const float a = 0.37f * static_cast<float>(i), b = 0.11f * static_cast<float>(i);
    vectors.insert(vectors.end(), {std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b), 0.0f});
  }
  return vectors;
}

TEST(Meshopt, OctahedralFilterGivesUnitVectors) {
  const std::vector<float> vectors = unit_vectors();
  for (const std::size_t stride : {std::size_t{4}, std::size_t{8}}) {
    std::vector<unsigned char> filtered(many * stride);
    meshopt_encodeFilterOct(filtered.data(), many, stride, stride == 4 ? 8 : 16, vectors.data());
    const GltfBuilder builder = meshopt_document(
        encode_vertices(filtered.data(), many, stride), many, stride, "ATTRIBUTES", "OCTAHEDRAL",
        {{"componentType", stride == 4 ? 5120 : 5122}, {"count", many}, {"type", "VEC3"}, {"normalized", true}});
    const std::vector<double> decoded = decompressed_accessor(builder);
    for (std::size_t i = 0; i < many; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        ASSERT_NEAR(decoded[3 * i + c], static_cast<double>(vectors[4 * i + c]), stride == 4 ? 0.02 : 1e-4) << i;
  }
}

TEST(Meshopt, QuaternionFilterGivesTheRotationUpToSign) {
  std::vector<float> quaternions;
  for (std::size_t i = 0; i < many; ++i) {
    const float a = 0.37f * static_cast<float>(i), b = 0.11f * static_cast<float>(i);
    quaternions.insert(quaternions.end(), {std::sin(a) * std::cos(b), std::sin(a) * std::sin(b),
                                           std::cos(a) * std::cos(2 * b), std::cos(a) * std::sin(2 * b)});
  }
  std::vector<unsigned char> filtered(many * 8);
  meshopt_encodeFilterQuat(filtered.data(), many, 8, 16, quaternions.data());
  const std::vector<double> decoded = decompressed_accessor(
      meshopt_document(encode_vertices(filtered.data(), many, 8), many, 8, "ATTRIBUTES", "QUATERNION",
                       {{"componentType", 5122}, {"count", many}, {"type", "VEC4"}, {"normalized", true}}));
  for (std::size_t i = 0; i < many; ++i) {
    double cosine = 0;
    for (std::size_t c = 0; c < 4; ++c) cosine += decoded[4 * i + c] * static_cast<double>(quaternions[4 * i + c]);
    ASSERT_NEAR(std::fabs(cosine), 1, 1e-4) << i;
  }
}

TEST(Meshopt, ExponentialFilterGivesFloats) {
  const std::vector<float> vectors = unit_vectors();
  std::vector<unsigned char> filtered(many * 16);
  meshopt_encodeFilterExp(filtered.data(), many, 16, 20, vectors.data());
  const std::vector<double> decoded = decompressed_accessor(
      meshopt_document(encode_vertices(filtered.data(), many, 16), many, 16, "ATTRIBUTES", "EXPONENTIAL",
                       {{"componentType", 5126}, {"count", many}, {"type", "VEC4"}}));
  for (std::size_t i = 0; i < decoded.size(); ++i) ASSERT_NEAR(decoded[i], static_cast<double>(vectors[i]), 1e-5) << i;
}

TEST(Meshopt, DamagedStreamsAreRefused) {
  const std::vector<float> data(3 * many, 1.0f);
  std::vector<unsigned char> packed = encode_vertices(data.data(), many, 12);
  const nlohmann::json accessor = {{"componentType", 5126}, {"count", many}, {"type", "VEC3"}};
  const auto refused = [&](const std::vector<unsigned char>& bytes, std::size_t count, std::size_t stride,
                           const char* mode, const char* filter) {
    read_refusal([&] { decompressed_accessor(meshopt_document(bytes, count, stride, mode, filter, accessor)); });
  };
  refused({packed.begin(), packed.end() - 8}, many, 12, "ATTRIBUTES", "NONE");
  refused(packed, many, 12, "ATTRIBUTES", "OCTAHEDRAL");
  refused(packed, many, 12, "ATTRIBUTES", "GZIP");
  refused(packed, many, 12, "VERTICES", "NONE");
  refused(packed, 900, 4, "TRIANGLES", "NONE");
  refused(packed, 4'000'000'000u, 12, "ATTRIBUTES", "NONE");
  packed[0] = 0x55;
  refused(packed, many, 12, "ATTRIBUTES", "NONE");
}

TEST(Meshopt, AFallbackBufferWithoutCompressionHasNoData) {
  GltfBuilder builder;
  builder.view("abcd", 4);
  builder.json["buffers"].push_back({{"byteLength", 12}});
  builder.json["bufferViews"].push_back({{"buffer", 1}, {"byteLength", 12}});
  builder.json["accessors"] = {{{"bufferView", 1}, {"componentType", 5126}, {"count", 3}, {"type", "SCALAR"}}};
  EXPECT_NE(read_refusal([&] { decompressed_accessor(builder); }).find("has no data"), std::string::npos);
}

// A strip of quads with joints and weights, encoded without quantisation.
struct DracoStrip {
  static constexpr int faces = 20;
  std::vector<unsigned char> bytes;
  int position = -1, joints = -1, weights = -1;

  static std::array<float, 3> corner(int v) {
    return {static_cast<float>(v / 2), static_cast<float>(v % 2), 0.25f * static_cast<float>(v)};
  }
  static std::array<std::uint8_t, 4> joint(int v) { return {static_cast<std::uint8_t>(v % 3), 2, 0, 0}; }
  static std::array<std::uint8_t, 4> weight(int v) {
    return {static_cast<std::uint8_t>(255 - v), static_cast<std::uint8_t>(v), 0, 0};
  }

  DracoStrip() {
    draco::TriangleSoupMeshBuilder builder;
    builder.Start(faces);
    const int p = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
    const int j = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT8);
    const int w = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT8);
    for (int f = 0; f < faces; ++f) {
      const int a = f, b = f % 2 == 0 ? f + 1 : f + 2, c = f % 2 == 0 ? f + 2 : f + 1;
      const draco::FaceIndex face(static_cast<std::uint32_t>(f));
      builder.SetAttributeValuesForFace(p, face, corner(a).data(), corner(b).data(), corner(c).data());
      builder.SetAttributeValuesForFace(j, face, joint(a).data(), joint(b).data(), joint(c).data());
      builder.SetAttributeValuesForFace(w, face, weight(a).data(), weight(b).data(), weight(c).data());
    }
    const std::unique_ptr<draco::Mesh> mesh = builder.Finalize();
    position = static_cast<int>(mesh->attribute(p)->unique_id());
    joints = static_cast<int>(mesh->attribute(j)->unique_id());
    weights = static_cast<int>(mesh->attribute(w)->unique_id());
    draco::EncoderBuffer buffer;
    draco::Encoder encoder;
    EXPECT_TRUE(encoder.EncodeMeshToBuffer(*mesh, &buffer).ok());
    bytes.assign(buffer.data(), buffer.data() + buffer.size());
  }

  GltfBuilder document() const {
    GltfBuilder builder;
    const int view = builder.view(bytes.data(), bytes.size());
    builder.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
    const int vertices = faces + 2;
    builder.json["accessors"] = {{{"componentType", 5126}, {"count", vertices}, {"type", "VEC3"}},
                                 {{"componentType", 5121}, {"count", vertices}, {"type", "VEC4"}},
                                 {{"componentType", 5121}, {"count", vertices}, {"type", "VEC4"}, {"normalized", true}},
                                 {{"componentType", 5123}, {"count", 3 * faces}, {"type", "SCALAR"}}};
    const nlohmann::json extension = {
        {"bufferView", view}, {"attributes", {{"POSITION", position}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}};
    builder.json["nodes"] = {nlohmann::json::object(), nlohmann::json::object(), nlohmann::json::object()};
    builder.json["skins"] = {{{"joints", {0, 1, 2}}}};
    builder.show({{"attributes", {{"POSITION", 0}, {"JOINTS_0", 1}, {"WEIGHTS_0", 2}}},
                  {"indices", 3},
                  {"extensions", {{"KHR_draco_mesh_compression", extension}}}});
    builder.json["nodes"][3]["skin"] = 0;
    return builder;
  }
};

TEST(Draco, AttributesAndTrianglesComeBack) {
  const DracoStrip strip;
  const Character character = strip.document().character();
  ASSERT_EQ(character.parts.size(), 1u);
  const Part& part = character.parts[0];
  ASSERT_EQ(part.surface.positions.size(), static_cast<std::size_t>(DracoStrip::faces + 2));
  ASSERT_EQ(part.surface.triangles.size(), static_cast<std::size_t>(DracoStrip::faces));
  double area = 0;
  for (const Triangle& t : part.surface.triangles) {
    const auto at = [&](std::size_t k) { return part.surface.positions[static_cast<std::size_t>(t[k])]; };
    area += cross(at(1) - at(0), at(2) - at(0)).z / 2;
  }
  EXPECT_NEAR(std::fabs(area), DracoStrip::faces / 2.0, 1e-12);
  for (std::size_t v = 0; v < part.surface.positions.size(); ++v) {
    // The vertex is known by its height, whatever order the codec gave it.
    const int original = static_cast<int>(std::lround(part.surface.positions[v].z * 4));
    const auto corner = DracoStrip::corner(original);
    EXPECT_EQ(part.surface.positions[v],
              (Vec3{static_cast<double>(corner[0]), static_cast<double>(corner[1]), static_cast<double>(corner[2])}));
    double on_first = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(part.influences[v].count); ++k)
      if (part.influences[v].joint[k] == DracoStrip::joint(original)[0]) on_first += part.influences[v].weight[k];
    const double expected = DracoStrip::joint(original)[0] == 2 ? 1.0 : DracoStrip::weight(original)[0] / 255.0;
    EXPECT_NEAR(on_first, expected, 1e-12) << original;
  }
}

TEST(Draco, DamageIsRefused) {
  DracoStrip strip;
  const DracoStrip good = strip;
  strip.bytes.resize(strip.bytes.size() / 2);
  read_refusal(strip.document());
  GltfBuilder other_count = good.document();
  for (const int accessor : {0, 1, 2}) other_count.json["accessors"][static_cast<std::size_t>(accessor)]["count"] = 21;
  EXPECT_NE(read_refusal(other_count).find("22 vertices"), std::string::npos);
  GltfBuilder no_attribute = good.document();
  no_attribute
      .json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]["POSITION"] = 77;
  read_refusal(no_attribute);
  GltfBuilder wrong_width = good.document();
  wrong_width.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]["JOINTS_0"] =
      good.position;
  read_refusal(wrong_width);
}

}  // namespace
}  // namespace sinew
