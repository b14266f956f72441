// Command-line options of a verb, bound to variables. Converts words to values and reports every error as a sentence.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::cli {

// An option or positional argument. The spelling declares its values: "-o, --output FILE", "--range BEGIN END",
// "--times SECONDS ..." (one or more), "--real-time [SPEED]" (optional), "--quiet" (a flag), "FILE" (positional).
struct Option {
  std::string spelling, name, short_name;  // `name` is "--output" or "FILE"
  std::vector<std::string> value_names;
  bool positional = false, value_is_optional = false, repeats = false;
  std::string help, heading, example;
  bool is_required = false, is_advanced = false, is_hidden = false, has_commas = false;
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  const Option* excluded = nullptr;
  bool collects = false;             // may be given several times; values accumulate
  std::vector<std::string> choices;  // the only allowed values, unless empty
  std::function<void(const std::vector<std::string>& values)> take;
  bool given = false;  // present on the command line

  Option& required();
  Option& group(std::string title);  // heading in --help
  Option& advanced();                // listed by --help-all only
  Option& hidden();                  // never listed
  Option& between(double lowest, double highest);
  Option& separated_by_commas();  // one word may hold several values
  Option& not_with(const Option& other);
  Option& one_of(std::vector<std::string> words);  // an optional value is taken only if it is one of these words
};

class OptionSet {
 public:
  // Variables keep their value if the option is absent.
  Option& add(std::string_view spelling, bool& flag, std::string help);
  Option& add(std::string_view spelling, std::string& text, std::string help);
  Option& add(std::string_view spelling, std::optional<std::string>& text, std::string help);
  Option& add(std::string_view spelling, std::filesystem::path& path, std::string help);
  Option& add(std::string_view spelling, std::vector<std::string>& texts, std::string help);
  Option& add(std::string_view spelling, std::function<void(const std::string&)> take, std::string help);

  // Finite numbers. `example` is a valid one, for error messages.
  Option& add(std::string_view spelling, int& number, std::string example, std::string help);
  Option& add(std::string_view spelling, std::optional<int>& number, std::string example, std::string help);
  Option& add(std::string_view spelling, double& number, std::string example, std::string help);
  Option& add(std::string_view spelling, std::optional<double>& number, std::string example, std::string help);
  Option& add(std::string_view spelling, std::vector<double>& numbers, std::string example, std::string help);

  // Sets the variables from the words. `command` is how the verb is written, "sinew animate FILE -o OUTPUT". Throws
  // usage_error.
  void read(const std::vector<std::string>& words, const std::string& command);

  const std::deque<Option>& all() const { return options_; }

 private:
  Option& add(std::string_view spelling, std::string help);

  std::deque<Option> options_;  // a deque, so that addresses stay valid
};

}  // namespace sinew::cli
