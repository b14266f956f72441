// CSV files of parameter curves: one line per frame, one column per parameter, in the parameters' own units.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

struct CurveTable {
  std::vector<std::string> names;  // one per column
  std::vector<double> times;       // one per frame, seconds
  std::vector<double> values;      // frames x columns
};

void write_curves_csv(const std::filesystem::path& path, const CurveTable& table);

}  // namespace sinew
