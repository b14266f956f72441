// Curves as a table.
#include "sinew/files/curves_csv.h"

#include <gtest/gtest.h>

#include "tests/jobs/files.h"

namespace sinew {
namespace {

TEST(CurvesCsv, HasALinePerFrameAndAColumnPerParameter) {
  const std::filesystem::path path = test::scratch_files() / "curves.csv";
  CurveTable curves;
  curves.names = {"belly.translation.x", "smile"};
  curves.times = {0, 0.5, 1.0 / 3};
  curves.values = {0.25, -1e-12, 1.0 / 3, 123456789.125, -0.0, 2};
  write_curves_csv(path, curves);
  EXPECT_EQ(test::bytes_of(path),
            "time,belly.translation.x,smile\n"
            "0,0.25,-1e-12\n"
            "0.5,0.333333333,123456789\n"
            "0.333333333,-0,2\n");
}

// Names that a spreadsheet would take apart are quoted (RFC 4180).
TEST(CurvesCsv, QuotesNames) {
  const std::filesystem::path path = test::scratch_files() / "curves.csv";
  write_curves_csv(path, {{"a,b", "say \"cheese\"", "two\nlines"}, {}, {}});
  EXPECT_EQ(test::bytes_of(path), "time,\"a,b\",\"say \"\"cheese\"\"\",\"two\nlines\"\n");
}

}  // namespace
}  // namespace sinew
