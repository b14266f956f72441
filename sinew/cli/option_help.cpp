#include "sinew/cli/option_help.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace sinew::cli {
namespace {

constexpr std::size_t name_width = 26, help_width = 110;

}  // namespace

std::string help_row(const std::string& name, const std::string& text) {
  std::string row = "  " + name;
  if (row.size() + 1 > name_width) row += "\n";
  std::size_t column = row.ends_with('\n') ? 0 : row.size();
  row.append(name_width - column, ' ');
  column = name_width;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    if (column > name_width && column + 1 + word.size() > help_width) {
      row += "\n" + std::string(name_width, ' ');
      column = name_width;
    }
    const bool first = column == name_width;
    row += (first ? "" : " ") + word;
    column += word.size() + (first ? 0 : 1);
  }
  return row + "\n";
}

std::string option_table(const OptionSet& options, bool everything) {
  std::vector<std::pair<std::string, std::string>> groups;  // heading and rows
  for (const Option& option : options.all()) {
    if (option.is_hidden || (option.is_advanced && !everything)) continue;
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& known) { return known.first == option.heading; });
    if (group == groups.end()) group = groups.insert(groups.end(), {option.heading, ""});
    group->second += help_row(option.spelling, option.help);
  }
  std::string table;
  for (const auto& [heading, rows] : groups) table += (heading.empty() ? "\n" : "\n" + heading + ":\n") + rows;
  return table;
}

int advanced_count(const OptionSet& options) {
  return static_cast<int>(std::count_if(options.all().begin(), options.all().end(),
                                        [](const Option& option) { return option.is_advanced && !option.is_hidden; }));
}

}  // namespace sinew::cli
