#include "sinew/base/edit_distance.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(EditDistance, CountsSlips) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "bone"), 4u);
  EXPECT_EQ(edit_distance("stiffness", "stiffness"), 0u);
  EXPECT_EQ(edit_distance("stifness", "stiffness"), 1u);
  EXPECT_EQ(edit_distance("stiffnness", "stiffness"), 1u);
  EXPECT_EQ(edit_distance("stiffnecs", "stiffness"), 1u);
  EXPECT_EQ(edit_distance("stiffenss", "stiffness"), 1u);  // neighbours swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("abc", "ca"), 3u);  // a swapped pair is not cut apart again
}

TEST(EditDistance, IsTheSameBothWays) {
  for (const char* a : {"damping", "dampnig", "sharp", ""})
    for (const char* b : {"density", "shape", "d"})
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << ' ' << b;
}

}  // namespace
}  // namespace sinew
