// Patterns over names, against answers by hand and against the standard library's regular expressions.
#include "sinew/base/glob.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>
#include <vector>

namespace sinew {
namespace {

void expect_matches(const std::string& pattern, const std::vector<std::string>& names,
                    const std::vector<std::string>& others) {
  for (const std::string& name : names) EXPECT_TRUE(matches(pattern, name)) << pattern << " over " << name;
  for (const std::string& other : others) EXPECT_FALSE(matches(pattern, other)) << pattern << " over " << other;
}

TEST(Glob, WithoutWildcardsOnlyTheNameItselfMatches) {
  expect_matches("knee", {"knee"}, {"knees", "kne", "Knee"});
  expect_matches("", {""}, {"knee"});
}

TEST(Glob, AStarIsAnyRunOfCharacters) {
  expect_matches("*", {"", "knee"}, {});
  expect_matches("knee*", {"knee", "knee_left"}, {"kne"});
  expect_matches("*_left", {"knee_left", "_left"}, {"knee_left_end"});
  expect_matches("*nee*", {"knee_left"}, {"ne"});
  expect_matches("a*b*c", {"a.b.b.c", "abc"}, {"a.c.b"});
}

TEST(Glob, AQuestionMarkIsExactlyOneCharacter) {
  expect_matches("toe_?", {"toe_1"}, {"toe_", "toe_12"});
  expect_matches("?*", {"a"}, {""});
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
