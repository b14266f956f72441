#include "sinew/cli/options.h"

#include <algorithm>
#include <sstream>
#include <type_traits>

#include "sinew/base/error.h"
#include "sinew/base/nearest_word.h"
#include "sinew/base/number_text.h"
#include "sinew/cli/split_words.h"

namespace sinew::cli {
namespace {

// "METRES" and the like are units; "N" or "RATIO" are not.
std::string kind_of_number(const Option& option, bool whole) {
  std::string unit = option.value_names.front();
  if (unit.size() < 3 || unit.back() != 'S') return whole ? "a whole number" : "a number";
  std::transform(unit.begin(), unit.end(), unit.begin(), [](char c) { return static_cast<char>(c - 'A' + 'a'); });
  return (whole ? "a whole number of " : "a number of ") + unit;
}

template <class Number>
Number number_of(const std::string& text, const Option& option) {
  constexpr bool whole = std::is_integral_v<Number>;
  const NumberWords words{option.name, kind_of_number(option, whole), option.example};
  Number number{};
  if constexpr (whole)
    number = whole_number_from(text, words);
  else
    number = number_from(text, words);
  if (static_cast<double>(number) < option.least || static_cast<double>(number) > option.most)
    throw usage_error(option.name + ": " + text + " is out of range; give " + plain(option.least) + " to " +
                      plain(option.most) + ".");
  return number;
}

// Binds to any variable that a number can be assigned to.
template <class Number, class Variable>
void bind_number(Option& option, Variable& variable, std::string example) {
  option.example = std::move(example);
  option.take = [&option, &variable](const std::vector<std::string>& values) {
    variable = number_of<Number>(values.front(), option);
  };
}

WordRule rule_of(const Option& option) {
  WordRule rule;
  rule.names = option.short_name.empty() ? option.name : option.short_name + "," + option.name;
  rule.values = static_cast<int>(option.value_names.size());
  rule.optional = option.value_is_optional;
  rule.repeats = option.repeats;
  rule.required = option.positional && option.is_required;
  rule.commas = option.has_commas;
  return rule;
}

std::string see_help(const std::string& command) {
  std::string text = "`";
  text.append(command, 0, command.find(' ', command.find(' ') + 1));
  return text + " --help-all` lists the options.";
}

void refuse_unknown(const std::vector<std::string>& surplus, const std::deque<Option>& options,
                    const std::string& command) {
  for (const std::string& word : surplus) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known;
    for (const Option& option : options)
      if (!option.positional && !option.is_hidden) known.push_back(option.name);
    const std::string nearest = nearest_word(name, known);
    throw usage_error("there is no option " + name + (nearest.empty() ? "; " : ": did you mean " + nearest + "? ") +
                      see_help(command));
  }
}

// The word after an option with an optional value is its value only if it is one of the allowed words.
std::vector<std::string> with_values_left_out(const std::deque<Option>& options, std::vector<std::string> words) {
  for (const Option& option : options) {
    if (!option.value_is_optional || option.choices.empty()) continue;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool has_value =
          i + 1 < words.size() && std::count(option.choices.begin(), option.choices.end(), words[i + 1]);
      if (words[i] == option.name && !has_value) words[i] += "=" + option.choices.front();
    }
  }
  return words;
}

void refuse_other_words(const Option& option, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    if (option.choices.empty() || std::count(option.choices.begin(), option.choices.end(), value)) continue;
    std::string words;
    for (const std::string& word : option.choices) words += (words.empty() ? "" : ", ") + word;
    throw usage_error(option.name + ": '" + value + "' is none of " + words + ".");
  }
}

// Refuses the name of another option in place of a missing value.
void refuse_missing_value(const Option& option, const std::vector<std::string>& values, const std::string& incomplete,
                          const std::deque<Option>& options, const std::string& command) {
  const auto is_name = [&](const std::string& value) {
    return std::any_of(options.begin(), options.end(),
                       [&](const Option& other) { return !other.positional && value == other.name; });
  };
  if (option.name != incomplete && (option.positional || std::none_of(values.begin(), values.end(), is_name))) return;
  std::string value = " and, for example, " + option.example;
  if (option.example.empty() || option.value_names.size() > 1) {
    value.clear();
    for (const std::string& name : option.value_names) value += " " + name;
  }
  throw usage_error(option.name + ": its value is missing; write " + option.name + value + ". " + see_help(command));
}

}  // namespace

Option& Option::required() {
  is_required = true;
  return *this;
}

Option& Option::group(std::string title) {
  heading = std::move(title);
  return *this;
}

Option& Option::advanced() {
  is_advanced = true;
  return *this;
}

Option& Option::hidden() {
  is_hidden = true;
  return *this;
}

Option& Option::between(double lowest, double highest) {
  least = lowest;
  most = highest;
  return *this;
}

Option& Option::separated_by_commas() {
  has_commas = true;
  return *this;
}

Option& Option::not_with(const Option& other) {
  excluded = &other;
  return *this;
}

Option& Option::one_of(std::vector<std::string> words) {
  choices = std::move(words);
  return *this;
}

Option& OptionSet::add(std::string_view spelling, std::string help) {
  Option& option = options_.emplace_back();
  option.spelling = spelling;
  option.help = std::move(help);
  std::istringstream stream(option.spelling);
  for (std::string word; stream >> word;) {
    if (word == "...") {
      option.repeats = true;
    } else if (word.starts_with("--")) {
      option.name = word;
    } else if (word.starts_with('-')) {
      option.short_name = word.substr(0, 2);
    } else {
      option.value_is_optional = word.starts_with('[');
      option.value_names.push_back(option.value_is_optional ? word.substr(1, word.size() - 2) : word);
    }
  }
  option.positional = option.name.empty();
  if (option.positional) option.name = option.value_names.front();
  return option;
}

Option& OptionSet::add(std::string_view spelling, bool& flag, std::string help) {
  Option& option = add(spelling, std::move(help));
  option.collects = true;
  option.take = [&option, &flag](const std::vector<std::string>& values) {
    if (values.back() != "true" && values.back() != "false")
      throw usage_error(option.name + ": takes no value; leave '" + values.back() + "' out.");
    flag = values.back() == "true";
  };
  return option;
}

Option& OptionSet::add(std::string_view spelling, std::string& text, std::string help) {
  return add(
      spelling, [&text](const std::string& value) { text = value; }, std::move(help));
}

Option& OptionSet::add(std::string_view spelling, std::optional<std::string>& text, std::string help) {
  return add(
      spelling, [&text](const std::string& value) { text = value; }, std::move(help));
}

Option& OptionSet::add(std::string_view spelling, std::filesystem::path& path, std::string help) {
  return add(
      spelling, [&path](const std::string& value) { path = value; }, std::move(help));
}

Option& OptionSet::add(std::string_view spelling, std::function<void(const std::string&)> take, std::string help) {
  Option& option = add(spelling, std::move(help));
  option.take = [take = std::move(take)](const std::vector<std::string>& values) { take(values.front()); };
  return option;
}

Option& OptionSet::add(std::string_view spelling, std::vector<std::string>& texts, std::string help) {
  Option& option = add(spelling, std::move(help));
  option.collects = true;
  option.take = [&texts](const std::vector<std::string>& values) { texts = values; };
  return option;
}

Option& OptionSet::add(std::string_view spelling, int& number, std::string example, std::string help) {
  Option& option = add(spelling, std::move(help));
  bind_number<int>(option, number, std::move(example));
  return option;
}

Option& OptionSet::add(std::string_view spelling, std::optional<int>& number, std::string example, std::string help) {
  Option& option = add(spelling, std::move(help));
  bind_number<int>(option, number, std::move(example));
  return option;
}

Option& OptionSet::add(std::string_view spelling, double& number, std::string example, std::string help) {
  Option& option = add(spelling, std::move(help));
  bind_number<double>(option, number, std::move(example));
  return option;
}

Option& OptionSet::add(std::string_view spelling, std::optional<double>& number, std::string example,
                       std::string help) {
  Option& option = add(spelling, std::move(help));
  bind_number<double>(option, number, std::move(example));
  return option;
}

Option& OptionSet::add(std::string_view spelling, std::vector<double>& numbers, std::string example, std::string help) {
  Option& option = add(spelling, std::move(help));
  option.collects = option.repeats;
  option.example = std::move(example);
  option.take = [&option, &numbers](const std::vector<std::string>& values) {
    numbers.clear();
    for (const std::string& value : values) numbers.push_back(number_of<double>(value, option));
  };
  return option;
}

void OptionSet::read(const std::vector<std::string>& words, const std::string& command) {
  std::vector<WordRule> rules;
  for (const Option& option : options_) rules.push_back(rule_of(option));
  const SplitWords split = split_words(rules, with_values_left_out(options_, words));
  refuse_unknown(split.surplus, options_, command);
  for (std::size_t i = 0; i < options_.size(); ++i)
    refuse_missing_value(options_[i], split.values[i], split.incomplete, options_, command);
  if (!split.surplus.empty())
    throw usage_error("'" + split.surplus.front() + "' is one word too many for `" + command +
                      "`; put quotes around a name with blanks, and an option such as --clip before a value.");
  for (std::size_t i = 0; i < options_.size(); ++i) {
    Option& option = options_[i];
    const std::vector<std::string>& values = split.values[i];
    option.given = !values.empty();
    if (option.is_required && !option.given)
      throw usage_error(option.name + " is missing: write `" + command + "`. " + see_help(command));
    if (!option.collects && values.size() > std::max<std::size_t>(option.value_names.size(), 1))
      throw usage_error(option.name + ": is given more than once; leave all but one out.");
    refuse_other_words(option, values);
  }
  for (const Option& option : options_)
    if (option.given && option.excluded && option.excluded->given)
      throw usage_error(option.name + ": does not go with " + option.excluded->name + "; leave one of them out.");
  for (std::size_t i = 0; i < options_.size(); ++i)
    if (options_[i].given) options_[i].take(split.values[i]);
}

}  // namespace sinew::cli
