#include "sinew/cli/setting_options.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cli/options.h"
#include "sinew/files/settings_json.h"

namespace sinew::cli {
namespace {

// Rows of one option, one per method.
struct SharedRow {
  std::vector<std::pair<const DescribedMethod*, const Setting*>> of;
  std::string group;
};

std::vector<SharedRow> shared_rows(const std::vector<DescribedMethod>& methods) {
  std::vector<SharedRow> rows;
  for (const DescribedMethod& method : methods)
    for (const Setting& setting : method.defaults.table) {
      if (setting.option == OnCommandLine::no) continue;
      auto row = std::find_if(rows.begin(), rows.end(), [&](const SharedRow& known) {
        return option_name(*known.of.front().second) == option_name(setting);
      });
      if (row == rows.end()) row = rows.insert(rows.end(), {{}, *setting.group ? setting.group : method.group});
      row->of.push_back({&method, &setting});
    }
  return rows;
}

// " 0.45" or ": the look's"; empty if there is nothing to tell.
std::string default_words(const DescribedMethod& method, const Setting& setting) {
  if (std::holds_alternative<Member<bool>>(setting.value)) return "";
  const std::string value = value_text(setting, method.defaults);
  return !value.empty() ? " " + value : setting.none ? std::string(": ") + setting.none : "";
}

// " (0 to 10, default 1; mixed: 2)"
std::string range_and_defaults(const SharedRow& row) {
  const Range& range = row.of.front().second->range;
  const bool bounded = std::isfinite(range.least) && std::isfinite(range.most);
  const std::string usual = default_words(*row.of.front().first, *row.of.front().second);
  std::string text = bounded ? range_text(range) : "";
  if (!usual.empty()) text += (text.empty() ? "default" : ", default") + usual;
  for (const auto& [method, setting] : row.of)
    if (const std::string own = default_words(*method, *setting); own != usual)
      text += "; " + method->name + ": " + own.substr(own.find_first_not_of(": "));
  return text.empty() ? "" : " (" + text + ")";
}

std::string help_of(const SharedRow& row) {
  const DescribedMethod& method = *row.of.front().first;
  const Setting& first = *row.of.front().second;
  if (const auto* choice = std::get_if<Choice>(&first.value)) {
    const int usual = choice->get(method.defaults);
    const std::string text = std::string(first.help) + ": " + words_text(choice->words, usual);
    return usual < 0 ? text + " (default" + default_words(method, first) + ")" : text;
  }
  const bool unit_unsaid = *first.takes && *first.unit.name;
  return first.help + (unit_unsaid ? std::string(", in ") + first.unit.name : "") + range_and_defaults(row);
}

}  // namespace

void SettingOptions::add_to(OptionSet& options, const std::vector<DescribedMethod>& methods) {
  Given& file = all_.emplace_back();
  file.option = &options.add("--settings FILE", file_, "Settings file (JSON, see `sinew settings`)").group("Body");
  for (const DescribedMethod& method : methods) file.methods.push_back(method.name);
  for (const SharedRow& row : shared_rows(methods)) {
    const Setting& first = *row.of.front().second;
    Given& given = all_.emplace_back();
    const bool flag = std::holds_alternative<Member<bool>>(first.value);
    Option& option = flag ? options.add(option_spelling(first), given.flag, help_of(row))
                          : options.add(option_spelling(first), given.text, help_of(row));
    option.group(row.group);
    const bool number = std::holds_alternative<Member<int>>(first.value) ||
                        std::holds_alternative<Member<double>>(first.value) ||
                        std::holds_alternative<Member<std::optional<double>>>(first.value);
    if (number) option.example = example_text(first, row.of.front().first->defaults);
    if (first.option == OnCommandLine::rare) option.advanced();
    given.option = &option;
    for (const auto& [method, setting] : row.of) given.methods.push_back(method->name);
  }
}

const SettingOptions::Given* SettingOptions::given(const std::string& method, const std::string& name) const {
  for (const Given& one : all_)
    if (one.option->given && one.option->name == name && std::count(one.methods.begin(), one.methods.end(), method) > 0)
      return &one;
  return nullptr;
}

void SettingOptions::apply(const std::string& method, Settings settings) const {
  std::string wrong_in_file;
  if (!file_.empty()) {
    read_table(settings, read_text_file(file_), file_);
    wrong_in_file = first_complaint(settings);
  }
  for (const Setting& setting : settings.table) {
    const Given* one = setting.option == OnCommandLine::no ? nullptr : given(method, option_name(setting));
    if (!one) continue;
    const bool flag = std::holds_alternative<Member<bool>>(setting.value);
    set_from_text(setting, settings, flag ? (one->flag ? "true" : "false") : one->text);
  }
  const std::string wrong = first_complaint(settings);
  if (wrong.empty()) return;
  throw wrong == wrong_in_file ? input_error(file_ + ": " + wrong) : usage_error(wrong);
}

std::vector<std::string> SettingOptions::methods_with(const Option& option) const {
  for (const Given& one : all_)
    if (one.option == &option) return one.methods;
  return {};
}

}  // namespace sinew::cli
