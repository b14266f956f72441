// Tables of measurements, for terminals, documents and files.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace sinew {

struct TableColumn {
  std::string title;
  int decimals = 2;  // decimals of its numbers
};

// Text or a number; a number that is not finite means that nothing was measured.
using TableCell = std::variant<std::string, double>;

struct Table {
  std::string name;   // for files: short; letters, digits and underscores
  std::string title;  // for readers
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows;  // each has one cell per column
};

// The table as Markdown, with padded columns so that it is readable on a terminal; numbers are right-aligned. Throws
// usage_error for a row of another length.
std::string markdown(const Table& table);

}  // namespace sinew
