// Patterns over names, against answers by hand and against the standard library's regular expressions.
#include "sinew/base/glob.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>

namespace sinew {
namespace {

TEST(Glob, WithoutWildcardsOnlyTheNameItselfMatches) {
  EXPECT_TRUE(matches("knee", "knee"));
  EXPECT_FALSE(matches("knee", "knees"));
  EXPECT_FALSE(matches("knee", "kne"));
  EXPECT_FALSE(matches("knee", "Knee"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "knee"));
}

TEST(Glob, AStarIsAnyRunOfCharacters) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("*", "knee"));
  EXPECT_TRUE(matches("knee*", "knee"));
  EXPECT_TRUE(matches("*_left", "knee_left"));
  EXPECT_TRUE(matches("*nee*", "knee_left"));
  EXPECT_TRUE(matches("a*b*c", "a.b.b.c"));
  EXPECT_FALSE(matches("a*b*c", "a.c.b"));
  EXPECT_FALSE(matches("*_left", "knee_left_end"));
}

TEST(Glob, AQuestionMarkIsExactlyOneCharacter) {
  EXPECT_TRUE(matches("toe_?", "toe_1"));
  EXPECT_FALSE(matches("toe_?", "toe_"));
  EXPECT_FALSE(matches("toe_?", "toe_12"));
  EXPECT_TRUE(matches("?*", "a"));
  EXPECT_FALSE(matches("?*", ""));
}

TEST(Glob, AgreesWithRegularExpressions) {
  std::mt19937 generator(1);
  const auto word = [&](const std::string& alphabet, unsigned longest) {
    std::string text(generator() % (longest + 1), ' ');
    for (char& c : text) c = alphabet[generator() % alphabet.size()];
    return text;
  };
  int matching = 0;
  for (int round = 0; round < 5000; ++round) {
    const std::string pattern = word("ab*?", 6), name = word("ab", 7);
    std::string expression;
    for (char c : pattern) expression += c == '*' ? ".*" : std::string(1, c == '?' ? '.' : c);
    const bool expected = std::regex_match(name, std::regex(expression));
    EXPECT_EQ(matches(pattern, name), expected) << pattern << " over " << name;
    matching += expected;
  }
  EXPECT_GT(matching, 300);
}

TEST(Glob, ManyStarsAreNotSlow) {
  // Trying every way to share out the name would take longer than anybody waits.
  std::string pattern;
  for (int k = 0; k < 50; ++k) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "*b", std::string(2000, 'a')));
}

}  // namespace
}  // namespace sinew
