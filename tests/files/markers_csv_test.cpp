// Markers as a table.
#include "sinew/files/markers_csv.h"

#include <gtest/gtest.h>

#include <string>

#include "sinew/base/file.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

std::vector<Marker> read(const std::string& text) {
  const std::filesystem::path path = test::scratch_files() / "markers.csv";
  write_text_file(path, text);
  return read_markers_csv(path);
}

TEST(MarkersCsv, AreTrajectoriesByName) {
  const std::vector<Marker> markers = read(
      "\xEF\xBB\xBFname, time, x, y, z\r\n\"belly\",0,1,2,3\r\nchest,0,-1,0.5,1e-3\r\n\r\nbelly,0.5,4,5,6\r\n"
      "chest,0.5,,,\r\nchest,1,7,8,9");
  ASSERT_EQ(markers.size(), 2u);
  EXPECT_EQ(markers[0].name, "belly");
  EXPECT_EQ(markers[0].line, 2u);
  EXPECT_EQ(markers[0].times, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(markers[0].positions[1], (Vec3{4, 5, 6}));
  EXPECT_EQ(markers[1].line, 3u);
  EXPECT_EQ(markers[1].times, (std::vector<double>{0, 1}));
}

TEST(MarkersCsv, ErrorsNameTheLineAndARemedy) {
  const auto expect = [](const std::string& text, const std::string& words) {
    const std::string sentence = test::refusal(ErrorKind::input, [&] { read(text); });
    EXPECT_NE(sentence.find("markers.csv"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  };
  const std::string head = "name,time,x,y,z\n";
  expect("", "has no marker");
  expect(head, "has no marker");
  expect("x,y,z,name,time\n", "line 1 must be the header name,time,x,y,z");
  expect(head + "a,0,1,2\n", "line 2 must have five fields");
  expect(head + "a,0,1,2,3,4\n", "line 2 must have five fields");
  expect(head + "a,0,1,2,3\na,1,1,two,3\n", "line 3 has \"two\" where y belongs");
  expect(head + "a,0,1,2,\n", "line 2 has \"\" where z belongs");
  expect(head + "a,0,1,2,nan\n", "line 2 has \"nan\"");
  expect(head + "a,inf,1,2,3\n", "line 2 has \"inf\" where time belongs");
  expect(head + "a,0,1,2,1e30\n", "line 2 has \"1e30\"");
  expect(head + ",0,1,2,3\n", "line 2 has no name");
  expect(head + "a,1,1,2,3\na,1,1,2,3\n", "line 3 does not come after");
}

}  // namespace
}  // namespace sinew
