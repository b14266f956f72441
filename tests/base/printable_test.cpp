// What files say goes to the terminal as text and nothing else.
#include "sinew/base/printable.h"

#include <gtest/gtest.h>

#include <string>

#include "sinew/base/error.h"

namespace sinew {
namespace {

using namespace std::string_literals;

TEST(Printable, ControlCharactersAreSpelledOut) {
  EXPECT_EQ(printable("plain: 100 %, \\ and \"quotes\""), "plain: 100 %, \\ and \"quotes\"");
  EXPECT_EQ(printable("a\x1b[2J\nb\x7f"), "a\\x1b[2J\\x0ab\\x7f");
  EXPECT_EQ(printable("a\0b"s), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");  // U+009B begins an escape sequence too
  EXPECT_EQ(printable("Gänseblümchen 象"), "Gänseblümchen 象");
  EXPECT_EQ(printable("cut \xe8\xb1 and wild \xff"), "cut ?? and wild ?");
  const std::string once = printable("\0\x1b\xff"s);
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, ErrorsAreNotCutByAZero) {
  EXPECT_STREQ(input_error("clip 'a\0b' is not there; name another."s).what(),
               "clip 'a\\x00b' is not there; name another.");
}

}  // namespace
}  // namespace sinew
