#include "sinew/deform/setting.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "sinew/base/error.h"
#include "sinew/base/number_text.h"

namespace sinew {
namespace {

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// What goes without saying that an option takes.
std::string usual_value_name(const Setting& setting) {
  const std::string unit = setting.unit.name;
  if (!unit.empty() && unit.find(' ') == std::string::npos) return in_capitals(unit);
  return std::visit(Overloaded{[](const Member<bool>&) { return ""; }, [](const Member<int>&) { return "N"; },
                               [](const Choice&) { return "NAME"; },
                               [&](const Member<std::string>&) { return setting.file ? "FILE" : "TEXT"; },
                               [](const Member<std::vector<std::string>>&) { return "PATTERNS"; },
                               [](const Member<Vec3>&) { return "X,Y,Z"; }, [](const auto&) { return "NUMBER"; }},
                    setting.value);
}

NumberWords number_words(const Setting& setting, ConstSettings settings, bool whole) {
  std::string kind = whole ? "a whole number" : "a number";
  if (*setting.unit.name) kind += std::string(" of ") + setting.unit.name;
  return {option_name(setting), kind, example_text(setting, settings)};
}

// "4ms" is 4 of a setting in milliseconds.
std::string without_unit(const std::string& text, const Unit& unit) {
  const std::string symbol = unit.symbol;
  return !symbol.empty() && text.size() > symbol.size() && text.ends_with(symbol)
             ? text.substr(0, text.size() - symbol.size())
             : text;
}

std::vector<std::string> between_commas(const std::string& text) {
  std::vector<std::string> items;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');)
    if (!item.empty()) items.push_back(item);
  return items;
}

std::string limits(const Range& range) {
  const std::string least = plain(range.least), most = plain(range.most);
  if (std::isfinite(range.least) && std::isfinite(range.most)) {
    if (range.without_least == range.without_most)
      return "must lie between " + least + " and " + most + (range.without_least ? ", both left out" : "");
    const std::string begin = !range.without_least ? "must be at least " + least
                              : range.least == 0   ? "must be positive"
                                                   : "must be above " + least;
    return begin + " and " + (range.without_most ? "less than " : "at most ") + most;
  }
  if (!std::isfinite(range.least)) return "must be finite";
  if (range.without_least) return range.least == 0 ? "must be positive" : "must be above " + least;
  return range.least == 0 ? "must not be negative" : "must be at least " + least;
}

// What is wrong with a value; empty: nothing.
std::string beyond(const Setting& setting, double value) {
  if (setting.range.holds(value)) return "";
  const std::string unit = setting.unit.name, hint = setting.hint;
  return limits(setting.range) + (unit.empty() ? "" : ", in " + unit) + (hint.empty() ? "" : "; " + hint);
}

// What an item of a list is called, for messages: its first setting, where that is a text.
std::string name_of_item(ConstSettings item) {
  const auto* text = std::get_if<Member<std::string>>(&item.table.front().value);
  return text ? text->of(item) : "";
}

// `where`: what stands before the key, "joints[2]."; `whose`: behind it.
std::string complaint(ConstSettings settings, const std::string& where, const std::string& whose) {
  for (const Setting& setting : settings.table) {
    if (!applies(setting, settings)) continue;
    const std::string key = where + setting.key;
    if (const std::string wrong = out_of_range(setting, settings); !wrong.empty())
      return key + whose + ": " + wrong + ".";
    const auto* list = std::get_if<SettingList>(&setting.value);
    for (std::size_t k = 0; list && k < list->size(settings); ++k) {
      const ConstSettings item = list->item(settings, k);
      const std::string name = name_of_item(item);
      const std::string wrong =
          complaint(item, key + "[" + std::to_string(k) + "].", name.empty() ? "" : " of '" + name + "'");
      if (!wrong.empty()) return wrong;
    }
  }
  for (const Setting& setting : settings.table)
    if (setting.rule && applies(setting, settings))
      if (const std::string wrong = setting.rule(settings); !wrong.empty())
        return where + setting.key + whose + ": " + wrong;
  return "";
}

}  // namespace

bool Range::holds(double value) const {
  return std::isfinite(value) && (without_least ? value > least : value >= least) &&
         (without_most ? value < most : value <= most);
}

bool applies(const Setting& setting, ConstSettings settings) { return !setting.applies || setting.applies(settings); }

std::string option_name(const Setting& setting) {
  std::string name = std::string("--") + (*setting.spelled ? setting.spelled : setting.key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string option_spelling(const Setting& setting) {
  const std::string takes = *setting.takes ? setting.takes : usual_value_name(setting);
  return option_name(setting) + (takes.empty() ? "" : " " + takes);
}

std::string value_text(const Setting& setting, ConstSettings settings) {
  return visit_value(
      setting, settings,
      Overloaded{[](bool value) { return std::string(value ? "true" : "false"); },
                 [](int value) { return std::to_string(value); }, [](double value) { return plain_or_fraction(value); },
                 [](const std::optional<double>& value) { return value ? plain_or_fraction(*value) : ""; },
                 [](const std::string& value) { return value; },
                 [](const Vec3& v) { return plain(v.x) + ", " + plain(v.y) + ", " + plain(v.z); },
                 [](const std::vector<std::string>& value) {
                   std::string text;
                   for (const std::string& item : value) text += (text.empty() ? "" : ",") + item;
                   return text;
                 },
                 [&](const Choice& value) {
                   const int chosen = value.get(settings);
                   return std::string(chosen < 0 ? "" : value.words[static_cast<std::size_t>(chosen)]);
                 },
                 [](const SettingList&) { return std::string(); }});
}

std::string example_text(const Setting& setting, ConstSettings settings) {
  const auto* number = std::get_if<Member<double>>(&setting.value);
  return *setting.example ? setting.example : number ? plain(number->of(settings)) : value_text(setting, settings);
}

std::string words_text(const std::vector<const char*>& words, int preferred) {
  std::string text;
  const int count = static_cast<int>(words.size());
  for (int k = 0; k < count; ++k) {
    text += k == 0 ? "" : k + 1 == count ? " or " : ", ";
    text += words[static_cast<std::size_t>(k)];
    if (k == preferred) text += " (default)";
  }
  return text;
}

std::string range_text(const Range& range) {
  const std::string least = plain(range.least), most = plain(range.most);
  const bool below = std::isfinite(range.least), up = std::isfinite(range.most);
  if (!below) return "";
  const std::string begin = (range.without_least ? "above " : up ? "" : "from ") + least;
  return begin + (up ? (range.without_most ? " to below " : " to ") + most : "");
}

void set_from_text(const Setting& setting, Settings settings, const std::string& text) {
  const std::string number = without_unit(text, setting.unit);
  const auto in_range = [&](auto value) {
    if (const std::string wrong = beyond(setting, value); !wrong.empty())
      throw usage_error(option_name(setting) + ": " + wrong + ".");
    return value;
  };
  const auto real = [&] { return in_range(number_from(number, number_words(setting, settings, false))); };
  visit_value(
      setting, settings,
      Overloaded{
          [&](bool& value) { value = text != "false"; },
          [&](int& value) { value = in_range(whole_number_from(number, number_words(setting, settings, true))); },
          [&](double& value) { value = real(); }, [&](std::optional<double>& value) { value = real(); },
          [&](std::string& value) { value = text; },
          [&](Vec3& value) {
            const std::vector<std::string> items = between_commas(text);
            const NumberWords words{option_name(setting), "three numbers between commas", "0,3,0"};
            if (items.size() != 3)
              throw usage_error(words.name + ": '" + text + "' is not " + words.kind + ", such as " + words.example +
                                ".");
            Vec3 read;
            for (std::size_t k = 0; k < 3; ++k) read[k] = number_from(items[k], words);
            value = read;
          },
          [&](std::vector<std::string>& value) { value = between_commas(text); },
          [&](const Choice& value) {
            const auto found = std::find(value.words.begin(), value.words.end(), text);
            if (found == value.words.end() && value.otherwise) return value.otherwise(settings, text);
            if (found == value.words.end())
              throw usage_error(option_name(setting) + ": " + no_such_word(value.words, text));
            value.set(settings, static_cast<int>(found - value.words.begin()));
          },
          [&](const auto&) { throw usage_error(option_name(setting) + ": belongs in a file of settings."); }});
}

std::string no_such_word(const std::vector<const char*>& words, const std::string& text) {
  std::string known;
  for (const char* word : words) known += std::string(known.empty() ? "" : ", ") + word;
  return "'" + text + "' is not one of " + known + ".";
}

std::string out_of_range(const Setting& setting, ConstSettings settings) {
  const auto wrong = [&](double value) { return beyond(setting, value); };
  return visit_value(
      setting, settings,
      Overloaded{[&](int value) { return wrong(value); }, [&](double value) { return wrong(value); },
                 [&](const std::optional<double>& value) { return value ? wrong(*value) : std::string(); },
                 [&](const Vec3& value) { return is_finite(value) ? std::string() : wrong(HUGE_VAL); },
                 [](const auto&) { return std::string(); }});
}

std::string first_complaint(ConstSettings settings) { return complaint(settings, "", ""); }

void check_settings(ConstSettings settings) {
  if (const std::string wrong = first_complaint(settings); !wrong.empty()) throw usage_error(wrong);
}

}  // namespace sinew
