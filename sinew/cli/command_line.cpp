#include "sinew/cli/command_line.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/nearest_word.h"
#include "sinew/cli/option_help.h"

namespace sinew::cli {
namespace {

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h"; }

// The usage "FILE -o OUTPUT" with another first word.
std::string with_first_word(const std::string& usage, const std::string& word) {
  return word + usage.substr(std::min(usage.find(' '), usage.size()));
}

}  // namespace

Verb& CommandLine::add_verb(std::string name, std::string usage, std::string what) {
  return verbs_.emplace_back(Verb{std::move(name), std::move(usage), std::move(what), {}, {}});
}

void CommandLine::refuse_verb(std::string name, std::string instead) {
  refused_.emplace(std::move(name), std::move(instead));
}

std::string CommandLine::help_of(const Verb& verb, bool everything) const {
  const std::string command = program_.name + " " + verb.name;
  std::string text =
      verb.what + "\n\nUsage: " + command + " " + verb.usage + " [OPTIONS]\n" + option_table(verb.options, everything);
  const int left_out = everything ? 0 : advanced_count(verb.options);
  if (left_out > 0) text += "\n`" + command + " --help-all` lists " + std::to_string(left_out) + " more options.\n";
  return text;
}

std::string CommandLine::help() const {
  std::string text = program_.purpose + "\n\nUsage: " + program_.name + " VERB [OPTIONS]\n\n";
  for (const Verb& verb : verbs_) text += help_row(verb.name, verb.what);
  const std::string command = "`" + program_.name + " ";
  return text + "\n" + command + "VERB --help` shows a verb's options, " + command +
         "VERB --help-all` the rare ones too,\n" + command +
         "--version` the version.\n"
         "Exit codes: 0 done, 2 bad usage, 3 bad input, 4 simulation failed, 130 interrupted,\n"
         "141 the reader of the output was gone.\n";
}

Verb& CommandLine::verb_named(const std::string& word) {
  const auto verb = std::find_if(verbs_.begin(), verbs_.end(), [&](const Verb& known) { return known.name == word; });
  if (verb != verbs_.end()) return *verb;
  const std::string first = program_.name + " " + verbs_.front().name;
  if (word.starts_with('-'))
    throw usage_error("'" + word + "' stands before the verb; write `" + program_.name + " VERB` first, such as `" +
                      first + "`.");
  const std::string no_verb = "there is no verb '" + word + "'";
  if (const auto instead = refused_.find(word); instead != refused_.end())
    throw usage_error(no_verb + ": " + instead->second);
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored))
    throw usage_error("'" + word + "' stands where the verb belongs; write `" + first + " " +
                      with_first_word(verbs_.front().usage, word) + "`.");
  std::vector<std::string> names;
  for (const Verb& known : verbs_) names.push_back(known.name);
  const std::string nearest = nearest_word(word, names);
  throw usage_error(no_verb + (nearest.empty() ? "; `" : ": did you mean " + nearest + "? `") + program_.name +
                    " --help` lists all verbs.");
}

void CommandLine::run(const std::vector<std::string>& words) {
  if (words.empty())
    throw usage_error("a verb is missing; `" + program_.name + " " + verbs_.front().name + " " + verbs_.front().usage +
                      "` has one, and `" + program_.name + " --help` lists all verbs.");
  if (asks_for_help(words.front()) || words.front() == "--help-all") {
    std::cout << help();
    return;
  }
  if (words.front() == "--version") {
    std::cout << program_.name << " " SINEW_VERSION "\n";
    return;
  }
  Verb& verb = verb_named(words.front());
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i)
    if (asks_for_help(words[i]) || words[i] == "--help-all") {
      std::cout << help_of(verb, words[i] == "--help-all");
      return;
    }
  verb.options.read({words.begin() + 1, words.end()}, program_.name + " " + verb.name + " " + verb.usage);
  verb.action();
}

}  // namespace sinew::cli
