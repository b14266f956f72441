#include "sinew/base/large_array.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sinew {
namespace {

TEST(LargeArray, HoldsWhatIsWrittenOnItsBoundaries) {
  for (const std::size_t size : {1u, 1000u, 524'287u, 524'288u, 700'001u}) {  // of doubles: around and beyond 4 MiB
    LargeArray<double> array(size);
    EXPECT_EQ(array.size(), size);
    const std::uintptr_t boundary = size >= 524'288 ? std::uintptr_t{2} << 20 : 64;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.get()) % boundary, 0u);
    for (std::size_t i = 0; i < size; ++i) array.get()[i] = static_cast<double>(i);
    const LargeArray<double> moved = std::move(array);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(moved.get()[i], static_cast<double>(i));
  }
}

TEST(LargeArray, IsEmptyUntilItIsMade) {
  LargeArray<float> none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none.size(), 0u);
  none = LargeArray<float>(3);
  EXPECT_TRUE(none);
  EXPECT_EQ(none.size(), 3u);
}

}  // namespace
}  // namespace sinew
