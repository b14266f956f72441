// Rectangular sparse matrices by rows: subdivision rules, basis functions at points, embeddings.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Compressed rows; columns ascend in each row. Rows may be empty.
struct SparseRows {
  int columns = 0;
  std::vector<int> start{0};  // rows + 1
  std::vector<int> column;    // one per entry
  std::vector<double> value;  // one per entry

  std::size_t rows() const { return start.size() - 1; }
};

// Product A B. Terms are added in the order of A's entries; entries that cancel are kept.
SparseRows product(const SparseRows& a, const SparseRows& b);

SparseRows transpose(const SparseRows& a);

// One row of A times x, terms in the order of the entries.
inline Vec3 row_times(const SparseRows& a, std::size_t row, std::span<const Vec3> x) {
  Vec3 sum;
  for (auto k = static_cast<std::size_t>(a.start[row]); k < static_cast<std::size_t>(a.start[row + 1]); ++k)
    sum += a.value[k] * x[static_cast<std::size_t>(a.column[k])];
  return sum;
}

// Product y = A x for one vector per row and column. Rows are independent: the result does not depend on the number of
// threads.
void multiply(const SparseRows& a, std::span<const Vec3> x, std::span<Vec3> y);

// Product Y = A X for `width` numbers per row and column.
void multiply(const SparseRows& a, std::span<const double> x, std::span<double> y, int width = 1);

}  // namespace sinew
