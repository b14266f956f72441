#include "sinew/files/curves_csv.h"

#include <cstdio>

#include "sinew/base/file.h"

namespace sinew {
namespace {

// Quotes a field that a spreadsheet would split.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace

void write_curves_csv(const std::filesystem::path& path, const CurveTable& table) {
  const std::size_t columns = table.names.size();
  std::string text = "time";
  for (const std::string& name : table.names) (text += ',') += quoted(name);
  text += "\n";
  for (std::size_t frame = 0; frame < table.times.size(); ++frame) {
    text += number(table.times[frame]);
    for (std::size_t i = 0; i < columns; ++i) (text += ',') += number(table.values[frame * columns + i]);
    text += "\n";
  }
  write_text_file(path, text);
}

}  // namespace sinew
