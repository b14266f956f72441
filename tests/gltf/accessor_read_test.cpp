// Accessors of all types against values worked out by hand, and hostile ones.
#include <gtest/gtest.h>

#include <limits>

#include "sinew/gltf/accessor.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

using test::GltfBuilder;
using test::read_refusal;

std::vector<double> read_only_accessor(const GltfBuilder& builder) {
  const GltfDocument document = builder.document();
  return AccessorReader(document).read(0).values;
}

template <class T>
std::vector<double> read_scalars(const std::vector<T>& values, bool normalized) {
  GltfBuilder builder;
  builder.accessor(values, "SCALAR", normalized);
  return read_only_accessor(builder);
}

TEST(Accessor, RawComponentsKeepTheirValue) {
  EXPECT_EQ(read_scalars<std::int8_t>({-128, -1, 0, 127}, false), (std::vector<double>{-128, -1, 0, 127}));
  EXPECT_EQ(read_scalars<std::uint8_t>({0, 1, 128, 255}, false), (std::vector<double>{0, 1, 128, 255}));
  EXPECT_EQ(read_scalars<std::int16_t>({-32768, -1, 32767}, false), (std::vector<double>{-32768, -1, 32767}));
  EXPECT_EQ(read_scalars<std::uint16_t>({0, 65535}, false), (std::vector<double>{0, 65535}));
  EXPECT_EQ(read_scalars<std::uint32_t>({0, 4294967295u}, false), (std::vector<double>{0, 4294967295.0}));
  EXPECT_EQ(read_scalars<float>({-1.5f, 0.25f}, false), (std::vector<double>{-1.5, 0.25}));
}

// glTF 2.0 section 3.6.2.2: signed ones clamp at -1, so that zero is exact.
TEST(Accessor, NormalizedComponentsBecomeFractions) {
  EXPECT_EQ(read_scalars<std::int8_t>({-128, -127, 0, 127}, true), (std::vector<double>{-1, -1, 0, 1}));
  EXPECT_EQ(read_scalars<std::uint8_t>({0, 51, 255}, true), (std::vector<double>{0, 0.2, 1}));
  EXPECT_EQ(read_scalars<std::int16_t>({-32768, -32767, 0, 32767}, true), (std::vector<double>{-1, -1, 0, 1}));
  EXPECT_EQ(read_scalars<std::uint16_t>({0, 13107, 65535}, true), (std::vector<double>{0, 0.2, 1}));
}

TEST(Accessor, InterleavedElementsAreFoundByStrideAndOffset) {
  GltfBuilder builder;
  const std::vector<float> data = {9, 1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 9};
  builder.accessor(data, "SCALAR");
  builder.json["bufferViews"][0]["byteStride"] = 16;
  builder.json["accessors"][0].update({{"byteOffset", 4}, {"count", 3}, {"type", "VEC3"}});
  EXPECT_EQ(read_only_accessor(builder), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

// glTF 2.0 section 3.6.2.4: columns of small matrices start at multiples of four bytes.
TEST(Accessor, MatrixColumnsArePadded) {
  GltfBuilder bytes;
  bytes.accessor(std::vector<std::uint8_t>{1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8, 0, 0}, "SCALAR");
  bytes.json["accessors"][0].update({{"count", 2}, {"type", "MAT2"}});
  EXPECT_EQ(read_only_accessor(bytes), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));

  GltfBuilder shorts;
  shorts.accessor(std::vector<std::int16_t>{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, -9, 0}, "SCALAR");
  shorts.json["accessors"][0].update({{"count", 1}, {"type", "MAT3"}});
  EXPECT_EQ(read_only_accessor(shorts), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, -9}));

  // The padding behind the last column need not be there.
  GltfBuilder cut;
  cut.accessor(std::vector<std::uint8_t>{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9}, "SCALAR");
  cut.json["accessors"][0].update({{"count", 1}, {"type", "MAT3"}});
  EXPECT_EQ(read_only_accessor(cut), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

GltfBuilder sparse_document(const std::vector<std::uint16_t>& indices, const std::vector<float>& values,
                            bool with_base) {
  GltfBuilder builder;
  const int index_view = builder.view(indices.data(), indices.size() * 2);
  const int value_view = builder.view(values.data(), values.size() * 4);
  const std::vector<float> base = {1, 2, 3, 4};
  const int base_view = builder.view(base.data(), base.size() * 4);
  builder.json["accessors"] = {{{"componentType", 5126},
                                {"count", 4},
                                {"type", "SCALAR"},
                                {"sparse",
                                 {{"count", indices.size()},
                                  {"indices", {{"bufferView", index_view}, {"componentType", 5123}}},
                                  {"values", {{"bufferView", value_view}}}}}}};
  if (with_base) builder.json["accessors"][0]["bufferView"] = base_view;
  return builder;
}

TEST(Accessor, SparseValuesReplaceTheirElements) {
  EXPECT_EQ(read_only_accessor(sparse_document({1, 3}, {20, 40}, true)), (std::vector<double>{1, 20, 3, 40}));
  EXPECT_EQ(read_only_accessor(sparse_document({0, 2}, {10, 30}, false)), (std::vector<double>{10, 0, 30, 0}));
}

TEST(Accessor, SparseIndicesMustRiseAndExist) {
  EXPECT_NE(read_refusal([] {
              read_only_accessor(sparse_document({1, 4}, {1, 2}, true));
            }).find("element 4"),
            std::string::npos);
  EXPECT_NE(read_refusal([] {
              read_only_accessor(sparse_document({2, 2}, {1, 2}, true));
            }).find("rise"),
            std::string::npos);
  EXPECT_NE(read_refusal([] {
              read_only_accessor(sparse_document({0, 1, 2, 3, 3}, {1, 2, 3, 4, 5}, true));
            }).find("sparse"),
            std::string::npos);
}

TEST(Accessor, NothingOutsideOfItsBufferViewIsRead) {
  const auto with = [](const char* key, const nlohmann::json& value, bool of_view) {
    GltfBuilder builder;
    builder.accessor(std::vector<float>{1, 2, 3, 4}, "SCALAR");
    builder.json[of_view ? "bufferViews" : "accessors"][0][key] = value;
    return read_refusal([&] { read_only_accessor(builder); });
  };
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  with("count", 5, false);
  with("count", huge, false);
  with("count", huge / 4 + 2, false);
  with("count", -1, false);
  with("count", 1.5, false);
  with("byteOffset", 4, false);
  with("byteOffset", huge - 3, false);
  with("componentType", 5124, false);
  with("type", "VEC5", false);
  with("bufferView", 1, false);
  with("byteOffset", huge - 3, true);
  with("byteLength", huge, true);
  with("byteLength", 17, true);
  with("byteStride", 2, true);
  with("byteStride", 0, true);
  with("byteStride", huge, true);
  with("buffer", 7, true);
}

TEST(Accessor, NumbersMayBeWrittenAsFloats) {
  GltfBuilder builder;
  builder.accessor(std::vector<float>{1, 2}, "SCALAR");
  builder.json["accessors"][0]["count"] = 2.0;
  EXPECT_EQ(read_only_accessor(builder), (std::vector<double>{1, 2}));
}

TEST(Accessor, WithoutDataIsZeroAndCannotAskForAnyAmountOfMemory) {
  GltfBuilder builder;
  builder.json["accessors"] = {{{"componentType", 5126}, {"count", 3}, {"type", "VEC2"}}};
  EXPECT_EQ(read_only_accessor(builder), std::vector<double>(6, 0.0));
  builder.json["accessors"][0]["count"] = 4'000'000'000u;
  EXPECT_NE(read_refusal([&] { read_only_accessor(builder); }).find("more numbers"), std::string::npos);
  builder.json["accessors"][0]["count"] = std::numeric_limits<std::uint64_t>::max();
  EXPECT_NE(read_refusal([&] { read_only_accessor(builder); }).find("more numbers"), std::string::npos);
}

TEST(Accessor, BrokenOnesAreFoundThoughNothingUsesThem) {
  GltfBuilder builder;
  builder.accessor(std::vector<float>{1, 2, 3}, "VEC3");
  builder.json["accessors"].push_back({{"componentType", 5126}, {"count", 2}, {"type", "VEC3"}, {"bufferView", 0}});
  EXPECT_EQ(read_refusal(builder),
            "test.glb: accessors[1] reaches past the end of buffer view 0; the file is damaged, export it again.");
}

}  // namespace
}  // namespace sinew
