#include "studies/common/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sinew/base/error.h"

namespace sinew {
namespace {

std::string text_of(const TableCell& cell, int decimals) {
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  const double value = std::get<double>(cell);
  if (!std::isfinite(value)) return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  // "-0.00" is written "0.00".
  if (std::string(text).find_first_not_of("-0.") == std::string::npos && text[0] == '-') return text + 1;
  return text;
}

// Number of visible characters: bytes that do not continue another one.
std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string markdown(const Table& table) {
  const std::size_t columns = table.columns.size();
  std::vector<std::vector<std::string>> lines{{}};
  std::vector<char> numeric(columns, 0);
  for (const TableColumn& column : table.columns) lines[0].push_back(column.title);
  for (const auto& row : table.rows) {
    if (row.size() != columns)
      throw usage_error("a row of the table " + table.name + " has " + std::to_string(row.size()) + " cells for " +
                        std::to_string(columns) + " columns; give one each.");
    lines.emplace_back();
    for (std::size_t c = 0; c < columns; ++c) {
      lines.back().push_back(text_of(row[c], table.columns[c].decimals));
      numeric[c] = static_cast<char>(numeric[c] || std::holds_alternative<double>(row[c]));
    }
  }
  std::vector<std::size_t> width(columns, 3);
  for (const auto& line : lines)
    for (std::size_t c = 0; c < columns; ++c) width[c] = std::max(width[c], shown_width(line[c]));

  std::string text;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t space = width[c] - shown_width(lines[k][c]);
      text.append("| ").append(numeric[c] ? space : 0, ' ').append(lines[k][c]);
      text.append(numeric[c] ? 1 : space + 1, ' ');
    }
    text.append("|\n");
    if (k > 0) continue;
    for (std::size_t c = 0; c < columns; ++c)
      text.append("|").append(width[c] + (numeric[c] ? 1 : 2), '-').append(numeric[c] ? ":" : "");
    text.append("|\n");
  }
  return text;
}

}  // namespace sinew
