#include "sinew/base/threads/hand_over.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace sinew {
namespace {

TEST(HandOver, TheNewestIsSeenOnce) {
  HandOver<int> values;
  bool is_new = true;
  EXPECT_EQ(values.read(&is_new), 0);
  EXPECT_FALSE(is_new);
  for (int k = 1; k <= 5; ++k) {
    values.writing() = k;
    values.publish();
  }
  EXPECT_EQ(values.read(&is_new), 5);
  EXPECT_TRUE(is_new);
  EXPECT_EQ(values.read(&is_new), 5);
  EXPECT_FALSE(is_new);
  values.writing() = 6;  // not yet published
  EXPECT_EQ(values.read(), 5);
}

// Whole values in rising order, whatever the threads do.
TEST(HandOver, ThreadsSeeWholeValuesInOrder) {
  HandOver<std::vector<int>> values;
  std::atomic<bool> done{false};
  constexpr int last = 20'000;
  std::jthread writer([&] {
    for (int k = 1; k <= last; ++k) {
      values.writing().assign(64, k);
      values.publish();
    }
    done = true;
  });
  int before = 0;
  for (bool over = false; before < last;) {
    over = done;
    const std::vector<int>& seen = values.read();
    if (!seen.empty()) {
      for (const int number : seen) ASSERT_EQ(number, seen[0]);
      ASSERT_GE(seen[0], before);
      before = seen[0];
    }
    if (over) {
      EXPECT_EQ(before, last);
      break;
    }
  }
}

}  // namespace
}  // namespace sinew
