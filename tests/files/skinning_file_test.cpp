// .vskin: bit for bit there and back, and every broken file refused with a sentence.
#include "sinew/files/skinning_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "sinew/base/byte_archive.h"
#include "sinew/base/file.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"
#include "tests/elastic/blocks.h"

namespace sinew {
namespace {

SkinningFile example() {
  SkinningFile file;
  file.key = {0x0123456789abcdef, 42};
  test::Noise noise(9);
  file.weights.columns = 50;
  for (int row = 0; row < 20; ++row) {
    std::vector<double> w;
    double sum = 0;
    for (int k = 0; k <= row % 6; ++k) sum += w.emplace_back(1.1 + noise());
    for (std::size_t k = 0; k < w.size(); ++k) {
      file.weights.column.push_back(row + 5 * static_cast<int>(k));
      file.weights.value.push_back(w[k] / sum);
    }
    file.weights.start.push_back(static_cast<int>(file.weights.column.size()));
  }
  return file;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// The bytes with a checksum that fits.
std::vector<std::byte> mended(std::vector<std::byte> bytes) {
  const std::uint64_t sum = hash_bytes(bytes.data(), bytes.size() - 8);
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
  return bytes;
}

std::string refusal_of(const std::vector<std::byte>& bytes) {
  return test::refusal(ErrorKind::input, [&] { parse_skinning_file(bytes, "body.vskin"); });
}

TEST(SkinningFile, ComesBackBitForBit) {
  const SkinningFile file = example();
  const std::filesystem::path path = test::scratch_path("body.vskin");
  write_skinning_file(path, file);
  const SparseRows weights = read_skinning_file(path, file.key);
  EXPECT_EQ(weights.columns, file.weights.columns);
  EXPECT_EQ(weights.start, file.weights.start);
  EXPECT_EQ(weights.column, file.weights.column);
  EXPECT_TRUE(same_bits(weights.value, file.weights.value));
  EXPECT_EQ(skinning_file_bytes(parse_skinning_file(read_file(path), "body.vskin")), read_file(path));
}

TEST(SkinningFile, ABodyWithoutAnInsideHasOne) {
  SkinningFile file;
  file.weights.columns = 8;
  EXPECT_EQ(parse_skinning_file(skinning_file_bytes(file), "x").weights.rows(), 0u);
}

TEST(SkinningFile, IsRefusedForAnotherBodyOrOtherControls) {
  const TetrahedralMesh mesh = test::block({2, 2, 2}, {1, 1, 1}).mesh;
  const std::vector<int> boundary{0, 1, 2}, interior{3, 4};
  const std::vector<std::string> names{"belly.translation.x", "belly.translation.y"};
  const SkinningKey key = skinning_key(mesh, boundary, interior, names);
  EXPECT_EQ(key, skinning_key(mesh, boundary, interior, names));

  SkinningFile file = example();
  file.key = key;
  const std::filesystem::path path = test::scratch_path("body.vskin");
  write_skinning_file(path, file);
  const auto sentence = [&](const SkinningKey& other) {
    return test::refusal(ErrorKind::input, [&] { read_skinning_file(path, other); });
  };
  TetrahedralMesh moved = mesh;
  moved.positions[5].z = std::nextafter(moved.positions[5].z, 2.0);
  TetrahedralMesh turned = mesh;
  std::swap(turned.tetrahedra[3], turned.tetrahedra[4]);
  const std::vector<int> fewer{0, 1}, more{2, 3, 4};
  for (const SkinningKey& other :
       {skinning_key(moved, boundary, interior, names), skinning_key(turned, boundary, interior, names),
        skinning_key(mesh, interior, boundary, names), skinning_key(mesh, fewer, more, names)})
    EXPECT_NE(sentence(other).find("another body"), std::string::npos);
  const std::vector<std::string> swapped{names[1], names[0]}, one{names[0] + names[1]}, joined{names[0], names[1], ""};
  for (const auto& list : {swapped, one, joined})
    EXPECT_NE(sentence(skinning_key(mesh, boundary, interior, list)).find("other free controls"), std::string::npos);
}

TEST(SkinningFile, EveryByteIsGuarded) {
  const std::vector<std::byte> good = skinning_file_bytes(example());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::vector<std::byte> bad = good;
    bad[i] ^= std::byte{0x10};
    refusal_of(bad);
  }
  for (std::size_t size = 0; size < good.size(); ++size)
    refusal_of({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
  std::vector<std::byte> longer = good;
  longer.push_back({});
  refusal_of(longer);
  refusal_of(mended(longer));
}

TEST(SkinningFile, NumbersAreCheckedThoughTheChecksumFits) {
  const auto broken = [](const std::function<void(SparseRows&)>& spoil) {
    SkinningFile file = example();
    spoil(file.weights);
    const std::string sentence = test::refusal(ErrorKind::usage, [&] { skinning_file_bytes(file); });
    // As a reader meets it.
    ByteWriter writer;
    const std::vector<std::byte> head = skinning_file_bytes(example());
    for (std::size_t i = 0; i < 28; ++i) writer.value(std::to_integer<unsigned char>(head[i]));
    writer.value(file.weights.columns);
    writer.values(file.weights.start);
    writer.values(file.weights.column);
    writer.values(file.weights.value);
    writer.checksum();
    const std::string read = refusal_of(writer.bytes());
    EXPECT_NE(read.find("body.vskin: "), std::string::npos);
    EXPECT_NE(read.find("sinew learn"), std::string::npos);
    return read;
  };
  const auto says = [](const std::string& sentence, const char* words) {
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  };
  says(broken([](SparseRows& w) { w.value[3] = std::numeric_limits<double>::quiet_NaN(); }), "no number");
  says(broken([](SparseRows& w) { w.value[3] = std::numeric_limits<double>::infinity(); }), "no number");
  says(broken([](SparseRows& w) { w.value[3] = -w.value[3]; }), "negative");
  says(broken([](SparseRows& w) { w.value[4] += 1e-6; }), "sum to one");
  says(broken([](SparseRows& w) { w.column[4] = 50; }), "boundary vertex 50");
  says(broken([](SparseRows& w) { w.column[4] = -1; }), "boundary vertex -1");
  says(broken([](SparseRows& w) { std::swap(w.column[4], w.column[5]); }), "out of order");
  says(broken([](SparseRows& w) { w.start[2] = 1000000; }), "contradict");
  says(broken([](SparseRows& w) { w.start[3] = -5; }), "contradict");
  says(broken([](SparseRows& w) { w.start.back() += 1; }), "contradict");
  says(broken([](SparseRows& w) { w.start.clear(); }), "contradict");
  says(broken([](SparseRows& w) { w.value.pop_back(); }), "contradict");
  says(broken([](SparseRows& w) { w.columns = -3; }), "contradict");
  says(broken([](SparseRows& w) { w.start.push_back(w.start.back()); }), "sum to one");  // a row of nothing
}

TEST(SkinningFile, OtherFilesAndVersionsAreNamed) {
  const std::string text = "this is not one of them, but long enough";
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  EXPECT_NE(refusal_of({begin, begin + text.size()}).find("not a file of"), std::string::npos);
  std::vector<std::byte> newer = skinning_file_bytes(example());
  newer[8] = std::byte{2};
  EXPECT_NE(refusal_of(mended(newer)).find("version 2"), std::string::npos);
  test::refusal(ErrorKind::input, [] { read_skinning_file(test::scratch_path("missing.vskin"), {}); });
}

TEST(SkinningFile, CountsBeyondTheFileAreNotBelieved) {
  std::vector<std::byte> bytes = skinning_file_bytes(example());
  for (std::size_t i = 32; i < 40; ++i) bytes[i] = std::byte{0xff};  // of rows
  EXPECT_NE(refusal_of(mended(bytes)).find("damaged"), std::string::npos);
}

TEST(SkinningFile, AFailedWriteLeavesWhatWasThere) {
  const std::filesystem::path path = test::scratch_path("body.vskin");
  write_skinning_file(path, example());
  const std::vector<std::byte> before = read_file(path);
  SkinningFile broken = example();
  broken.weights.value[0] = -1;
  test::refusal(ErrorKind::usage, [&] { write_skinning_file(path, broken); });
  EXPECT_EQ(read_file(path), before);
}

}  // namespace
}  // namespace sinew
