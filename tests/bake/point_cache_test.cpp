#include "sinew/bake/output/point_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class PointCache : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::scratch_path("files");
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
  const std::vector<double> times_{0.5, 0.75, 1.0};

  static std::vector<Vec3> frame(int number) { return {{0.0 + number, 1, 2}, {-3, 4.5 * number, 6}}; }

  fs::path write(const char* name) const {
    const fs::path path = folder_ / name;
    PointCacheWriter writer(path, 2, times_, 4);
    for (int i = 0; i < 3; ++i) writer.add_frame(frame(i));
    writer.finish();
    return path;
  }

  // The file with `word` put at `offset`, big endian where asked.
  fs::path damaged(const char* name, std::size_t offset, std::uint32_t word, bool big = false) const {
    const fs::path path = write(name);
    std::vector<std::byte> bytes = read_file(path);
    for (unsigned i = 0; i < 4; ++i)
      bytes[offset + i] = static_cast<std::byte>(word >> (big ? 24 - 8 * i : 8 * i) & 0xFFU);
    write_file(path, bytes);
    return path;
  }

  static void expect_refused(const fs::path& path) {
    try {
      const Track track = read_point_cache(path, 4);
      track.positions_at(0.5);
      ADD_FAILURE() << path << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
  }
};

TEST_F(PointCache, BothFormatsComeBackAsWritten) {
  for (const char* name : {"a.pc2", "a.MDD"}) {
    const Track track = read_point_cache(write(name), 4);
    EXPECT_EQ(track.points, 2u);
    EXPECT_EQ(track.times, times_) << name;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(track.positions_at(times_[static_cast<std::size_t>(i)]), frame(i)) << name;
    EXPECT_NEAR(track.positions_at(0.625)[1].y, 2.25, 1e-12);
    EXPECT_EQ(track.positions_at(-5), frame(0));
    EXPECT_EQ(track.positions_at(5), frame(2));
  }
}

TEST_F(PointCache, Pc2HasTheLayoutThatOtherProgramsExpect) {
  const std::vector<std::byte> bytes = read_file(write("a.pc2"));
  ASSERT_EQ(bytes.size(), 32u + 3 * 2 * 12);
  EXPECT_EQ(std::memcmp(bytes.data(), "POINTCACHE2", 12), 0);
  const unsigned char expected[20] = {1, 0,    0, 0, 2,    0,    0, 0, 0, 0,
                                      0, 0x40, 0, 0, 0x80, 0x3F, 3, 0, 0, 0};  // start 2, rate 1
  EXPECT_EQ(std::memcmp(bytes.data() + 12, expected, 20), 0);
}

TEST_F(PointCache, MddIsBigEndian) {
  const std::vector<std::byte> bytes = read_file(write("a.mdd"));
  ASSERT_EQ(bytes.size(), 8u + 3 * 4 + 3 * 2 * 12);
  const unsigned char expected[12] = {0, 0, 0, 3, 0, 0, 0, 2, 0x3F, 0, 0, 0};  // first time 0.5
  EXPECT_EQ(std::memcmp(bytes.data(), expected, 12), 0);
}

TEST_F(PointCache, UnfinishedCacheLeavesNothingBehind) {
  {
    PointCacheWriter writer(folder_ / "half.pc2", 2, times_, 4);
    writer.add_frame(frame(0));
    EXPECT_THROW(writer.finish(), Error);
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(PointCache, HostileFilesAreRefusedWithASentence) {
  const std::uint32_t huge = 0x7FFFFFFF, negative = 0xFFFFFFFF, nan = 0x7FC00000;
  expect_refused(damaged("signature.pc2", 0, 0));
  expect_refused(damaged("version.pc2", 12, 2));
  expect_refused(damaged("points.pc2", 16, huge));
  expect_refused(damaged("points.pc2", 16, negative));
  expect_refused(damaged("points.pc2", 16, 0));
  expect_refused(damaged("frames.pc2", 28, huge));
  expect_refused(damaged("start.pc2", 20, nan));
  expect_refused(damaged("rate.pc2", 24, 0));
  expect_refused(damaged("position.pc2", 32, nan));
  const std::uint32_t huge_number = 0x7F61B1E6;  // 3e38
  expect_refused(damaged("far.pc2", 32, huge_number));
  expect_refused(damaged("frames.mdd", 0, huge, true));
  expect_refused(damaged("points.mdd", 4, negative, true));
  expect_refused(damaged("times.mdd", 12, 0, true));
  expect_refused(damaged("times.mdd", 12, nan, true));
  write_text_file(folder_ / "short.pc2", "POINTCACHE2");
  expect_refused(folder_ / "short.pc2");
  write_text_file(folder_ / "short.mdd", "123");
  expect_refused(folder_ / "short.mdd");
  expect_refused(folder_ / "missing.pc2");
}

// A byte too many or too few anywhere shifts what follows: positions that look sound and are not.
TEST_F(PointCache, HasExactlyTheBytesThatItsHeaderAnnounces) {
  for (const char* name : {"a.pc2", "a.mdd"}) {
    const fs::path path = write(name);
    const std::vector<std::byte> good = read_file(path);
    const auto expect = [&](std::vector<std::byte> bytes, const char* what) {
      SCOPED_TRACE(std::string(name) + " of " + std::to_string(bytes.size()) + " for " + std::to_string(good.size()));
      write_file(path, bytes);
      expect_refused(path);
      EXPECT_NE(test::refusal(ErrorKind::input, [&] { read_point_cache(path, 4); }).find(what), std::string::npos);
    };
    for (const std::size_t more : {1u, 4u, 12u, 24u, 28u}) {
      std::vector<std::byte> bytes = good;
      bytes.insert(bytes.begin() + 40, more, std::byte{0});
      expect(bytes, "too many");
      bytes = good;
      bytes.resize(good.size() + more);
      expect(bytes, "too many");
    }
    for (const std::size_t fewer : {1u, 4u, 12u, 24u})
      expect({good.begin(), good.end() - static_cast<std::ptrdiff_t>(fewer)}, "too few");
  }
  const fs::path path = folder_ / "size.pc2";
  PointCacheWriter writer(path, 2, times_, 4);
  for (int i = 0; i < 3; ++i) writer.add_frame(frame(i));
  const std::size_t bytes = writer.finish();
  EXPECT_EQ(bytes, fs::file_size(path));
}

TEST_F(PointCache, ImpossibleRequestsAreUsageErrors) {
  EXPECT_THROW(PointCacheWriter(folder_ / "a.abc", 2, times_, 4), Error);
  EXPECT_THROW(PointCacheWriter(folder_ / "a.pc2", 0, times_, 4), Error);
  EXPECT_THROW(PointCacheWriter(folder_ / "a.pc2", 2, {}, 4), Error);
  PointCacheWriter writer(folder_ / "a.pc2", 1, times_, 4);
  EXPECT_THROW(writer.add_frame(frame(0)), Error);
}

}  // namespace
}  // namespace sinew
