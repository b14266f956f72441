// Options of a verb, bound to variables; one place where words become values, and where all that can be wrong with
// them becomes a sentence.
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

// One option, or one positional argument. How it is spelt says what it takes: "-o, --output FILE", "--range BEGIN END",
// "--times SECONDS ..." (one or more), "--real-time [SPEED]" (may be left out), "--quiet" (a flag), "FILE"
// (positional).
struct Option {
  std::string spelling, name, short_name;  // name: "--output", or "FILE"
  std::vector<std::string> value_names;
  bool positional = false, value_is_optional = false, repeats = false;
  std::string help, heading, example;
  bool is_required = false, is_advanced = false, is_hidden = false, has_commas = false;
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  const Option* excluded = nullptr;
  bool collects = false;             // more than one mention
  std::vector<std::string> choices;  // the only values, where not empty
  std::function<void(const std::vector<std::string>& values)> take;
  bool given = false;  // on the command line that was read

  Option& required();
  Option& group(std::string title);  // its heading in --help
  Option& advanced();                // listed by --help-all only
  Option& hidden();                  // listed nowhere
  Option& between(double lowest, double highest);
  Option& separated_by_commas();  // a value may hold several
  Option& not_with(const Option& other);
  Option& one_of(std::vector<std::string> words);  // a value that may be left out is so before any other word
};

class OptionSet {
 public:
  // Variables keep their value where the option is not given.
  Option& add(std::string_view spelling, bool& flag, std::string help);
  Option& add(std::string_view spelling, std::string& text, std::string help);
  Option& add(std::string_view spelling, std::optional<std::string>& text, std::string help);
  Option& add(std::string_view spelling, std::filesystem::path& path, std::string help);
  Option& add(std::string_view spelling, std::vector<std::string>& texts, std::string help);
  Option& add(std::string_view spelling, std::function<void(const std::string&)> take, std::string help);

  // Finite numbers. `example`: one that makes sense, for the sentence about what is none.
  Option& add(std::string_view spelling, int& number, std::string example, std::string help);
  Option& add(std::string_view spelling, std::optional<int>& number, std::string example, std::string help);
  Option& add(std::string_view spelling, double& number, std::string example, std::string help);
  Option& add(std::string_view spelling, std::optional<double>& number, std::string example, std::string help);
  Option& add(std::string_view spelling, std::vector<double>& numbers, std::string example, std::string help);

  // Puts the words' values into the variables. `command`: how the verb is written, "sinew animate FILE -o OUTPUT".
  // Throws usage_error.
  void read(const std::vector<std::string>& words, const std::string& command);

  const std::deque<Option>& all() const { return options_; }

 private:
  Option& add(std::string_view spelling, std::string help);

  std::deque<Option> options_;  // whose addresses stay
};

}  // namespace sinew::cli
