#include "sinew/files/curves_csv.h"

#include <cstdio>

#include "sinew/base/file.h"

namespace sinew {
namespace {

// In quotes where a spreadsheet would take it apart.
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

void write_curves_csv(const std::filesystem::path& path, const RigCurves& curves, const std::vector<std::string>& names) {
  std::string text = "time";
  for (const std::string& name : names) (text += ',') += quoted(name);
  text += "\n";
  for (std::size_t frame = 0; frame < curves.times.size(); ++frame) {
    text += number(curves.times[frame]);
    for (std::size_t i = 0; i < names.size(); ++i) (text += ',') += number(curves.values[frame * names.size() + i]);
    text += "\n";
  }
  write_text_file(path, text);
}

}  // namespace sinew
