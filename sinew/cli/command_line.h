// Verbs of a program, and dispatch of a command line to one of them.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sinew/cli/options.h"

namespace sinew::cli {

// Name and purpose of a program, for its help.
struct Program {
  std::string name;     // a sentence
  std::string purpose;  // what it is for, in a sentence
};

struct Verb {
  std::string name, usage,
      what;  // e.g. "animate"; "FILE -o OUTPUT" as a first user writes it; one line about the purpose
  OptionSet options;
  std::function<void()> action;  // throws Error for every failure
};

class CommandLine {
 public:
  explicit CommandLine(Program program) : program_(std::move(program)) {}

  // Adds a verb. The first one is recommended to new users.
  Verb& add_verb(std::string name, std::string usage, std::string what);

  // Adds a word that is not a verb here, and the end of a sentence that names the replacement.
  void refuse_verb(std::string name, std::string instead);

  // Runs the verb that `words` (without the program's name) select, or prints the text of --help, --help-all or
  // --version. Throws usage_error for invalid words, and what the verb throws.
  void run(const std::vector<std::string>& words);

 private:
  std::string help() const;
  std::string help_of(const Verb& verb, bool everything) const;
  Verb& verb_named(const std::string& word);

  Program program_;
  std::deque<Verb> verbs_;
  std::map<std::string, std::string> refused_;  // word and its replacement
};

}  // namespace sinew::cli
