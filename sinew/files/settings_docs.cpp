#include "sinew/files/settings_docs.h"

#include <algorithm>
#include <vector>

#include "sinew/base/overloaded.h"

namespace sinew {
namespace {

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string with_commas(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    if (!word.empty()) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool can_be_null(const Setting& setting) {
  return setting.none && (setting.empty_is_null || std::holds_alternative<std::optional<double>*>(setting.value) ||
                          std::holds_alternative<Choice>(setting.value));
}

// "m, above 0, or null"
std::string values(const Setting& setting) {
  const std::string number = with_commas({setting.unit.symbol, range_text(setting.range)});
  std::string text = std::visit(
      Overloaded{[](bool*) { return std::string("true, false"); }, [](std::string*) { return std::string("text"); },
                 [](const FileName&) { return std::string("file"); },
                 [&](Vec3*) {
                   return with_commas({"three numbers", setting.unit.symbol});
                 },
                 [](std::vector<std::string>*) { return std::string("list of patterns"); },
                 [](const Choice& value) {
                   std::vector<std::string> words;
                   for (const char* word : value.words) words.push_back(code(word));
                   return with_commas(words);
                 },
                 [](const SettingList&) { return std::string("list"); },
                 [&](const auto&) { return number.empty() ? std::string("number") : number; }},
      setting.value);
  return can_be_null(setting) ? text + " or null" : text;
}

std::string usual(const Setting& setting) {
  if (setting.required || !out_of_range(setting).empty()) return "needed";
  const std::string value = value_text(setting);
  if (!value.empty()) return std::holds_alternative<Choice>(setting.value) ? code(value) : value;
  const std::string nothing = can_be_null(setting) ? "null" : "empty";
  return setting.none ? nothing + ": " + setting.none : nothing;
}

std::string row(const Setting& setting) {
  const std::string option = setting.option == OnCommandLine::no ? "" : code(option_spelling(setting));
  const std::string page = setting.page;
  return "| " + code(setting.key) + " | " + option + " | " + values(setting) + " | " + usual(setting) + " | " +
         setting.help + (page.empty() ? "" : " ([" + page + "](" + page + "))") + " |\n";
}

std::string section_table(const Settings& settings, const std::string& section) {
  std::string text = "| key | option | values | default | means |\n|---|---|---|---|---|\n";
  for (const Setting& setting : settings)
    if (setting.section == section) text += row(setting);
  return text;
}

std::string item_table(const Setting& setting, const SettingList& list) {
  list.renew(1);
  std::string text = std::string("\nEach of the ") + code(setting.key) +
                     ":\n\n| key | values | default | means |\n|---|---|---|---|\n";
  for (const Setting& member : list.item(0))
    text += "| " + code(member.key) + " | " + values(member) + " | " + usual(member) + " | " + member.help + " |\n";
  list.renew(0);
  return text;
}

}  // namespace

std::string table_markdown(const Settings& settings) {
  std::vector<std::string> sections;
  for (const Setting& setting : settings)
    if (std::find(sections.begin(), sections.end(), setting.section) == sections.end())
      sections.push_back(setting.section);
  std::string text;
  for (const std::string& section : sections)
    text += (text.empty() ? "" : "\n") + (section.empty() ? "" : section + ":\n\n") + section_table(settings, section);
  for (const Setting& setting : settings)
    if (const auto* list = std::get_if<SettingList>(&setting.value)) text += item_table(setting, *list);
  return text;
}

}  // namespace sinew
