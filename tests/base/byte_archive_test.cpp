#include "sinew/base/byte_archive.h"

#include <gtest/gtest.h>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

// Published values of FNV-1a, 64 bits.
TEST(HashBytes, IsFnv1a) {
  EXPECT_EQ(hash_bytes("", 0), 0xcbf29ce484222325u);
  EXPECT_EQ(hash_bytes("a", 1), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hash_bytes("foobar", 6), 0x85944171f73967e8u);
  EXPECT_EQ(hash_bytes("bar", 3, hash_bytes("foo", 3)), hash_bytes("foobar", 6));
}

TEST(ByteArchive, ReadsWhatWasWritten) {
  ByteWriter writer;
  writer.value(7);
  writer.values(std::vector<double>{0.1, -2});
  writer.records(std::vector<int>{3, 4}, [&](const int& i) { writer.value(i); });
  writer.checksum();
  ByteReader reader(writer.bytes(), "broken");
  int seven = 0;
  std::vector<double> numbers;
  std::vector<int> records;
  reader.checksum();
  reader.value(seven);
  reader.values(numbers);
  reader.records(records, [&](int& i) { reader.value(i); });
  reader.finish();
  EXPECT_EQ(seven, 7);
  EXPECT_EQ(numbers, (std::vector<double>{0.1, -2}));
  EXPECT_EQ(records, (std::vector<int>{3, 4}));
}

TEST(ByteArchive, RefusesBytesThatEndTooEarlyOrTooLate) {
  ByteWriter writer;
  writer.values(std::vector<double>{1, 2, 3});
  const std::span<const std::byte> bytes = writer.bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::vector<double> numbers;
    const auto read = [&] { ByteReader(bytes.first(size), "too short").values(numbers); };
    EXPECT_EQ(test::refusal(ErrorKind::input, read), "too short");
  }
  const auto stop = [&] { ByteReader(bytes, "too long").finish(); };
  EXPECT_EQ(test::refusal(ErrorKind::input, stop), "too long");
}

}  // namespace
}  // namespace sinew
