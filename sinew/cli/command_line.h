// The program's verbs, and which of them the words of a command line ask for.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "sinew/cli/options.h"

namespace sinew::cli {

struct Verb {
  std::string name, usage, what;  // "animate", "FILE -o OUTPUT" as a first user writes it, what it does in a line
  OptionSet options;
  std::function<void()> action;  // throws Error for everything that goes wrong
};

class CommandLine {
 public:
  Verb& add_verb(std::string name, std::string usage, std::string what);

  // Runs the verb that the words (behind the program's name) ask for, or prints what --help, --help-all and --version
  // do. Throws usage_error for words that make no sense, and what the verb throws.
  void run(const std::vector<std::string>& words);

 private:
  std::string help() const;
  Verb& verb_named(const std::string& word);

  std::deque<Verb> verbs_;
};

}  // namespace sinew::cli
