#include "sinew/files/settings_docs.h"

#include <algorithm>
#include <vector>

#include "sinew/files/settings_json.h"

namespace sinew {
namespace {

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string with_commas(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    if (!word.empty()) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// "m, above 0, or null"
std::string values(const Setting& setting) {
  const std::string number = with_commas({setting.unit.symbol, range_text(setting.range)});
  std::string text =
      std::visit(Overloaded{[](const Member<bool>&) { return std::string("true, false"); },
                            [&](const Member<std::string>&) {
                              return std::string(setting.object ? "file or object" : setting.file ? "file" : "text");
                            },
                            [&](const Member<Vec3>&) {
                              return with_commas({"three numbers", setting.unit.symbol});
                            },
                            [](const Member<std::vector<std::string>>&) { return std::string("list of patterns"); },
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

std::string usual(const Setting& setting, ConstSettings defaults) {
  if (setting.required || !out_of_range(setting, defaults).empty()) return "needed";
  const std::string value = value_text(setting, defaults);
  if (!value.empty()) return std::holds_alternative<Choice>(setting.value) ? code(value) : value;
  const std::string nothing = can_be_null(setting) ? "null" : "empty";
  return setting.none ? nothing + ": " + setting.none : nothing;
}

std::string row(const Setting& setting, ConstSettings defaults) {
  const std::string option = setting.option == OnCommandLine::no ? "" : code(option_spelling(setting));
  const std::string page = setting.page;
  return "| " + code(setting.key) + " | " + option + " | " + values(setting) + " | " + usual(setting, defaults) +
         " | " + setting.help + (page.empty() ? "" : " ([" + page + "](" + page + "))") + " |\n";
}

std::string section_table(ConstSettings settings, const std::string& section) {
  std::string text = "| key | option | values | default | means |\n|---|---|---|---|---|\n";
  for (const Setting& setting : settings.table)
    if (setting.section == section) text += row(setting, settings);
  return text;
}

std::string item_table(const Setting& setting, const SettingList& list) {
  std::string text = std::string("\nEach of the ") + code(setting.key) +
                     ":\n\n| key | values | default | means |\n|---|---|---|---|\n";
  for (const Setting& member : list.usual.table)
    text += "| " + code(member.key) + " | " + values(member) + " | " + usual(member, list.usual) + " | " + member.help +
            " |\n";
  return text;
}

}  // namespace

std::string table_markdown(ConstSettings settings) {
  std::vector<std::string> sections;
  for (const Setting& setting : settings.table)
    if (std::find(sections.begin(), sections.end(), setting.section) == sections.end())
      sections.push_back(setting.section);
  std::string text;
  for (const std::string& section : sections)
    text += (text.empty() ? "" : "\n") + (section.empty() ? "" : section + ":\n\n") + section_table(settings, section);
  for (const Setting& setting : settings.table)
    if (const auto* list = std::get_if<SettingList>(&setting.value)) text += item_table(setting, *list);
  return text;
}

}  // namespace sinew
