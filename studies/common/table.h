// Tables of measured numbers, for terminals, documents and files.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace sinew {

struct TableColumn {
  std::string title;
  int decimals = 2;  // of its numbers
};

// Words, or a number; one that is not finite stands for nothing measured.
using TableCell = std::variant<std::string, double>;

struct Table {
  std::string name;   // short, for files: letters, digits and underscores
  std::string title;  // for people
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows;  // each as long as `columns`
};

// As Markdown, columns padded so that it reads well on a terminal too; numbers to the right. Throws usage_error for a
// row of another length.
std::string markdown(const Table& table);

}  // namespace sinew
