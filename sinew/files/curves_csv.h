// Curves of parameters as a table of text: a line per frame, a column per parameter, in the parameters' own units.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

struct CurveTable {
  std::vector<std::string> names;  // of columns
  std::vector<double> times;       // one per frame, seconds
  std::vector<double> values;      // frames x columns
};

void write_curves_csv(const std::filesystem::path& path, const CurveTable& table);

}  // namespace sinew
