#include "sinew/jobs/words.h"

#include <gtest/gtest.h>

#include <vector>

namespace sinew {
namespace {

TEST(Words, NumbersAndLists) {
  EXPECT_EQ(short_number(0.28149), "0.281");
  EXPECT_EQ(short_number(12, 1), "1e+01");
  EXPECT_EQ(short_percent(0.00281), "0.281 %");
  const std::vector<std::string> words{"a", "b", "c"};
  EXPECT_EQ(listed(words), "a, b and c");
  EXPECT_EQ(listed(words, 2), "a, b and 1 more");
  EXPECT_EQ(listed(std::span(words).first(1)), "a");
  EXPECT_EQ(listed({}), "");
}

}  // namespace
}  // namespace sinew
