// Which words of a command line belong to which option: what CLI11 does for the program, and all that it does.
#pragma once

#include <string>
#include <vector>

namespace sinew::cli {

struct WordRule {
  std::string names;      // "--output", "-o,--output" or, of a positional argument, "FILE"
  int values = 1;         // that each mention has; 0: a flag
  bool optional = false;  // the value may be left out
  bool repeats = false;   // takes all words up to the next option
  bool required = false;  // of positional arguments: options with many values leave one word for each
  bool commas = false;    // a word may hold several values
};

struct SplitWords {
  std::vector<std::vector<std::string>> values;  // per rule, of all its mentions; of a flag, "true" per mention
  std::vector<std::string> surplus;              // words that no rule takes
  std::string incomplete;  // name of an option whose values are missing; empty where there is none
};

SplitWords split_words(const std::vector<WordRule>& rules, std::vector<std::string> words);

}  // namespace sinew::cli
