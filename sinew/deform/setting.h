// Descriptions of settings. Checks, settings files (files/settings_json.h), command-line options
// (cli/setting_options.h), fingerprints (settings_fingerprint.h) and docs (files/settings_docs.h) all use them.
//
// Every struct of settings describes its members in `static SettingsTable describe()`, which is called once:
// table_of<Struct>() is that table, settings_of(object) the table with an object.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/base/overloaded.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct Setting;
using SettingsTable = std::vector<Setting>;

// The settings of an object: the table of its class, and the object, which must outlive this.
struct ConstSettings {
  const SettingsTable& table;
  const void* object;
};
// The settings of an object that may be changed.
struct Settings : ConstSettings {};

template <class Struct>
const SettingsTable& table_of();
template <class Struct>
ConstSettings settings_of(const Struct& object) {
  return {table_of<Struct>(), &object};
}
template <class Struct>
Settings settings_of(Struct& object) {
  return {{table_of<Struct>(), &object}};
}

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
inline constexpr Unit velocity{"metres per second", "m/s"};
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

// A function of an object, made from a function of its class.
template <class Result>
struct ObjectFunction : std::function<Result(ConstSettings)> {
  ObjectFunction() = default;
  template <class Function>
  ObjectFunction(Function f) : ObjectFunction(std::function(std::move(f))) {}
  template <class Given, class Struct>
  ObjectFunction(std::function<Given(const Struct&)> f)
      : std::function<Result(ConstSettings)>([f = std::move(f)](ConstSettings settings) -> Result {
          return f(*static_cast<const Struct*>(settings.object));
        }) {}
};

// A member of an object, or a member of one of its members.
template <class Value>
class Member {
 public:
  template <class Struct>
  Member(Value Struct::*member) : find_([member](const Struct& object) -> const Value& { return object.*member; }) {}
  template <class Struct, class Part>
  Member(Part Struct::*part, Value Part::*member)
      : find_([part, member](const Struct& object) -> const Value& { return object.*part.*member; }) {}

  const Value& of(ConstSettings settings) const { return find_(settings); }
  Value& of(Settings settings) const { return const_cast<Value&>(find_(settings)); }

 private:
  ObjectFunction<const Value&> find_;
};

// A value that is one of several words, or none if the variable is optional.
struct Choice {
  std::vector<const char*> words;
  std::function<int(ConstSettings)> get;  // index into `words`; -1: none
  std::function<void(Settings, int)> set;
  // Takes a text that is none of the words, as older versions wrote it. Empty: such a text is an error.
  std::function<void(Settings, const std::string&)> otherwise{};
};
template <class Value>
struct Word {
  const char* word;
  Value value;
};
template <class Value, std::size_t N>
std::vector<const char*> words_of(const Word<Value> (&words)[N]) {
  std::vector<const char*> result;
  for (const Word<Value>& word : words) result.push_back(word.word);
  return result;
}
// `where`: a Member, or what makes one, whose type is Value or an optional of it.
template <class Where, class Value, std::size_t N>
Choice choice(const Where& where, const Word<Value> (&words)[N]) {
  const Member variable(where);
  return {words_of(words),
          [variable, &words](ConstSettings settings) {
            for (std::size_t k = 0; k < N; ++k)
              if (variable.of(settings) == words[k].value) return static_cast<int>(k);
            return -1;
          },
          [variable, &words](Settings settings, int k) {
            auto& value = variable.of(settings);
            value = {};
            if (k >= 0) value = words[k].value;
          },
          {}};
}

// A list of items that have settings of their own.
struct SettingList {
  ConstSettings usual;  // an item with its defaults
  std::function<std::size_t(ConstSettings)> size;
  std::function<void(Settings, std::size_t)> renew;  // resizes; all items get their defaults
  std::function<const void*(ConstSettings, std::size_t)> find;

  ConstSettings item(ConstSettings list, std::size_t k) const { return {usual.table, find(list, k)}; }
  Settings item(Settings list, std::size_t k) const { return {{usual.table, find(list, k)}}; }
};
template <class Struct, class Item>
SettingList list(std::vector<Item> Struct::*member) {
  static const Item usual{};
  const Member items(member);
  return {settings_of(usual), [items](ConstSettings settings) { return items.of(settings).size(); },
          [items](Settings settings, std::size_t count) { items.of(settings).assign(count, Item{}); },
          [items](ConstSettings settings, std::size_t k) { return &items.of(settings)[k]; }};
}

// Lists of texts are patterns with * and ?.
using SettingValue =
    std::variant<Member<bool>, Member<int>, Member<double>, Member<std::optional<double>>, Member<std::string>,
                 Member<Vec3>, Member<std::vector<std::string>>, Choice, SettingList>;

enum class OnCommandLine { no, rare, common };  // rare: shown by --help-all only

struct Setting {
  const char* key = "";  // in files: "cell_size"; on the command line --cell-size
  SettingValue value;
  bool file = false;  // the text is the name of a file; fingerprints use its content
  // JSON Schema of an object that settings files may hold in place of the file's name, which is then the text; null:
  // none. Fingerprints leave out the empty text.
  const char* object = nullptr;
  const char* help = "";  // description: a sentence without its full stop
  Range range{};          // for numbers
  Unit unit{};
  const char* hint = "";       // added to the message for a value out of range
  const char* none = nullptr;  // meaning of null or an empty text: "the look's"; nullptr: not allowed
  bool empty_is_null = false;  // an empty text is written as null in files
  bool required = false;       // must be given in each item of a list
  OnCommandLine option = OnCommandLine::no;
  const char* spelled = "";  // name of the option, "gravity"; empty: the key
  const char* takes = "";    // placeholder in --help, "METRES"; empty: from the type
  const char* example = "";  // a sensible value; empty: the default
  const char* group = "";    // group in --help; empty: that of its method
  const char* section = "";  // section of the docs' table
  const char* page = "";     // page of the docs with details
  Recooks recooks = Recooks::everything;
  ObjectFunction<bool> applies{};      // whether the other values make it relevant; empty: always
  ObjectFunction<std::string> rule{};  // sentence if it contradicts other values, else empty
};

// True if the text of a setting is an object in place of a file's name (Setting::object).
inline bool holds_object(const Setting& setting, const std::string& text) {
  return setting.object && text.starts_with('{');
}

template <class Struct>
const SettingsTable& table_of() {
  static const SettingsTable table = Struct::describe();
  return table;
}

// Calls `visitor` with the member of the object, or with the Choice or SettingList.
template <class View, class Visitor>
auto visit_value(const Setting& setting, const View& settings, const Visitor& visitor) {
  return std::visit(Overloaded{[&]<class Value>(const Member<Value>& member) { return visitor(member.of(settings)); },
                               [&](const auto& other) { return visitor(other); }},
                    setting.value);
}

// Whether the other values of the object make the setting relevant.
bool applies(const Setting& setting, ConstSettings settings);

// Name of the option, "--cell-size", and its spelling with the placeholder, "--cell-size METRES"; flags have none.
std::string option_name(const Setting& setting);
std::string option_spelling(const Setting& setting);

// The value for display: "1/240", "natural"; empty for no value and for lists.
std::string value_text(const Setting& setting, ConstSettings settings);
// A sensible value in the form in which it is typed.
std::string example_text(const Setting& setting, ConstSettings settings);
// Allowed values for display: "a, b (default) or c"; "20 to 8000", "above 0", empty: any.
std::string words_text(const std::vector<const char*>& words, int preferred);
std::string range_text(const Range& range);

// Message for an unknown word: "'cube' is not one of patch, linear."
std::string no_such_word(const std::vector<const char*>& words, const std::string& text);

// Parses a command-line value. Throws usage_error naming the option.
void set_from_text(const Setting& setting, Settings settings, const std::string& text);

// Complaint if the value is out of range, "must be positive, in metres"; else empty.
std::string out_of_range(const Setting& setting, ConstSettings settings);

// The first violated range or rule, also in items of lists: "density: must be positive."; empty: none.
std::string first_complaint(ConstSettings settings);

// Throws usage_error with the first complaint.
void check_settings(ConstSettings settings);

}  // namespace sinew
