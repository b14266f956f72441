// Splits the words of a command line by option. Everything that CLI11 is used for is behind this header.
#pragma once

#include <string>
#include <vector>

namespace sinew::cli {

struct WordRule {
  std::string names;      // "--output", "-o,--output", or "FILE" for a positional argument
  int values = 1;         // number of values per mention; 0: a flag
  bool optional = false;  // the value may be left out
  bool repeats = false;   // takes all words up to the next option
  bool required = false;  // for positional arguments: options with many values leave a word for each
  bool commas = false;    // one word may hold several values
};

struct SplitWords {
  std::vector<std::vector<std::string>> values;  // per rule, of all its mentions; for a flag, "true" per mention
  std::vector<std::string> surplus;              // words that no rule accepts
  std::string incomplete;                        // name of an option with missing values; empty if there is none
};

SplitWords split_words(const std::vector<WordRule>& rules, std::vector<std::string> words);

}  // namespace sinew::cli
