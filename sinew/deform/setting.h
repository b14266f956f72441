// Settings, each described once. What checks them, reads and writes them as files (files/settings_json.h), makes
// options of them (cli/setting_options.h), tells runs apart (settings_fingerprint.h) and lists them in the docs
// (files/settings_docs.h) goes by the descriptions alone.
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

// What of a scene has to be made anew where a setting changes. Each level includes those before it.
enum class Recooks {
  nothing,     // the motion is the same: only what is written or said of it changes
  run,         // no matrix: what acts, and how it is solved and shown
  factor,      // the factorised matrices of a step, from the same masses and stiffness
  stiffness,   // these, with a stiffness that is scaled by one number
  body,        // masses, stiffness and their binding to bones, or a lattice; in the same tetrahedra
  everything,  // from the surface on
};

struct Unit {
  const char *name = "", *symbol = "";
};
namespace units {
inline constexpr Unit metres{"metres", "m"}, seconds{"seconds", "s"}, milliseconds{"milliseconds", "ms"};
inline constexpr Unit pascals{"pascals", "Pa"}, newtons{"newtons", "N"}, newtons_per_metre{"newtons per metre", "N/m"};
inline constexpr Unit density{"kilograms per cubic metre", "kg/m³"}, acceleration{"metres per second squared", "m/s²"};
}  // namespace units

// Of finite numbers.
struct Range {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool without_least = false, without_most = false;  // whether the bound itself is left out

  bool holds(double value) const;
};
constexpr Range from(double least) { return {.least = least}; }
constexpr Range above(double least) { return {.least = least, .without_least = true}; }
constexpr Range between(double least, double most) { return {.least = least, .most = most}; }

// One of several words, or none where that is a value too.
struct Choice {
  std::vector<const char*> words;
  std::function<int()> get;  // place in `words`; -1: none
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

// Things that have settings of their own.
struct SettingList {
  std::function<std::size_t()> size;
  std::function<void(std::size_t)> renew;  // to so many, all with their defaults
  std::function<Settings(std::size_t)> item;
};
template <class Item>
SettingList list(std::vector<Item>& items) {
  return {[&items] { return items.size(); }, [&items](std::size_t count) { items.assign(count, Item{}); },
          [&items](std::size_t k) { return settings_of(items[k]); }};
}

// The name of a file, whose content is what matters.
struct FileName {
  std::string* name;
};

// Where the value is, which has to outlive the description. Lists of texts are patterns with * and ?.
using SettingValue = std::variant<bool*, int*, double*, std::optional<double>*, std::string*, FileName, Vec3*,
                                  std::vector<std::string>*, Choice, SettingList>;

enum class OnCommandLine { no, rare, common };  // rare: told by --help-all only

struct Setting {
  const char* key = "";  // in files: "cell_size"; on the command line --cell-size
  SettingValue value{};
  const char* help = "";  // what it is: a sentence without its stop
  Range range{};          // of numbers
  Unit unit{};
  const char* hint = "";       // what more is said where a value is out of range
  const char* none = nullptr;  // what null, or an empty text, stands for: "the look's"; nullptr: there is no such thing
  bool empty_is_null = false;  // of texts, in files
  bool required = false;       // of an item of a list: it has to be there
  OnCommandLine option = OnCommandLine::no;
  const char* takes = "";    // what its option takes, "METRES"; empty: what goes without saying
  const char* example = "";  // of a value that makes sense; empty: the default
  const char* group = "";    // of its option in --help; empty: that of its method
  const char* section = "";  // of the docs' table
  const char* page = "";     // of the docs, with more about it
  Recooks recooks = Recooks::everything;
  std::function<bool()> applies{};      // whether there is such a setting beside the others' values; empty: always
  std::function<std::string()> rule{};  // what is wrong beside the others' values, as a sentence; empty: nothing
};

// "--cell-size"; "--cell-size METRES", of flags as above.
std::string option_name(const Setting& setting);
std::string option_spelling(const Setting& setting);

// For people: "1/240", "natural"; empty where there is nothing, and of lists.
std::string value_text(const Setting& setting);
// A value that makes sense, as it can be written.
std::string example_text(const Setting& setting);
// "a, b (default) or c"; "20 to 8000", "above 0", empty: any.
std::string words_text(const Choice& choice, int preferred);
std::string range_text(const Range& range);

// "'cube' is not one of patch, linear."
std::string no_such_word(const Choice& choice, const std::string& text);

// As on the command line. Throws usage_error naming the option.
void set_from_text(const Setting& setting, const std::string& text);

// What is wrong with the value by its range, "must be positive, in metres"; empty: nothing.
std::string out_of_range(const Setting& setting);

// The first thing that is wrong, in items of lists and by rules too: "density: must be positive."; empty: nothing.
std::string first_complaint(const Settings& settings);

// Throws usage_error where a value makes no sense.
void check_table(const Settings& settings);
template <class Struct>
void check_settings(Struct settings) {
  check_table(settings_of(settings));
}

// The row with this key, which there has to be.
const Setting& setting_named(const Settings& settings, const std::string& key);

}  // namespace sinew
