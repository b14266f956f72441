#include "sinew/deform/mixed/poisson_compliance.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr std::size_t columns_at_once = 6;  // columns solved at once
constexpr std::size_t poisson_compliance_row_grain = 8;

}  // namespace

bool PoissonCompliance::choose(std::span<const int> vertices, const ScalarCholesky& factor) {
  const std::size_t rows = index(factor.rows()), count = vertices.size();
  columns_.resize(rows);
  std::vector<int> missing;
  for (const int v : vertices)
    if (columns_[index(v)].empty()) missing.push_back(v);
  if (((kept_ + missing.size()) * rows + count * count) * sizeof(double) > most_bytes) return false;
  std::vector<double> units(rows * columns_at_once, 0.0);
  for (std::size_t first = 0; first < missing.size(); first += columns_at_once) {
    // The last batch is filled up with vectors of zeros: every column is solved for in the same way.
    std::fill(units.begin(), units.end(), 0.0);
    const std::size_t last = std::min(first + columns_at_once, missing.size());
    for (std::size_t k = first; k < last; ++k) units[index(missing[k]) * columns_at_once + (k - first)] = 1;
    factor.solve(units, units, static_cast<int>(columns_at_once));
    for (std::size_t k = first; k < last; ++k) {
      std::vector<double>& column = columns_[index(missing[k])];
      column.resize(rows);
      for (std::size_t row = 0; row < rows; ++row) column[row] = units[row * columns_at_once + (k - first)];
    }
  }
  kept_ += missing.size();

  vertices_.assign(vertices.begin(), vertices.end());
  inverse_.resize(count * count);
  parallel_for(count, poisson_compliance_row_grain, [&](std::size_t a) {
    for (std::size_t b = 0; b < count; ++b) {  // the column of the later one counts for both
      const std::size_t early = index(vertices_[std::min(a, b)]), late = index(vertices_[std::max(a, b)]);
      inverse_[a * count + b] = columns_[late][early];
    }
  });
  return true;
}

void PoissonCompliance::multiply(std::span<const double> from, std::span<double> to) const {
  const std::size_t count = vertices_.size();
  parallel_for(count, poisson_compliance_row_grain, [&](std::size_t a) {
    double sum[3] = {};
    for (std::size_t b = 0; b < count; ++b) {
      const double* f = &from[3 * index(vertices_[b])];
      for (std::size_t c = 0; c < 3; ++c) sum[c] += inverse_[a * count + b] * f[c];
    }
    for (std::size_t c = 0; c < 3; ++c) to[3 * index(vertices_[a]) + c] = sum[c];
  });
}

}  // namespace sinew
