// Tables of measured numbers as text.
#include "sinew/bake/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"

namespace sinew {
namespace {

TEST(Table, IsMarkdown) {
  const Table table{"t", "T", {{"what"}, {"µ", 1}}, {{"first", 1.25}, {"2", -0.04}, {"third", std::nan("")}}};
  EXPECT_EQ(markdown(table),
            "| what  |   µ |\n"
            "|-------|----:|\n"
            "| first | 1.2 |\n"
            "| 2     | 0.0 |\n"
            "| third |   - |\n");
}

TEST(Table, RefusesRowsOfAnotherLength) { EXPECT_THROW(markdown({"t", "T", {{"what"}}, {{"a", "b"}}}), Error); }

}  // namespace
}  // namespace sinew
