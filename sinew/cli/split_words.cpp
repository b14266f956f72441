#include "sinew/cli/split_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace sinew::cli {
namespace {

CLI::Option* add(CLI::App& app, const WordRule& rule) {
  CLI::Option* option = app.add_option(rule.names, CLI::callback_t());
  if (rule.values == 0) {
    option->type_size(0)->expected(0);
  } else if (rule.repeats) {
    option->expected(CLI::detail::expected_max_vector_size);
  } else if (rule.optional) {
    option->expected(0, 1);
  } else {
    option->type_size(rule.values);
  }
  if (rule.commas) option->delimiter(',');
  return option->required(rule.required)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace

SplitWords split_words(const std::vector<WordRule>& rules, std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<CLI::Option*> options;
  for (const WordRule& rule : rules) options.push_back(add(app, rule));
  std::reverse(words.begin(), words.end());  // the order that CLI11 expects
  SplitWords split;
  try {
    app.parse(std::move(words));
  } catch (const CLI::RequiredError&) {
    // Callers write the message; missing values are simply absent.
  } catch (const CLI::ArgumentMismatch& mismatch) {
    const std::string text = mismatch.what();  // "--name: 1 required ..."
    split.incomplete = text.substr(0, text.find(':'));
  }
  for (const CLI::Option* option : options) split.values.push_back(option->results());
  split.surplus = app.remaining();
  return split;
}

}  // namespace sinew::cli
