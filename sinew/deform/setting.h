// Descriptions of settings. Checks, settings files (files/settings_json.h), command-line options
// (cli/setting_options.h), fingerprints (settings_fingerprint.h) and docs (files/settings_docs.h) all use them.
//
// Every struct of settings has a function `Settings settings_of(Struct&)`: its table, a row for each member.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct Setting;
using Settings = std::vector<Setting>;

// The part of a scene that a changed setting invalidates. Each level includes those before it.
enum class Recooks {
  nothing,     // output and reports only; the motion is the same
  run,         // loads, solver and display; no matrices
  factor,      // the factorised matrices of a step, from the same masses and stiffness
  stiffness,   // `factor`, and the stiffness scaled by one number
  body,        // masses, stiffness, bone binding or lattice, in the same tetrahedra
  everything,  // all, starting with the surface
};

struct Unit {
  const char *name = "", *symbol = "";
};
namespace units {
inline constexpr Unit metres{"metres", "m"}, seconds{"seconds", "s"}, milliseconds{"milliseconds", "ms"};
inline constexpr Unit pascals{"pascals", "Pa"}, newtons{"newtons", "N"}, newtons_per_metre{"newtons per metre", "N/m"};
inline constexpr Unit density{"kilograms per cubic metre", "kg/m³"}, acceleration{"metres per second squared", "m/s²"};
}  // namespace units

// A range of finite numbers.
struct Range {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool without_least = false, without_most = false;  // true: the bound itself is excluded

  bool holds(double value) const;
};
constexpr Range from(double least) { return {.least = least}; }
constexpr Range above(double least) { return {.least = least, .without_least = true}; }
constexpr Range between(double least, double most) { return {.least = least, .most = most}; }

// A value that is one of several words, or none if the variable is optional.
struct Choice {
  std::vector<const char*> words;
  std::function<int()> get;  // index into `words`; -1: none
  std::function<void(int)> set;
};
template <class Value>
struct Word {
  const char* word;
  Value value;
};
template <class Variable, class Value, std::size_t N>
Choice choice(Variable& variable, const Word<Value> (&words)[N]) {  // Variable: Value, or an optional of it
  Choice result;
  for (const Word<Value>& word : words) result.words.push_back(word.word);
  result.get = [&variable, &words] {
    for (std::size_t k = 0; k < N; ++k)
      if (variable == words[k].value) return static_cast<int>(k);
    return -1;
  };
  result.set = [&variable, &words](int k) { variable = k < 0 ? Variable{} : Variable(words[k].value); };
  return result;
}

// A list of items that have settings of their own.
struct SettingList {
  std::function<std::size_t()> size;
  std::function<void(std::size_t)> renew;  // resizes; all items get their defaults
  std::function<Settings(std::size_t)> item;
};
template <class Item>
SettingList list(std::vector<Item>& items) {
  return {[&items] { return items.size(); }, [&items](std::size_t count) { items.assign(count, Item{}); },
          [&items](std::size_t k) { return settings_of(items[k]); }};
}

// The name of a file. Fingerprints use its content.
struct FileName {
  std::string* name;
};

// Pointer to the value, which must outlive the description. Lists of texts are patterns with * and ?.
using SettingValue = std::variant<bool*, int*, double*, std::optional<double>*, std::string*, FileName, Vec3*,
                                  std::vector<std::string>*, Choice, SettingList>;

enum class OnCommandLine { no, rare, common };  // rare: shown by --help-all only

struct Setting {
  const char* key = "";  // in files: "cell_size"; on the command line --cell-size
  SettingValue value{};
  const char* help = "";  // description: a sentence without its full stop
  Range range{};          // for numbers
  Unit unit{};
  const char* hint = "";       // added to the message for a value out of range
  const char* none = nullptr;  // meaning of null or an empty text: "the look's"; nullptr: not allowed
  bool empty_is_null = false;  // an empty text is written as null in files
  bool required = false;       // must be given in each item of a list
  OnCommandLine option = OnCommandLine::no;
  const char* takes = "";    // placeholder in --help, "METRES"; empty: from the type
  const char* example = "";  // a sensible value; empty: the default
  const char* group = "";    // group in --help; empty: that of its method
  const char* section = "";  // section of the docs' table
  const char* page = "";     // page of the docs with details
  Recooks recooks = Recooks::everything;
  std::function<bool()> applies{};      // whether the other values make it relevant; empty: always
  std::function<std::string()> rule{};  // sentence if it contradicts other values; empty: it does not
};

// Name of the option, "--cell-size", and its spelling with the placeholder, "--cell-size METRES"; flags have none.
std::string option_name(const Setting& setting);
std::string option_spelling(const Setting& setting);

// The value for display: "1/240", "natural"; empty for no value and for lists.
std::string value_text(const Setting& setting);
// A sensible value in the form in which it is typed.
std::string example_text(const Setting& setting);
// Allowed values for display: "a, b (default) or c"; "20 to 8000", "above 0", empty: any.
std::string words_text(const Choice& choice, int preferred);
std::string range_text(const Range& range);

// Message for an unknown word: "'cube' is not one of patch, linear."
std::string no_such_word(const Choice& choice, const std::string& text);

// Parses a command-line value. Throws usage_error naming the option.
void set_from_text(const Setting& setting, const std::string& text);

// Complaint if the value is out of range, "must be positive, in metres"; else empty.
std::string out_of_range(const Setting& setting);

// The first violated range or rule, also in items of lists: "density: must be positive."; empty: none.
std::string first_complaint(const Settings& settings);

// Throws usage_error with the first complaint.
void check_table(const Settings& settings);
template <class Struct>
void check_settings(Struct settings) {
  check_table(settings_of(settings));
}

// The row with this key, which must exist.
const Setting& setting_named(const Settings& settings, const std::string& key);

}  // namespace sinew
