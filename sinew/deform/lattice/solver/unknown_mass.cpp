#include "sinew/deform/lattice/solver/unknown_mass.h"

namespace sinew {

UnknownMass::UnknownMass(const SparseRows& mass, const ActiveFunctions& active) {
  matrix_.rows = static_cast<int>(active.unknowns());
  matrix_.row_start.push_back(0);
  for (std::size_t u = 0; u < active.unknowns(); ++u) {
    const auto row = static_cast<std::size_t>(active.unknown_function[u]);
    for (auto e = static_cast<std::size_t>(mass.start[row]); e < static_cast<std::size_t>(mass.start[row + 1]); ++e) {
      const int unknown = active.unknown[static_cast<std::size_t>(mass.column[e])];  // they ascend with the functions
      if (unknown < 0) continue;
      matrix_.column.push_back(unknown);
      matrix_.value.push_back(mass.value[e]);
    }
    matrix_.row_start.push_back(static_cast<int>(matrix_.column.size()));
  }
  factor_.factor(matrix_);
}

void UnknownMass::multiply(std::span<const double> velocity, std::span<double> momentum) const {
  sinew::multiply(matrix_, velocity, momentum, 3);
}

void UnknownMass::solve(std::span<const double> momentum, std::span<double> velocity) const {
  factor_.solve(momentum, velocity, 3);
}

}  // namespace sinew
