// A program's verbs, and which of them the words of a command line ask for.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sinew/cli/options.h"

namespace sinew::cli {

// What a program says of itself.
struct Program {
  std::string name;     // "sinew"
  std::string purpose;  // what it is for, in a sentence
};

struct Verb {
  std::string name, usage, what;  // "animate", "FILE -o OUTPUT" as a first user writes it, what it does in a line
  OptionSet options;
  std::function<void()> action;  // throws Error for everything that goes wrong
};

class CommandLine {
 public:
  explicit CommandLine(Program program) : program_(std::move(program)) {}

  // The first is the one that a new user is pointed to.
  Verb& add_verb(std::string name, std::string usage, std::string what);

  // A word that is no verb here; `instead`: what does it, as the end of a sentence.
  void refuse_verb(std::string name, std::string instead);

  // Runs the verb that the words (behind the program's name) ask for, or prints what --help, --help-all and --version
  // do. Throws usage_error for words that make no sense, and what the verb throws.
  void run(const std::vector<std::string>& words);

 private:
  std::string help() const;
  std::string help_of(const Verb& verb, bool everything) const;
  Verb& verb_named(const std::string& word);

  Program program_;
  std::deque<Verb> verbs_;
  std::map<std::string, std::string> refused_;  // word to what does it
};

}  // namespace sinew::cli
